// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// A dynamic batch follows through reshapes with -1, broadcasts, transposes,
// convolutions.

module {
  func.func @dynamic(%x: tensor<?x8xf32>, %w: tensor<1x8x16xf32>, %b: tensor<1x16xf32>, %img: tensor<?x?x8x4xf32>) {
    %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
    %s3 = tosa.const_shape {values = dense<[1, -1, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %s2 = tosa.const_shape {values = dense<[-1, 16]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %0 = tosa.reshape %x, %s3 : (tensor<?x8xf32>, !tosa.shape<3>) -> tensor<1x?x8xf32>
    // CHECK: tosa.matmul {{.*}}<flops = {matmul.f32 = "256*arg0[0]"}
    %1 = tosa.matmul %0, %w, %z, %z : (tensor<1x?x8xf32>, tensor<1x8x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x16xf32>
    %2 = tosa.reshape %1, %s2 : (tensor<1x?x16xf32>, !tosa.shape<2>) -> tensor<?x16xf32>
    // CHECK: tosa.add {{.*}}<flops = {vector.f32 = "16*arg0[0]"}, read = {activation = "64*arg0[0] + 64"}, written = {activation = "64*arg0[0]"}, launches = 1>
    %3 = tosa.add %2, %b : (tensor<?x16xf32>, tensor<1x16xf32>) -> tensor<?x16xf32>
    // CHECK: tosa.reduce_max {{.*}}<flops = {vector.f32 = "15*arg0[0]"}
    %4 = tosa.reduce_max %3 {axis = 1 : i32} : (tensor<?x16xf32>) -> tensor<?x1xf32>
    // Height ⌊(h + 1 - 3) / 2⌋ + 1 = ⌊h / 2⌋, width 4:
    // 2·(n·⌊h/2⌋·4·16)·(3·3·4) = 4608·n·⌊h/2⌋.
    // CHECK: tosa.conv2d {{.*}}<flops = {matmul.f32 = "4608*arg3[0]*floordiv(arg3[1], 2)"}
    %cw = "tosa.const"() <{values = dense_resource<w> : tensor<16x3x3x4xf32>}> : () -> tensor<16x3x3x4xf32>
    %none = "tosa.const"() <{values = dense<0.0> : tensor<16xf32>}> : () -> tensor<16xf32>
    %5 = tosa.conv2d %img, %cw, %none, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>} : (tensor<?x?x8x4xf32>, tensor<16x3x3x4xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x4x16xf32>
    return
  }
}
