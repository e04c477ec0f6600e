// What the pass counts reaches the tools that collect remarks, with stock flags:
// in Debian's own mlir-opt, which loaded the plugin.
//
// By hand: a matmul of 8x16 by 16x32 does 2·8·16·32 = 8192 FLOPs and writes
// 8·32·4 = 1024 bytes.
//
// REQUIRES: plugin
// RUN: %mlir-opt %s --load-pass-plugin=%plugin --pass-pipeline='builtin.module(rl-count-cost)' --remarks-filter=roofline --remark-format=yaml --remarks-output-file=%t.yaml -o /dev/null
// RUN: FileCheck %s < %t.yaml

// CHECK:      --- !Analysis
// CHECK-NEXT: Pass: roofline
// CHECK-NEXT: Name: Work
// CHECK:      Function: main
// CHECK:      Flops: '8192'
// CHECK:      BytesWritten: '1024'
func.func @main(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>,
                %c: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>)
                     outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}
