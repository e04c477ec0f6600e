// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// tosa's convolutions: N x H x W x C, a bias of one addition an output. A bias
// of zeros is none: it is neither added nor read.

module {
  func.func @convs(%x: tensor<1x8x8x4xf32>) {
    %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
    %w = "tosa.const"() <{values = dense_resource<w> : tensor<16x3x3x4xf32>}> : () -> tensor<16x3x3x4xf32>
    %b = "tosa.const"() <{values = dense_resource<b> : tensor<16xf32>}> : () -> tensor<16xf32>
    %none = "tosa.const"() <{values = dense<0.0> : tensor<16xf32>}> : () -> tensor<16xf32>
    // 2·(8·8·16)·(3·3·4) = 73728, 1024 for the bias. Weights 4·(576 + 16) and a
    // zero point of 4; input 4·256, output 4·1024.
    // CHECK: tosa.conv2d {{.*}}<flops = {matmul.f32 = 73728, vector.f32 = 1024}, read = {weight = 2372, activation = 1024}, written = {activation = 4096}, launches = 1>
    %0 = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<16x3x3x4xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x16xf32>
    // CHECK: tosa.conv2d {{.*}}<flops = {matmul.f32 = 73728}, read = {weight = 2308, activation = 1024}, written = {activation = 4096}, launches = 1>
    %1 = tosa.conv2d %x, %w, %none, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<16x3x3x4xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x16xf32>
    // Depthwise, 4 channels times 4: 2·(8·8·16)·(3·3) = 18432.
    // CHECK: tosa.depthwise_conv2d {{.*}}<flops = {matmul.f32 = 18432, vector.f32 = 1024}, read = {weight = 644, activation = 1024}, written = {activation = 4096}, launches = 1>
    %dw = "tosa.const"() <{values = dense_resource<dw> : tensor<3x3x4x4xf32>}> : () -> tensor<3x3x4x4xf32>
    %2 = tosa.depthwise_conv2d %x, %dw, %b, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x16xf32>
    // Transposed at stride 2: each of 8·8·4 inputs goes to 2·2·16 places:
    // 2·256·64 = 32768, bias 16·16·16 = 4096.
    // CHECK: tosa.transpose_conv2d {{.*}}<flops = {matmul.f32 = 32768, vector.f32 = 4096}, read = {weight = 1092, activation = 1024}, written = {activation = 16384}, launches = 1>
    %tw = "tosa.const"() <{values = dense_resource<tw> : tensor<16x2x2x4xf32>}> : () -> tensor<16x2x2x4xf32>
    %3 = tosa.transpose_conv2d %x, %tw, %b, %zp, %zp {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x4xf32>, tensor<16x2x2x4xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16x16xf32>
    return
  }
}
