// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// A window of k taps takes k - 1 operations where it starts from a constant, k
// where it starts from data. The window operand is only a shape: it isn't read.

module {
  func.func @pool(%x: tensor<1x4x8x8xf32>, %acc: tensor<1x4x4x4xf32>) {
    %low = arith.constant 0xFF800000 : f32
    %window = tensor.empty() : tensor<2x2xf32>
    %e = tensor.empty() : tensor<1x4x4x4xf32>
    %init = linalg.fill ins(%low : f32) outs(%e : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    // 64 outputs of 4 taps: 64·3 = 192; reads 4·256.
    // CHECK: linalg.pooling_nchw_max {{.*}}<flops = {vector.f32 = 192}, read = {activation = 1024}, written = {activation = 256}, launches = 1>
    %0 = linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>} ins(%x, %window : tensor<1x4x8x8xf32>, tensor<2x2xf32>) outs(%init : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    // 64·4 = 256; reads 1024 + 256.
    // CHECK: linalg.pooling_nchw_sum {{.*}}<flops = {vector.f32 = 256}, read = {activation = 1280}, written = {activation = 256}, launches = 1>
    %1 = linalg.pooling_nchw_sum {strides = dense<2> : vector<2xi64>} ins(%x, %window : tensor<1x4x8x8xf32>, tensor<2x2xf32>) outs(%acc : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    return
  }
}
