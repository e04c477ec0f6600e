// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// An 8-bit layer: convolution into 32 bits, rescaling back, a table.

module {
  func.func @layer(%x: tensor<1x4x4x8xi8>) -> tensor<1x4x4x16xi8> {
    %zx = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
    %zw = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %zy = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
    %w = "tosa.const"() <{values = dense_resource<w> : tensor<16x1x1x8xi8>}> : () -> tensor<16x1x1x8xi8>
    %b = "tosa.const"() <{values = dense_resource<b> : tensor<16xi32>}> : () -> tensor<16xi32>
    %m = "tosa.const"() <{values = dense_resource<m> : tensor<16xi32>}> : () -> tensor<16xi32>
    %s = "tosa.const"() <{values = dense_resource<s> : tensor<16xi8>}> : () -> tensor<16xi8>
    %t = "tosa.const"() <{values = dense_resource<t> : tensor<256xi8>}> : () -> tensor<256xi8>
    // 2·256·8 = 4096 at i8, the input's zero point 128 times, the bias 256 times
    // in i32. Weights 128 + 64 and two zero points.
    // CHECK: tosa.conv2d {{.*}}<flops = {matmul.i8 = 4096, vector.i8 = 128, vector.i32 = 256}, read = {weight = 194, activation = 128}, written = {activation = 1024}, launches = 1>
    %0 = tosa.conv2d %x, %w, %b, %zx, %zw {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x8xi8>, tensor<16x1x1x8xi8>, tensor<16xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x16xi32>
    // Multiply, round, shift and the result's zero point: 4·256, in i32. Scales
    // 64 + 16, zero points 4 + 1.
    // CHECK: tosa.rescale {{.*}}<flops = {vector.i32 = 1024}, read = {weight = 85, activation = 1024}, written = {activation = 256}, launches = 1>
    %1 = tosa.rescale %0, %m, %s, %z32, %zy {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<1x4x4x16xi32>, tensor<16xi32>, tensor<16xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x16xi8>
    // CHECK: tosa.table {{.*}}<flops = {}, read = {weight = 256, activation = 256}, written = {activation = 256}, launches = 1>
    %2 = tosa.table %1, %t : (tensor<1x4x4x16xi8>, tensor<256xi8>) -> tensor<1x4x4x16xi8>
    return %2 : tensor<1x4x4x16xi8>
  }
}
