// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// A fill that only starts accumulators is part of their kernels. A fill that
// anything reads is written.

module {
  func.func @fills(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %s: tensor<2x4xf32>) -> (tensor<1x4x16xf32>, tensor<4x16xf32>, tensor<4x8xf32>) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<1x4x16xf32>
    // Through a view.
    // CHECK: linalg.fill {{.*}}<flops = {}, read = {}, written = {}, launches = 0>
    %f0 = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
    %v = tensor.collapse_shape %f0 [[0, 1], [2]] : tensor<1x4x16xf32> into tensor<4x16xf32>
    // CHECK: linalg.matmul {{.*}}<flops = {matmul.f32 = 1024}, read = {activation = 640}, written = {activation = 256}, launches = 1>
    %m = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%v : tensor<4x16xf32>) -> tensor<4x16xf32>
    // Returned: 4·64.
    // CHECK: linalg.fill {{.*}}<flops = {}, read = {}, written = {activation = 256}, launches = 1>
    %f1 = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
    // Written into: the zeros are there first (128), then 32 bytes over them.
    // CHECK: linalg.fill {{.*}}<flops = {}, read = {}, written = {activation = 128}, launches = 1>
    // CHECK: tensor.insert_slice {{.*}}<flops = {}, read = {activation = 32}, written = {activation = 32}, launches = 1>
    %e2 = tensor.empty() : tensor<4x8xf32>
    %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %i = tensor.insert_slice %s into %f2[0, 0] [2, 4] [2, 2] : tensor<2x4xf32> into tensor<4x8xf32>
    return %f1, %m, %i : tensor<1x4x16xf32>, tensor<4x16xf32>, tensor<4x8xf32>
  }
}
