// What a group can absorb besides elementwise ops: one contraction, softmax,
// norm or reduction.
//
// RUN: rl-opt %s --split-input-file --rl-mark-fusion='device=a100-80gb' \
// RUN:   | FileCheck %s

// The epilogue of a contraction. x 256x512 f16 = 262144 bytes, w 512x1024 =
// 1048576, the product T = 256·1024·2 = 524288, the bias 2048.
//   unfused: (262144 + 1048576 + T) + (T + 2048 + T) + (T + T) = 3934208
//   fused:   262144 + 1048576 + 2048 + T = 1837056; saved: 4T = 2097152
//
// CHECK-LABEL: func.func @epilogue
// CHECK-SAME: bytes_after = 1837056 : i64, bytes_before = 3934208 : i64, bytes_saved = 2097152 : i64
// CHECK-SAME: kind = "epilogue", ops = ["mm", "%0", "%1"]
func.func @epilogue(%x: tensor<256x512xf16>, %w: tensor<512x1024xf16>, %b: tensor<1024xf16>) -> tensor<256x1024xf16> {
  %0 = rl.contract "mk,kn->mn"(%x, %w) {rl.op_type = "MatMul"} : (tensor<256x512xf16>, tensor<512x1024xf16>) -> tensor<256x1024xf16> loc("mm")
  %1 = rl.map "add"(%0, %b) : (tensor<256x1024xf16>, tensor<1024xf16>) -> tensor<256x1024xf16>
  %2 = rl.map "gelu"(%1) : (tensor<256x1024xf16>) -> tensor<256x1024xf16>
  return %2 : tensor<256x1024xf16>
}

// -----

// What feeds a contraction isn't part of it, even where shapes agree and the
// result meets it again. 64x64 f16: T = 8192. The relu stays alone; the product
// and the add: unfused 3T + 3T, fused x', w in and the sum out = 3T = 24576.
//
// CHECK-LABEL: func.func @into_a_contraction
// CHECK-SAME: blocked_by = "MatMul 'mm' reads its operands tile by tile"
// CHECK-SAME: bytes_after = 24576 : i64, bytes_before = 49152 : i64
// CHECK-SAME: ops = ["mm", "%1"]
func.func @into_a_contraction(%x: tensor<64x64xf16>, %w: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = rl.map "relu"(%x) : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %1 = rl.contract "mk,kn->mn"(%0, %w) {rl.op_type = "MatMul"} : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16> loc("mm")
  %2 = rl.map "add"(%0, %1) : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  return %2 : tensor<64x64xf16>
}

// -----

