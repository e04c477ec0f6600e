// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// 2 FLOPs a multiply-add, at the operands' type; each operand is read once, the
// result written once; an accumulator that starts as a fill isn't read, and the
// fill itself is part of the product's kernel.

// f16, 512x4096 by 4096x1024:
//   FLOPs    2·512·4096·1024 = 4294967296
//   weight   2·4096·1024 = 8388608
//   read     2·512·4096 = 4194304, written 2·512·1024 = 1048576
// CHECK-LABEL: @linear
// CHECK: linalg.fill {{.*}}<flops = {}, read = {}, written = {}, launches = 0>
// CHECK: linalg.matmul {{.*}}<flops = {matmul.f16 = 4294967296}, read = {weight = 8388608, activation = 4194304}, written = {activation = 1048576}, launches = 1>
module {
  func.func @linear(%x: tensor<512x4096xf16>) -> tensor<512x1024xf16> {
    %zero = arith.constant 0.0 : f16
    %w = arith.constant dense_resource<w> : tensor<4096x1024xf16>
    %empty = tensor.empty() : tensor<512x1024xf16>
    %init = linalg.fill ins(%zero : f16) outs(%empty : tensor<512x1024xf16>) -> tensor<512x1024xf16>
    %y = linalg.matmul ins(%x, %w : tensor<512x4096xf16>, tensor<4096x1024xf16>) outs(%init : tensor<512x1024xf16>) -> tensor<512x1024xf16>
    return %y : tensor<512x1024xf16>
  }
}
