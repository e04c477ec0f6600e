// RUN: rl-opt %s | rl-opt | FileCheck %s
// RUN: rl-opt %s --emit-bytecode -o %t.mlirbc && rl-opt %t.mlirbc | FileCheck %s

// CHECK-LABEL: func.func @conv
func.func @conv(%x: tensor<1x4x10x10xf32>, %w: tensor<6x2x3x3xf32>, %b: tensor<6xf32>, %t: tensor<4x3x2x2xf32>) {
  // CHECK: rl.conv(%arg0, %arg1) aux(%arg2) strides [2, 2] pads [1, 1, 1, 1] dilations [1, 1] epilogue <vector = 1> {group = 2 : i64} : (tensor<1x4x10x10xf32>, tensor<6x2x3x3xf32>, tensor<6xf32>) -> tensor<1x6x5x5xf32>
  %0 = rl.conv(%x, %w) aux(%b) strides [2, 2] pads [1, 1, 1, 1] dilations [1, 1] epilogue <vector = 1> {group = 2 : i64} : (tensor<1x4x10x10xf32>, tensor<6x2x3x3xf32>, tensor<6xf32>) -> tensor<1x6x5x5xf32>
  // CHECK: rl.conv transposed(%arg0, %arg3) strides [2, 2] pads [0, 0, 0, 0] dilations [1, 1] : (tensor<1x4x10x10xf32>, tensor<4x3x2x2xf32>) -> tensor<1x3x20x20xf32>
  %1 = rl.conv transposed(%x, %t) strides [2, 2] pads [0, 0, 0, 0] dilations [1, 1] : (tensor<1x4x10x10xf32>, tensor<4x3x2x2xf32>) -> tensor<1x3x20x20xf32>
  return
}
