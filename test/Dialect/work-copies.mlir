// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// Views move nothing and start no kernel, constants cost their readers. 4x6 f32 is
// 96 bytes: a transpose reads and writes it, a slice and a split read what they
// keep, a concat of it with itself reads it once, a pad reads its input.

!m = tensor<4x6xf32>
module {
  func.func @main(%x: !m, %s: tensor<2x3xf32>, %str: tensor<3x!rl.string>) {
    // CHECK: rl.fill {{.*}}<flops = {}, read = {}, written = {}, launches = 0>
    %f = rl.fill : !m
    // CHECK: rl.view "reshape"{{.*}}<flops = {}, read = {}, written = {}, launches = 0>
    %0 = rl.view "reshape"(%x) : (!m) -> tensor<24xf32>
    // CHECK: rl.copy "transpose"{{.*}}<flops = {}, read = {activation = 96}, written = {activation = 96}, launches = 1>
    %1 = rl.copy "transpose"(%x) permutation [1, 0] : (!m) -> tensor<6x4xf32>
    // CHECK: rl.copy "slice"{{.*}}<flops = {}, read = {activation = 32}, written = {activation = 32}, launches = 1>
    %2 = rl.copy "slice"(%x) picks : (!m) -> tensor<4x2xf32>
    // CHECK: rl.copy "split"{{.*}}<flops = {}, read = {activation = 96}, written = {activation = 96}
    %3:2 = rl.copy "split"(%x) picks : (!m) -> (tensor<4x2xf32>, tensor<4x4xf32>)
    // CHECK: rl.copy "concat"{{.*}}<flops = {}, read = {activation = 96}, written = {activation = 192}
    %4 = rl.copy "concat"(%x, %x) axis 0 : (!m, !m) -> tensor<8x6xf32>
    // CHECK: rl.copy "pad"{{.*}}<flops = {}, read = {activation = 24}, written = {activation = 80}
    %5 = rl.copy "pad"(%s) : (tensor<2x3xf32>) -> tensor<4x5xf32>
    // A constant is a weight to who reads it, and so is what is made of it.
    // CHECK: rl.copy "tile"{{.*}}<flops = {}, read = {weight = 96}, written = {weight = 192}
    %6 = rl.copy "tile"(%f) : (!m) -> tensor<8x6xf32>
    // Strings have bytes that nobody knows, and so have sequences.
    // CHECK: rl.copy "transpose"{{.*}}<flops = {}, read = {activation = ?}, written = {activation = ?}
    %7 = rl.copy "transpose"(%str) permutation [0] : (tensor<3x!rl.string>) -> tensor<3x!rl.string>
    // CHECK: rl.sequence "construct"{{.*}}<flops = {}, read = {activation = 96}, written = {activation = ?}
    %8 = rl.sequence "construct"(%x) : (!m) -> !rl.sequence<!m>
    // A range is 2 operations an element, at its own type.
    // CHECK: rl.generate "range"{{.*}}<flops = {vector.i64 = 10}, read = {}, written = {activation = 40}, launches = 1>
    %9 = rl.generate "range"() body <vector = 2> : () -> tensor<5xi64>
    return
  }
}
