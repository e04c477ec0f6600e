// The same on linalg, tosa and arith: roles by name, and for linalg's generic
// forms by their indexing maps.
//
// RUN: rl-opt %s --split-input-file --rl-mark-fusion='device=a100-80gb' \
// RUN:   | FileCheck %s

// A product, a bias and a relu as generic ops. x and w 64x64 f32, T = 16384
// bytes a tensor, the bias 256. The product's result is written over a fill.
//
// CHECK-LABEL: func.func @generic
// CHECK-SAME: kind = "epilogue", ops = ["mm", "bias", "relu"]
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#col = affine_map<(d0, d1) -> (d1, d0)>
func.func @generic(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %b: tensor<64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32> loc("mm")
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0, %b : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32> loc("bias")
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%1 : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.maximumf %p, %zero : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32> loc("relu")
  return %2 : tensor<64x64xf32>
}

// -----

// A generic op that reads its operand transposed takes no producer in.
//
// CHECK-LABEL: func.func @transposed_read
// CHECK-SAME: rl.fusion_groups = []
#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1, d0)>
func.func @transposed_read(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.exp ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.generic {indexing_maps = [#col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.negf %p : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

// -----

// A generic reduction with the elementwise op before it.
//
// CHECK-LABEL: func.func @generic_reduction
// CHECK-SAME: kind = "reduction", ops = ["exp", "sum"]
#id = affine_map<(d0, d1) -> (d0, d1)>
#first = affine_map<(d0, d1) -> (d0)>
func.func @generic_reduction(%x: tensor<64x64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %er = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%er : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.exp ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32> loc("exp")
  %1 = linalg.generic {indexing_maps = [#id, #first], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<64x64xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<64xf32> loc("sum")
  return %1 : tensor<64xf32>
}

// -----

// arith and math on tensors: T = 1024 bytes, unfused 3T + 2T, fused 2T + T.
//
// CHECK-LABEL: func.func @arith
// CHECK-SAME: bytes_after = 3072 : i64, bytes_before = 5120 : i64
func.func @arith(%x: tensor<256xf32>, %y: tensor<256xf32>) -> tensor<256xf32> {
  %0 = arith.addf %x, %y : tensor<256xf32>
  %1 = math.exp %0 : tensor<256xf32>
  return %1 : tensor<256xf32>
}

// -----

// tosa, with a reshape between: T = 1024 bytes, unfused 3T + 2T, fused 2T + T.
//
// CHECK-LABEL: func.func @tosa
// CHECK-SAME: bytes_after = 3072 : i64, bytes_before = 5120 : i64
// CHECK-SAME: kind = "elementwise"
func.func @tosa(%x: tensor<4x64xf32>, %y: tensor<4x64xf32>) -> tensor<256xf32> {
  %shape = tosa.const_shape {values = dense<[256]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %0 = tosa.add %x, %y : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  %1 = tosa.reshape %0, %shape : (tensor<4x64xf32>, !tosa.shape<1>) -> tensor<256xf32>
  %2 = tosa.tanh %1 : (tensor<256xf32>) -> tensor<256xf32>
  return %2 : tensor<256xf32>
}
