// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// n to m: n - m. Pooling counts the taps inside the input only.

module {
  func.func @reductions(%x: tensor<4x8xf32>, %img: tensor<1x4x4x2xf32>) {
    %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
    // CHECK: tosa.reduce_sum {{.*}}<flops = {vector.f32 = 28}, read = {activation = 128}, written = {activation = 16}, launches = 1>
    %0 = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
    // CHECK: tosa.argmax {{.*}}<flops = {vector.f32 = 28}, read = {activation = 128}, written = {activation = 16}, launches = 1>
    %1 = tosa.argmax %x {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4xi32>
    // 3x3 at stride 1 padded by 1: in 4 of a side 2 + 3 + 3 + 2 = 10 taps, so that
    // 10·10·2 = 200 taps, 32 outputs: 168 comparisons.
    // CHECK: tosa.max_pool2d {{.*}}<flops = {vector.f32 = 168}, read = {activation = 128}, written = {activation = 128}, launches = 1>
    %2 = tosa.max_pool2d %img {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    // The same taps: 168 additions, 32 divisions.
    // CHECK: tosa.avg_pool2d {{.*}}<flops = {vector.f32 = 168, special.f32 = 32}, read = {weight = 4, activation = 128}, written = {activation = 128}, launches = 1>
    %3 = tosa.avg_pool2d %img, %z, %z {acc_type = f32, kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
    return
  }
}
