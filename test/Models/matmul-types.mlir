// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// The compute class has the operands' type, not the accumulator's, and the
// wider of the two; an accumulator that holds data is read.

// 2·4·8·16 = 1024 FLOPs each.
module {
  func.func @types(%a: tensor<4x8xbf16>, %b: tensor<8x16xbf16>, %c: tensor<4x16xf32>,
                   %p: tensor<4x8xi8>, %q: tensor<8x16xi8>, %r: tensor<4x16xi32>,
                   %u: tensor<4x8xf16>, %v: tensor<8x16xf32>)
      -> (tensor<4x16xf32>, tensor<4x16xi32>, tensor<4x16xf32>) {
    // bf16 into f32: reads 2·(32 + 128) + 4·64 = 576, writes 4·64 = 256.
    // CHECK: linalg.matmul {{.*}}<flops = {matmul.bf16 = 1024}, read = {activation = 576}, written = {activation = 256}, launches = 1>
    %0 = linalg.matmul ins(%a, %b : tensor<4x8xbf16>, tensor<8x16xbf16>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
    // i8 into i32: reads 32 + 128 + 256 = 416.
    // CHECK: linalg.matmul {{.*}}<flops = {matmul.i8 = 1024}, read = {activation = 416}, written = {activation = 256}, launches = 1>
    %1 = linalg.matmul ins(%p, %q : tensor<4x8xi8>, tensor<8x16xi8>) outs(%r : tensor<4x16xi32>) -> tensor<4x16xi32>
    // f16 times f32 computes in f32: reads 64 + 512 + 256 = 832.
    // CHECK: linalg.matmul {{.*}}<flops = {matmul.f32 = 1024}, read = {activation = 832}, written = {activation = 256}, launches = 1>
    %2 = linalg.matmul ins(%u, %v : tensor<4x8xf16>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
    return %0, %1, %2 : tensor<4x16xf32>, tensor<4x16xi32>, tensor<4x16xf32>
  }
}
