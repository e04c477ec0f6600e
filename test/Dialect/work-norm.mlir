// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// 4 rows of n = 6.
//   layer  mean n, subtract n, square n, mean n, ε, root, reciprocal, multiply n:
//          5n + 3 = 33, of them special both divisions, root and reciprocal = 4;
//          a scale n, a bias n: 45. 4 rows: 164 and 16; bare: 116 and 16
//   rms    square n, mean n, 3, multiply n, scale n: 4n + 3 = 27, 3 special:
//          96 and 12
//   lp     square n, sum n − 1, root, divide n: 2n − 1 = 11 and n + 1 = 7: 44, 28
//   batch  2 an element: 48
//   local response of size 5: 9 an element, 2 of them special: 168 and 48
//   a residual first: 24 additions more
// Groups are rows of another length: 2 of 12, 2·(60 − 1 + 24) = 166 and 8.

!m = tensor<4x6xf32>
!v = tensor<6xf32>
module {
  func.func @main(%x: !m) {
    %s = rl.weight "s" : !v
    %b = rl.weight "b" : !v
    // CHECK: rl.norm "layer"{{.*}}<flops = {vector.f32 = 164, special.f32 = 16}, read = {weight = 48, activation = 96}, written = {activation = 96}, launches = 1>
    %0 = rl.norm "layer"(%x, %s, %b) row <[6]> scale shift : (!m, !v, !v) -> !m
    // CHECK: rl.norm "layer"{{.*}}<flops = {vector.f32 = 116, special.f32 = 16}
    %1 = rl.norm "layer"(%x) row <[6]> : (!m) -> !m
    // CHECK: rl.norm "rms"{{.*}}<flops = {vector.f32 = 96, special.f32 = 12}
    %2 = rl.norm "rms"(%x, %s) row <[6]> scale : (!m, !v) -> !m
    // CHECK: rl.norm "lp"{{.*}}<flops = {vector.f32 = 44, special.f32 = 28}
    %3 = rl.norm "lp"(%x) row <[6]> : (!m) -> !m
    // CHECK: rl.norm "batch"{{.*}}<flops = {vector.f32 = 48}
    %4 = rl.norm "batch"(%x, %s, %b) : (!m, !v, !v) -> !m
    // CHECK: rl.norm "local_response"{{.*}}<flops = {vector.f32 = 168, special.f32 = 48}
    %5 = rl.norm "local_response"(%x) {size = 5 : i64} : (!m) -> !m
    // CHECK: rl.norm "layer"{{.*}}<flops = {vector.f32 = 140, special.f32 = 16}
    %6 = rl.norm "layer"(%x) row <[6]> {residuals = 1 : i64} : (!m) -> !m
    // CHECK: rl.norm "group"{{.*}}<flops = {vector.f32 = 166, special.f32 = 8}
    %7 = rl.norm "group"(%x, %s, %b) row <[12]> scale shift : (!m, !v, !v) -> !m
    // CHECK: rl.norm "layer"{{.*}}<flops = ?, read = {activation = 96}
    %8 = rl.norm "layer"(%x) : (!m) -> !m
    return
  }
}
