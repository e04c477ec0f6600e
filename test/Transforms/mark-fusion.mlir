// Groups and their bytes. Every tensor here is f16: 2 bytes an element.
//
// RUN: rl-opt %s --split-input-file --rl-mark-fusion='device=a100-80gb' \
// RUN:   | FileCheck %s

// A chain of three: 1024·1024 elements, 2 097 152 bytes a tensor.
//   unfused: each op reads one and writes one, the add reads one more: 7 tensors
//            = 14 680 064
//   fused:   x and y in, the last result out: 3 tensors = 6 291 456
//   saved:   4 tensors = 8 388 608
// On 2039 GB/s with 1.5 us a launch: 14 680 064/2039e9 + 4.5e-6 = 11.69963 us
// against 6 291 456/2039e9 + 1.5e-6 = 4.58556 us: 7.11407 us saved, 2.55141 times
// as fast.
//
// CHECK-LABEL: func.func @chain
// CHECK-SAME: rl.fusion_groups = [{bytes_after = 6291456 : i64, bytes_before = 14680064 : i64, bytes_saved = 8388608 : i64, id = 0 : i64, kind = "elementwise", ops = ["%0", "%1", "%2"], seconds_saved = 7.114{{[0-9]*}}E-6 : f64, speedup = 2.551{{[0-9]*}} : f64}]
// CHECK: rl.map "add"{{.*}} {rl.fusion_group = 0 : i64}
// CHECK: rl.map "relu"{{.*}} {rl.fusion_group = 0 : i64}
// CHECK: rl.map "abs"{{.*}} {rl.fusion_group = 0 : i64}
func.func @chain(%x: tensor<1024x1024xf16>, %y: tensor<1024x1024xf16>)
    -> tensor<1024x1024xf16> {
  %0 = rl.map "add"(%x, %y) : (tensor<1024x1024xf16>, tensor<1024x1024xf16>) -> tensor<1024x1024xf16>
  %1 = rl.map "relu"(%0) : (tensor<1024x1024xf16>) -> tensor<1024x1024xf16>
  %2 = rl.map "abs"(%1) : (tensor<1024x1024xf16>) -> tensor<1024x1024xf16>
  return %2 : tensor<1024x1024xf16>
}

// -----

// The add may not join the relu: between them stands a transpose that reads the
// relu's result, and would have to run in the middle of their kernel. What is
// left, the add and the abs, T = 8·8·2 = 128 bytes a tensor: unfused 3T + 2T = 640,
// fused 2T + T = 384.
//
// CHECK-LABEL: func.func @diamond
// CHECK-SAME: blocked_by = "'%0' has another reader: rl.copy '%1' outside"
// CHECK-SAME: bytes_after = 384 : i64, bytes_before = 640 : i64
// CHECK-SAME: ops = ["%2", "%3"]
// CHECK: rl.map "relu"(%arg0) :
func.func @diamond(%x: tensor<8x8xf16>) -> tensor<8x8xf16> {
  %0 = rl.map "relu"(%x) : (tensor<8x8xf16>) -> tensor<8x8xf16>
  %1 = rl.copy "transpose"(%0) permutation [1, 0] : (tensor<8x8xf16>) -> tensor<8x8xf16>
  %2 = rl.map "add"(%0, %1) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
  %3 = rl.map "abs"(%2) : (tensor<8x8xf16>) -> tensor<8x8xf16>
  return %3 : tensor<8x8xf16>
}

// -----

// A diamond whose both arms are elementwise is one group: T = 128, unfused
// 2T + 2T + 2T + 3T = 1152, fused x in and the sum out = 256.
//
// CHECK-LABEL: func.func @closed_diamond
// CHECK-SAME: bytes_after = 256 : i64, bytes_before = 1152 : i64
// CHECK-SAME: ops = ["%0", "%1", "%2", "%3"]
// CHECK-NOT: blocked_by
// CHECK: rl.map "relu"
func.func @closed_diamond(%x: tensor<8x8xf16>) -> tensor<8x8xf16> {
  %0 = rl.map "relu"(%x) : (tensor<8x8xf16>) -> tensor<8x8xf16>
  %1 = rl.map "neg"(%0) : (tensor<8x8xf16>) -> tensor<8x8xf16>
  %2 = rl.map "exp"(%0) : (tensor<8x8xf16>) -> tensor<8x8xf16>
  %3 = rl.map "add"(%1, %2) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
  return %3 : tensor<8x8xf16>
}

// -----

