// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// A zero point is subtracted from each element of its operand once; one that is
// 0 is no work.

// 2·4·16·8 = 1024 at i8. %a has 32 elements and a zero point of 3; %b's is 0.
// Reads 32 + 128 + 256 = 416.
// CHECK: linalg.quantized_matmul {{.*}}<flops = {matmul.i8 = 1024, vector.i32 = 32}, read = {activation = 416}, written = {activation = 256}, launches = 1>
module {
  func.func @quantized(%a: tensor<4x8xi8>, %b: tensor<8x16xi8>, %c: tensor<4x16xi32>) -> tensor<4x16xi32> {
    %three = arith.constant 3 : i32
    %zero = arith.constant 0 : i32
    %0 = linalg.quantized_matmul ins(%a, %b, %three, %zero : tensor<4x8xi8>, tensor<8x16xi8>, i32, i32) outs(%c : tensor<4x16xi32>) -> tensor<4x16xi32>
    return %0 : tensor<4x16xi32>
  }
}
