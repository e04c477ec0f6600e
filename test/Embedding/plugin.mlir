// Debian's own mlir-opt loads the plugin and counts linalg IR with it.
//
// By hand: a matmul of 8x16 by 16x32 does 2·8·16·32 = 8192 FLOPs.
//
// REQUIRES: plugin
// RUN: %mlir-opt %s --load-pass-plugin=%plugin --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(rl-count-cost)' | FileCheck %s

func.func @main(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>,
                %c: tensor<8x32xf32>) -> tensor<8x32xf32> {
  // CHECK: linalg.matmul
  // CHECK-SAME: rl.work = {{.*}}8192
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>)
                     outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}
