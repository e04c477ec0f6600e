// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// One operation an element of the result; a broadcast operand is read at its own
// size.

module {
  func.func @ops(%x: tensor<4x8xf32>, %r: tensor<1x8xf32>) {
    %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    // CHECK: tosa.add {{.*}}<flops = {vector.f32 = 32}, read = {activation = 160}, written = {activation = 128}, launches = 1>
    %0 = tosa.add %x, %r : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
    // The shift is an operand of one byte.
    // CHECK: tosa.mul {{.*}}<flops = {vector.f32 = 32}, read = {weight = 1, activation = 128}, written = {activation = 128}, launches = 1>
    %1 = tosa.mul %x, %x, %z : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<1xi8>) -> tensor<4x8xf32>
    // CHECK: tosa.exp {{.*}}<flops = {special.f32 = 32}
    %2 = tosa.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    // exp, add, divide.
    // CHECK: tosa.sigmoid {{.*}}<flops = {vector.f32 = 32, special.f32 = 64}
    %3 = tosa.sigmoid %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    // One bound that binds, then two.
    // CHECK: tosa.clamp {{.*}}<flops = {vector.f32 = 32}
    %4 = tosa.clamp %x {min_val = 0.0 : f32, max_val = 3.40282347E+38 : f32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    // CHECK: tosa.clamp {{.*}}<flops = {vector.f32 = 64}
    %5 = tosa.clamp %x {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    // CHECK: tosa.greater {{.*}}<flops = {vector.f32 = 32}, read = {activation = 160}, written = {activation = 32}, launches = 1>
    %6 = tosa.greater %x, %r : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xi1>
    // CHECK: tosa.cast {{.*}}<flops = {vector.f32 = 32}, read = {activation = 128}, written = {activation = 64}, launches = 1>
    %7 = tosa.cast %x : (tensor<4x8xf32>) -> tensor<4x8xf16>
    return
  }
}
