// RUN: rl-opt %s | rl-opt | FileCheck %s
// RUN: rl-opt %s --emit-bytecode -o %t.mlirbc && rl-opt %t.mlirbc | FileCheck %s

// CHECK-LABEL: func.func @attention
func.func @attention(%q: tensor<2x4x8x32xf16>, %k: tensor<2x2x16x32xf16>, %v: tensor<2x2x16x64xf16>, %m: tensor<8x16xf16>) {
  // CHECK: rl.attention(%arg0, %arg1, %arg2) extents <[2, 4, 2, 8, 16, 32, 64]> : (tensor<2x4x8x32xf16>, tensor<2x2x16x32xf16>, tensor<2x2x16x64xf16>) -> tensor<2x4x8x64xf16>
  %0 = rl.attention(%q, %k, %v) extents <[2, 4, 2, 8, 16, 32, 64]> : (tensor<2x4x8x32xf16>, tensor<2x2x16x32xf16>, tensor<2x2x16x64xf16>) -> tensor<2x4x8x64xf16>
  // CHECK: rl.attention(%arg0, %arg1, %arg2, %arg3) extents <["batch", 4, 2, 8, ?, 32, 64]> projection <[16, 256, 384]> causal masked softcap epilogue <vector = 1> {cache_operands = array<i64: 1, 2>, cache_results = array<i64: 1>} :
  %1:2 = rl.attention(%q, %k, %v, %m) extents <["batch", 4, 2, 8, ?, 32, 64]> projection <[16, 256, 384]> causal masked softcap epilogue <vector = 1> {cache_operands = array<i64: 1, 2>, cache_results = array<i64: 1>} : (tensor<2x4x8x32xf16>, tensor<2x2x16x32xf16>, tensor<2x2x16x64xf16>, tensor<8x16xf16>) -> (tensor<2x4x8x64xf16>, tensor<2x2x16x32xf16>)
  return
}

// CHECK-LABEL: func.func @recurrent
func.func @recurrent(%x: tensor<5x2x3xf32>, %w: tensor<1x16x3xf32>, %r: tensor<1x16x4xf32>) {
  // CHECK: rl.recurrent "lstm"(%arg0, %arg1, %arg2) extents <[5, 2, 3, 4, 1]> bias peephole : (tensor<5x2x3xf32>, tensor<1x16x3xf32>, tensor<1x16x4xf32>) -> tensor<5x1x2x4xf32>
  %0 = rl.recurrent "lstm"(%x, %w, %r) extents <[5, 2, 3, 4, 1]> bias peephole : (tensor<5x2x3xf32>, tensor<1x16x3xf32>, tensor<1x16x4xf32>) -> tensor<5x1x2x4xf32>
  // CHECK: rl.recurrent "rnn"(%arg0, %arg1, %arg2) extents <["steps", 2, 3, 16, 1]> :
  %1 = rl.recurrent "rnn"(%x, %w, %r) extents <["steps", 2, 3, 16, 1]> : (tensor<5x2x3xf32>, tensor<1x16x3xf32>, tensor<1x16x4xf32>) -> tensor<5x1x2x16xf32>
  return
}
