// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// gather: 3 rows of 16 f32 picked from 1000: 3·64 = 192 of the table, 3·8 indices;
//   5 picks from 2 rows can't read more than the table's 128.
// scatter 2 rows into 10x4 f32 (160 bytes); updates 32, indices 16:
//   into a graph input  what isn't replaced is copied: 160 − 32 read, 160 written
//   in place            into a value without another reader: only 32 are written
//   with a sum          old values are read too (all 160, or in place 32), and
//                       2·4 = 8 additions
//   a KV cache          an input whose new value is returned: in place

!d = tensor<10x4xf32>
!i = tensor<2xi64>
!u = tensor<2x4xf32>
module {
  func.func @main(%rows: tensor<3xi64>, %five: tensor<5xi64>, %x: !d, %i: !i, %u: !u, %cache: !d) -> !d {
    %t = rl.weight "table" : tensor<1000x16xf32>
    %small = rl.weight "small" : tensor<2x16xf32>
    // CHECK: rl.gather "rows"{{.*}}<flops = {}, read = {weight = 192, activation = 24}, written = {activation = 192}, launches = 1>
    %0 = rl.gather "rows"(%t, %rows) : (tensor<1000x16xf32>, tensor<3xi64>) -> tensor<3x16xf32>
    // CHECK: rl.gather "rows"{{.*}}<flops = {}, read = {weight = 128, activation = 40}, written = {activation = 320}
    %1 = rl.gather "rows"(%small, %five) : (tensor<2x16xf32>, tensor<5xi64>) -> tensor<5x16xf32>
    // CHECK: rl.scatter "none"{{.*}}<flops = {}, read = {activation = 176}, written = {activation = 160}, launches = 1>
    %2 = rl.scatter "none"(%x, %i, %u) : (!d, !i, !u) -> !d
    %3 = rl.map "relu"(%x) : (!d) -> !d
    // CHECK: rl.scatter "none"{{.*}}<flops = {}, read = {activation = 48}, written = {activation = 32}
    %4 = rl.scatter "none"(%3, %i, %u) : (!d, !i, !u) -> !d
    // CHECK: rl.scatter "add"{{.*}}<flops = {vector.f32 = 8}, read = {activation = 208}, written = {activation = 160}
    %5 = rl.scatter "add"(%x, %i, %u) : (!d, !i, !u) -> !d
    // CHECK: rl.scatter "add"{{.*}}<flops = {vector.f32 = 8}, read = {activation = 80}, written = {activation = 32}
    %6 = rl.scatter "add"(%4, %i, %u) : (!d, !i, !u) -> !d
    // CHECK: rl.scatter "none"{{.*}}<flops = {}, read = {activation = 48, kv_cache = 0}, written = {kv_cache = 32}
    %7 = rl.scatter "none"(%cache, %i, %u) : (!d, !i, !u) -> !d
    return %7 : !d
  }
}