// A group that ends at a contraction, 4096 wide: 2·4096·4096·4096 operations at
// 312 TFLOP/s take 440 us, its 3·33554432 bytes 49 us.
//
// CHECK-LABEL: func.func @compute_bound
// CHECK-SAME: blocked_by = "MatMul 'mm' is compute-bound"
// CHECK-SAME: ops = ["%0", "%1"]
func.func @compute_bound(%x: tensor<4096x4096xf16>, %w: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %0 = rl.map "relu"(%x) : (tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  %1 = rl.map "abs"(%0) : (tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  %2 = rl.contract "mk,kn->mn"(%1, %w) {rl.op_type = "MatMul"} : (tensor<4096x4096xf16>, tensor<4096x4096xf16>) -> tensor<4096x4096xf16> loc("mm")
  return %2 : tensor<4096x4096xf16>
}

// -----

// A convolution, batch norm and relu. x 1x16x32x32 f16 = 32768 bytes, w
// 32x16x3x3 = 9216, the result T = 1x32x32x32 = 65536, four vectors of 32 = 256.
//   unfused: (32768 + 9216 + T) + (T + 256 + T) + 2T = 369920
//   fused:   32768 + 9216 + 256 + T = 107776
//
// CHECK-LABEL: func.func @conv
// CHECK-SAME: bytes_after = 107776 : i64, bytes_before = 369920 : i64
// CHECK-SAME: kind = "epilogue", ops = ["conv", "%0", "%1"]
func.func @conv(%x: tensor<1x16x32x32xf16>, %w: tensor<32x16x3x3xf16>,
    %g: tensor<32xf16>, %b: tensor<32xf16>, %m: tensor<32xf16>, %v: tensor<32xf16>) -> tensor<1x32x32x32xf16> {
  %0 = rl.conv(%x, %w) strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1]
    {rl.op_type = "Conv"} : (tensor<1x16x32x32xf16>, tensor<32x16x3x3xf16>) -> tensor<1x32x32x32xf16> loc("conv")
  %1 = rl.norm "batch"(%0, %g, %b, %m, %v) scale shift
    : (tensor<1x32x32x32xf16>, tensor<32xf16>, tensor<32xf16>, tensor<32xf16>, tensor<32xf16>) -> tensor<1x32x32x32xf16>
  %2 = rl.map "relu"(%1) : (tensor<1x32x32x32xf16>) -> tensor<1x32x32x32xf16>
  return %2 : tensor<1x32x32x32xf16>
}

// -----

// Softmax with its scale and mask before it. The scores T = 12·128·128·2 =
// 393216, the mask 128·128·2 = 32768, the scale 2.
//   unfused: (T + 2 + T) + (T + 32768 + T) + 2T = 2392066
//   fused:   T + 2 + 32768 + T = 819202
//
// CHECK-LABEL: func.func @softmax
// CHECK-SAME: bytes_after = 819202 : i64, bytes_before = 2392066 : i64
// CHECK-SAME: kind = "softmax", ops = ["%0", "%1", "%2"]
func.func @softmax(%s: tensor<12x128x128xf16>, %c: tensor<f16>, %m: tensor<1x128x128xf16>) -> tensor<12x128x128xf16> {
  %0 = rl.map "mul"(%s, %c) : (tensor<12x128x128xf16>, tensor<f16>) -> tensor<12x128x128xf16>
  %1 = rl.map "add"(%0, %m) : (tensor<12x128x128xf16>, tensor<1x128x128xf16>) -> tensor<12x128x128xf16>
  %2 = rl.softmax "softmax"(%1) axis 2 : (tensor<12x128x128xf16>) -> tensor<12x128x128xf16>
  return %2 : tensor<12x128x128xf16>
}

// -----

// A residual and the layer norm after it; the sum is read again further on, so
// it is still written. T = 128·768·2 = 196608, scale and shift 1536 each.
//   the residual and the norm, unfused: 3T + (T + 3072 + T) = 986112
//   fused: x, y, scale and shift in, the sum and the norm out = 4T + 3072 = 789504
//
// CHECK-LABEL: func.func @layer_norm
// CHECK-SAME: blocked_by = "MatMul 'mm' reads its operands tile by tile"
// CHECK-SAME: bytes_after = 789504 : i64, bytes_before = 986112 : i64
// CHECK-SAME: kind = "norm", ops = ["%0", "%1"]
// The product and the second residual: (T + 768·768·2 + T) + 3T against
// T + 1179648 + T + T.
// CHECK-SAME: blocked_by = "rl.norm '%1' needs whole rows, MatMul 'mm' makes tiles"
// CHECK-SAME: bytes_after = 1769472 : i64, bytes_before = 2162688 : i64
// CHECK-SAME: kind = "epilogue", ops = ["mm", "%2"]
func.func @layer_norm(%x: tensor<128x768xf16>, %y: tensor<128x768xf16>, %g: tensor<768xf16>, %b: tensor<768xf16>,
    %w: tensor<768x768xf16>) -> tensor<128x768xf16> {
  %0 = rl.map "add"(%x, %y) : (tensor<128x768xf16>, tensor<128x768xf16>) -> tensor<128x768xf16>
  %1 = rl.norm "layer"(%0, %g, %b) row <[768]> scale shift
    : (tensor<128x768xf16>, tensor<768xf16>, tensor<768xf16>) -> tensor<128x768xf16>
  %2 = rl.contract "mk,kn->mn"(%1, %w) {rl.op_type = "MatMul"} : (tensor<128x768xf16>, tensor<768x768xf16>) -> tensor<128x768xf16> loc("mm")
  %3 = rl.map "add"(%0, %2) : (tensor<128x768xf16>, tensor<128x768xf16>) -> tensor<128x768xf16>
  return %3 : tensor<128x768xf16>
}

// -----

// A reduction takes what is before it and what follows on the reduced shape;
// the division by its result would read x once more. T = 8·128·2 = 2048, the
// reduced r = 8·2 = 16.
//   square, mean, sqrt, unfused: 2T + (T + r) + 2r = 6192
//   fused: x in, sqrt's result out = 2064
//   The division and the abs: (T + r + T) + 2T against T + r + T.
//
// CHECK-LABEL: func.func @reduction
// CHECK-SAME: blocked_by = "the shapes differ: 8x1 and 8x128"
// CHECK-SAME: bytes_after = 2064 : i64, bytes_before = 6192 : i64
// CHECK-SAME: kind = "reduction", ops = ["%0", "%1", "%2"]
// CHECK-SAME: bytes_after = 4112 : i64, bytes_before = 8208 : i64
// CHECK-SAME: kind = "elementwise", ops = ["%3", "%4"]
func.func @reduction(%x: tensor<8x128xf16>) -> tensor<8x128xf16> {
  %0 = rl.map "mul"(%x, %x) : (tensor<8x128xf16>, tensor<8x128xf16>) -> tensor<8x128xf16>
  %1 = rl.reduce "mean"(%0) axes [1] keepdims : (tensor<8x128xf16>) -> tensor<8x1xf16>
  %2 = rl.map "sqrt"(%1) : (tensor<8x1xf16>) -> tensor<8x1xf16>
  %3 = rl.map "div"(%x, %2) : (tensor<8x128xf16>, tensor<8x1xf16>) -> tensor<8x128xf16>
  %4 = rl.map "abs"(%3) : (tensor<8x128xf16>) -> tensor<8x128xf16>
  return %4 : tensor<8x128xf16>
}

// -----

// What is reduced and the result, both needed: another pass. T = 2048, r = 16:
// unfused 2T + (T + r), fused T in, the squares (read again) and the mean out.
//
// CHECK-LABEL: func.func @another_pass
// CHECK-SAME: blocked_by = "rl.map '%2' needs the result of a reduction and what is reduced"
// CHECK-SAME: bytes_after = 4112 : i64, bytes_before = 6160 : i64
// CHECK-SAME: kind = "reduction", ops = ["%0", "%1"]
func.func @another_pass(%x: tensor<8x128xf16>) -> tensor<8x128xf16> {
  %0 = rl.map "mul"(%x, %x) : (tensor<8x128xf16>, tensor<8x128xf16>) -> tensor<8x128xf16>
  %1 = rl.reduce "mean"(%0) axes [1] keepdims : (tensor<8x128xf16>) -> tensor<8x1xf16>
  %2 = rl.map "sub"(%0, %1) : (tensor<8x128xf16>, tensor<8x1xf16>) -> tensor<8x128xf16>
  return %2 : tensor<8x128xf16>
}

// -----

// One core a group.
//
// CHECK-LABEL: func.func @second_core
// CHECK-SAME: blocked_by = "a second reduction rl.norm '%2' would need another pass"
// CHECK-SAME: kind = "softmax", ops = ["%0", "%1"]
func.func @second_core(%x: tensor<8x128xf16>) -> tensor<8x128xf16> {
  %0 = rl.map "abs"(%x) : (tensor<8x128xf16>) -> tensor<8x128xf16>
  %1 = rl.softmax "softmax"(%0) axis 1 : (tensor<8x128xf16>) -> tensor<8x128xf16>
  %2 = rl.norm "rms"(%1) row <[128]> : (tensor<8x128xf16>) -> tensor<8x128xf16>
  return %2 : tensor<8x128xf16>
}
