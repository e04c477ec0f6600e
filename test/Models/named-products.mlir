// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// Every named product of linalg: 2 FLOPs for each point of its loops.

module {
  func.func @products(%a: tensor<2x4x8xf32>, %b: tensor<2x8x16xf32>, %c: tensor<2x4x16xf32>,
                      %m: tensor<4x8xf32>, %v: tensor<8xf32>, %w: tensor<4xf32>, %s: tensor<f32>,
                      %l: tensor<2x3x8x1xf32>, %r: tensor<4x3x8x1xf32>, %t: tensor<2x4x8x8xf32>) {
    // 2·2·4·8·16 = 2048; reads 4·(64 + 256 + 128) = 1792, writes 512.
    // CHECK: linalg.batch_matmul {{.*}}<flops = {matmul.f32 = 2048}, read = {activation = 1792}, written = {activation = 512}, launches = 1>
    %0 = linalg.batch_matmul ins(%a, %b : tensor<2x4x8xf32>, tensor<2x8x16xf32>) outs(%c : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    // 2·4·8 = 64; reads 4·(32 + 8 + 4) = 176.
    // CHECK: linalg.matvec {{.*}}<flops = {matmul.f32 = 64}, read = {activation = 176}, written = {activation = 16}, launches = 1>
    %1 = linalg.matvec ins(%m, %v : tensor<4x8xf32>, tensor<8xf32>) outs(%w : tensor<4xf32>) -> tensor<4xf32>
    // 2·8 = 16. One tensor twice is read once: 32 + 4.
    // CHECK: linalg.dot {{.*}}<flops = {{.*}} = 16}, read = {activation = 36}, written = {activation = 4}, launches = 1>
    %2 = linalg.dot ins(%v, %v : tensor<8xf32>, tensor<8xf32>) outs(%s : tensor<f32>) -> tensor<f32>
    // 2·(2·4)·(3)·(8·8)·(1) = 3072; reads 4·(48 + 96 + 512) = 2624.
    // CHECK: linalg.mmt4d {{.*}}<flops = {matmul.f32 = 3072}, read = {activation = 2624}, written = {activation = 2048}, launches = 1>
    %3 = linalg.mmt4d ins(%l, %r : tensor<2x3x8x1xf32>, tensor<4x3x8x1xf32>) outs(%t : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    return
  }
}
