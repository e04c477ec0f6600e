// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// The same bytes under another shape, and picks that their readers pay for.

// CHECK-COUNT-6: <flops = {}, read = {}, written = {}, launches = 0>
// CHECK-NOT: #rl.work
module {
  func.func @views(%x: tensor<4x8xf32>) -> (tensor<2x2x8xf32>, tensor<32xf32>, tensor<?x8xf32>, tensor<2x8xf32>, tensor<8x4xf32>, tensor<4x8xi32>) {
    %shape = arith.constant dense<[8, 4]> : tensor<2xi64>
    %0 = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 2, 8] : tensor<4x8xf32> into tensor<2x2x8xf32>
    %1 = tensor.collapse_shape %x [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
    %2 = tensor.cast %x : tensor<4x8xf32> to tensor<?x8xf32>
    %3 = tensor.extract_slice %x[1, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
    %4 = tensor.reshape %x(%shape) : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<8x4xf32>
    %5 = tensor.bitcast %x : tensor<4x8xf32> to tensor<4x8xi32>
    return %0, %1, %2, %3, %4, %5 : tensor<2x2x8xf32>, tensor<32xf32>, tensor<?x8xf32>, tensor<2x8xf32>, tensor<8x4xf32>, tensor<4x8xi32>
  }
}
