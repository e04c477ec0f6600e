// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// Copies read their sources and write their results; picks read what they keep;
// a shape operand is no data.

module {
  func.func @moves(%x: tensor<4x8xf32>, %table: tensor<1x100x8xf32>, %ids: tensor<1x3xi32>, %img: tensor<1x2x2x3xf32>) {
    %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
    // CHECK: tosa.transpose {{.*}}<flops = {}, read = {activation = 128}, written = {activation = 128}, launches = 1>
    %0 = tosa.transpose %x {perms = array<i32: 1, 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
    // CHECK: tosa.reshape {{.*}}<flops = {}, read = {}, written = {}, launches = 0>
    %s = tosa.const_shape {values = dense<[2, 16]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %1 = tosa.reshape %x, %s : (tensor<4x8xf32>, !tosa.shape<2>) -> tensor<2x16xf32>
    // CHECK: tosa.slice {{.*}}<flops = {}, read = {activation = 64}, written = {activation = 64}, launches = 1>
    %at = tosa.const_shape {values = dense<[1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %size = tosa.const_shape {values = dense<[2, 8]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %2 = tosa.slice %x, %at, %size : (tensor<4x8xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x8xf32>
    // CHECK: tosa.pad {{.*}}<flops = {}, read = {weight = 4, activation = 128}, written = {activation = 240}, launches = 1>
    %pads = tosa.const_shape {values = dense<1> : tensor<4xindex>} : () -> !tosa.shape<4>
    %3 = tosa.pad %x, %pads, %z : (tensor<4x8xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<6x10xf32>
    // CHECK: tosa.concat {{.*}}<flops = {}, read = {activation = 192}, written = {activation = 192}, launches = 1>
    %4 = tosa.concat %x, %2 {axis = 0 : i32} : (tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<6x8xf32>
    // 3 rows of 32 bytes and 3 indices of 4.
    // CHECK: tosa.gather {{.*}}<flops = {}, read = {activation = 108}, written = {activation = 96}, launches = 1>
    %5 = tosa.gather %table, %ids : (tensor<1x100x8xf32>, tensor<1x3xi32>) -> tensor<1x3x8xf32>
    // Linear over two axes: 8 for each of 3·3·3.
    // CHECK: tosa.resize {{.*}}<flops = {vector.f32 = 216}, read = {activation = 48}, written = {activation = 108}, launches = 1>
    %scale = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %off = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
    %6 = tosa.resize %img, %scale, %off, %off {mode = BILINEAR} : (tensor<1x2x2x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x3x3x3xf32>
    return
  }
}