// A reader outside: the relu's result is still written, but not read again.
// T = 128: unfused 2T + 2T = 512, fused x in, both out = 384; the transpose
// isn't part of either.
//
// CHECK-LABEL: func.func @other_reader
// CHECK-SAME: blocked_by = "rl.copy '%2' changes the layout"
// CHECK-SAME: bytes_after = 384 : i64, bytes_before = 512 : i64
// CHECK-SAME: ops = ["%0", "%1"]
func.func @other_reader(%x: tensor<8x8xf16>) -> (tensor<8x8xf16>, tensor<8x8xf16>) {
  %0 = rl.map "relu"(%x) : (tensor<8x8xf16>) -> tensor<8x8xf16>
  %1 = rl.map "abs"(%0) : (tensor<8x8xf16>) -> tensor<8x8xf16>
  %2 = rl.copy "transpose"(%0) permutation [1, 0] : (tensor<8x8xf16>) -> tensor<8x8xf16>
  return %1, %2 : tensor<8x8xf16>, tensor<8x8xf16>
}

// -----

// So is a graph output inside the group. T = 128: unfused 512, fused 384.
//
// CHECK-LABEL: func.func @output_inside
// CHECK-SAME: bytes_after = 384 : i64, bytes_before = 512 : i64
// CHECK-SAME: ops = ["%0", "%1"]
func.func @output_inside(%x: tensor<8x8xf16>) -> (tensor<8x8xf16>, tensor<8x8xf16>) {
  %0 = rl.map "relu"(%x) : (tensor<8x8xf16>) -> tensor<8x8xf16>
  %1 = rl.map "abs"(%0) : (tensor<8x8xf16>) -> tensor<8x8xf16>
  return %0, %1 : tensor<8x8xf16>, tensor<8x8xf16>
}

// -----

// A broadcast operand is read once, at its own size, however many members read
// it. T = 8·64·2 = 1024, the bias b = 64·2 = 128.
//   unfused: (T + b + T) + (T + b + T) = 4352; fused: T + b + T = 2176
//
// CHECK-LABEL: func.func @broadcast_once
// CHECK-SAME: bytes_after = 2176 : i64, bytes_before = 4352 : i64
func.func @broadcast_once(%x: tensor<8x64xf16>, %b: tensor<64xf16>) -> tensor<8x64xf16> {
  %0 = rl.map "add"(%x, %b) : (tensor<8x64xf16>, tensor<64xf16>) -> tensor<8x64xf16>
  %1 = rl.map "mul"(%0, %b) : (tensor<8x64xf16>, tensor<64xf16>) -> tensor<8x64xf16>
  return %1 : tensor<8x64xf16>
}

// -----

// Casts, an expand and a view between members. The expand reads 64·2 = 128 and
// writes 8·64·2 = 1024; the cast reads 1024 and writes 2048 (f32); the view moves
// nothing; the add reads 2048 and y's 2048 and writes 2048.
//   unfused: 1152 + 3072 + 6144 = 10368; fused: 128 + 2048 + 2048 = 4224
//
// CHECK-LABEL: func.func @through_a_view
// CHECK-SAME: bytes_after = 4224 : i64, bytes_before = 10368 : i64
// CHECK-SAME: ops = ["%0", "%1", "%3"]
func.func @through_a_view(%b: tensor<64xf16>, %y: tensor<512xf32>) -> tensor<512xf32> {
  %0 = rl.copy "expand"(%b) : (tensor<64xf16>) -> tensor<8x64xf16>
  %1 = rl.map "cast"(%0) : (tensor<8x64xf16>) -> tensor<8x64xf32>
  %2 = rl.view "reshape"(%1) : (tensor<8x64xf32>) -> tensor<512xf32>
  %3 = rl.map "add"(%2, %y) : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
  return %3 : tensor<512xf32>
}

// -----

// A producer of another shape stays out: it would be done again for each row.
//
// CHECK-LABEL: func.func @other_shape
// CHECK-SAME: blocked_by = "the shapes differ: 8x1 and 8x128"
// CHECK-SAME: ops = ["%1", "%2"]
func.func @other_shape(%x: tensor<8x128xf16>, %s: tensor<8x1xf16>) -> tensor<8x128xf16> {
  %0 = rl.map "sqrt"(%s) : (tensor<8x1xf16>) -> tensor<8x1xf16>
  %1 = rl.map "mul"(%x, %0) : (tensor<8x128xf16>, tensor<8x1xf16>) -> tensor<8x128xf16>
  %2 = rl.map "abs"(%1) : (tensor<8x128xf16>) -> tensor<8x128xf16>
  return %2 : tensor<8x128xf16>
}

// -----

// One op is no group.
//
// CHECK-LABEL: func.func @alone
// CHECK-SAME: rl.fusion_groups = []
func.func @alone(%x: tensor<8x128xf16>) -> tensor<8x128xf16> {
  %0 = rl.map "abs"(%x) : (tensor<8x128xf16>) -> tensor<8x128xf16>
  return %0 : tensor<8x128xf16>
}
