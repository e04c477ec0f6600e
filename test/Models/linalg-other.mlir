// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// linalg's ops without a body.

module {
  func.func @others(%x: tensor<4x8xf32>, %img: tensor<2x6x6x5xf32>, %ker: tensor<2x3x3x5xf32>, %val: tensor<6x6x1x1x2x2xf32>) {
    %zero = arith.constant 0.0 : f32
    // 4 rows of 8: max 7, subtract 8, sum 7 in vector; exp 8, divide 8 in special.
    // CHECK: linalg.softmax {{.*}}<flops = {vector.f32 = 88, special.f32 = 64}, read = {activation = 128}, written = {activation = 128}, launches = 1>
    %e = tensor.empty() : tensor<4x8xf32>
    %0 = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    // Into tiles of 3x4, padded: 4·2·2·3·4 = 192 bytes.
    // CHECK: linalg.pack {{.*}}<flops = {}, read = {activation = 128}, written = {activation = 192}, launches = 1>
    %p = tensor.empty() : tensor<2x2x3x4xf32>
    %1 = linalg.pack %x padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [3, 4] into %p : tensor<4x8xf32> -> tensor<2x2x3x4xf32>
    // CHECK: linalg.unpack {{.*}}<flops = {}, read = {activation = 192}, written = {activation = 128}, launches = 1>
    %2 = linalg.unpack %1 inner_dims_pos = [0, 1] inner_tiles = [3, 4] into %e : tensor<2x2x3x4xf32> -> tensor<4x8xf32>
    // F(4, 3), tiles of 6: G·g·Gᵀ takes 2·6·3·3 + 2·6·3·6 = 324, for 2·5 kernels.
    // CHECK: linalg.winograd_filter_transform {{.*}}<flops = {matmul.f32 = 3240}, read = {activation = 360}, written = {activation = 1440}, launches = 1>
    %f = tensor.empty() : tensor<6x6x5x2xf32>
    %3 = linalg.winograd_filter_transform fmr(F_4_3) ins(%ker : tensor<2x3x3x5xf32>) outs(%f : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
    // Bᵀ·d·B: 2·(2·6·6·6) = 864, for 2·5 tiles.
    // CHECK: linalg.winograd_input_transform {{.*}}<flops = {matmul.f32 = 8640}, read = {activation = 1440}, written = {activation = 1440}, launches = 1>
    %i = tensor.empty() : tensor<6x6x1x1x2x5xf32>
    %4 = linalg.winograd_input_transform fmr(F_4_3) ins(%img : tensor<2x6x6x5xf32>) outs(%i : tensor<6x6x1x1x2x5xf32>) -> tensor<6x6x1x1x2x5xf32>
    // Aᵀ·y·A: 2·4·6·6 + 2·4·6·4 = 480, for 2·2 tiles.
    // CHECK: linalg.winograd_output_transform {{.*}}<flops = {matmul.f32 = 1920}, read = {activation = 576}, written = {activation = 256}, launches = 1>
    %o = tensor.empty() : tensor<2x4x4x2xf32>
    %5 = linalg.winograd_output_transform fmr(F_4_3) ins(%val : tensor<6x6x1x1x2x2xf32>) outs(%o : tensor<2x4x4x2xf32>) -> tensor<2x4x4x2xf32>
    return
  }
}
