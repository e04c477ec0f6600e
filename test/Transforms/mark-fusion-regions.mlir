// Groups inside loops and branches; sizes that are formulas.
//
// RUN: rl-opt %s --split-input-file --rl-mark-fusion='device=a100-80gb' \
// RUN:   | FileCheck %s

// The body's two ops are a group of 10 trips; the abs after the loop is in
// another region. T = 8·8·2 = 128: unfused 4T·10 = 5120, fused 2T·10 = 2560.
//
// CHECK-LABEL: func.func @loop
// CHECK-SAME: rl.fusion_groups = [{bytes_after = 2560 : i64, bytes_before = 5120 : i64, bytes_saved = 2560 : i64
// CHECK: rl.loop
// CHECK: rl.map "relu"{{.*}} {rl.fusion_group = 0 : i64}
// CHECK: rl.map "abs"{{.*}} {rl.fusion_group = 0 : i64}
// CHECK: rl.map "neg"(%{{[a-z0-9]+}}) :
func.func @loop(%x: tensor<8x8xf16>) -> tensor<8x8xf16> {
  %0 = rl.loop(%x) trips <[10]> {
  ^bb0(%i: tensor<i64>, %state: tensor<8x8xf16>):
    %1 = rl.map "relu"(%state) : (tensor<8x8xf16>) -> tensor<8x8xf16>
    %2 = rl.map "abs"(%1) : (tensor<8x8xf16>) -> tensor<8x8xf16>
    rl.yield %2 : tensor<8x8xf16>
  } : (tensor<8x8xf16>) -> tensor<8x8xf16>
  %3 = rl.map "neg"(%0) : (tensor<8x8xf16>) -> tensor<8x8xf16>
  return %3 : tensor<8x8xf16>
}

// -----

// What a loop captures leads through it: the relu and the add may not be one.
// The neg reads the relu's result beside the loop, and joins it: T = 128,
// unfused 4T, fused x in, both out = 3T.
//
// CHECK-LABEL: func.func @capture
// CHECK-SAME: blocked_by = "rl.loop '%2' is control flow"
// CHECK-SAME: bytes_after = 384 : i64, bytes_before = 512 : i64
// CHECK-SAME: ops = ["%0", "%1"]
func.func @capture(%x: tensor<8x8xf16>) -> (tensor<8x8xf16>, tensor<8x8xf16>) {
  %0 = rl.map "relu"(%x) : (tensor<8x8xf16>) -> tensor<8x8xf16>
  %1 = rl.map "neg"(%0) : (tensor<8x8xf16>) -> tensor<8x8xf16>
  %2 = rl.loop(%x) trips <[10]> {
  ^bb0(%i: tensor<i64>, %state: tensor<8x8xf16>):
    %4 = rl.map "mul"(%state, %0) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
    rl.yield %4 : tensor<8x8xf16>
  } : (tensor<8x8xf16>) -> tensor<8x8xf16>
  %3 = rl.map "add"(%0, %2) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
  return %1, %3 : tensor<8x8xf16>, tensor<8x8xf16>
}

// -----

// Only the branch that runs has groups.
//
// CHECK-LABEL: func.func @branch
// CHECK-SAME: rl.fusion_groups = [{bytes_after = 256 : i64, bytes_before = 512 : i64
// CHECK: rl.map "relu"{{.*}} {rl.fusion_group = 0 : i64}
// CHECK: rl.map "abs"{{.*}} {rl.fusion_group = 0 : i64}
// CHECK: } else {
// CHECK-NOT: rl.fusion_group
func.func @branch(%x: tensor<8x8xf16>) -> tensor<8x8xf16> {
  %0 = rl.if taken 0 -> tensor<8x8xf16> {
    %1 = rl.map "relu"(%x) : (tensor<8x8xf16>) -> tensor<8x8xf16>
    %2 = rl.map "abs"(%1) : (tensor<8x8xf16>) -> tensor<8x8xf16>
    rl.yield %2 : tensor<8x8xf16>
  } else {
    %1 = rl.map "exp"(%x) : (tensor<8x8xf16>) -> tensor<8x8xf16>
    %2 = rl.map "log"(%1) : (tensor<8x8xf16>) -> tensor<8x8xf16>
    rl.yield %2 : tensor<8x8xf16>
  }
  return %0 : tensor<8x8xf16>
}

// -----

// Open dimensions: bytes are formulas, seconds aren't known. T = 256·batch:
// unfused 2T + 2T, fused 2T.
//
// CHECK-LABEL: func.func @formula
// CHECK-SAME: rl.fusion_groups = [{bytes_after = "512*batch", bytes_before = "1024*batch", bytes_saved = "512*batch", id = 0 : i64, kind = "elementwise", ops = ["%0", "%1"]}]
func.func @formula(%x: tensor<?x128xf16, #rl.dims<["batch", 128]>>) -> tensor<?x128xf16, #rl.dims<["batch", 128]>> {
  %0 = rl.map "relu"(%x) : (tensor<?x128xf16, #rl.dims<["batch", 128]>>) -> tensor<?x128xf16, #rl.dims<["batch", 128]>>
  %1 = rl.map "abs"(%0) : (tensor<?x128xf16, #rl.dims<["batch", 128]>>) -> tensor<?x128xf16, #rl.dims<["batch", 128]>>
  return %1 : tensor<?x128xf16, #rl.dims<["batch", 128]>>
}

// -----

// A size that isn't known at all: no group.
//
// CHECK-LABEL: func.func @unknown
// CHECK-SAME: rl.fusion_groups = []
func.func @unknown(%x: tensor<8xf16>) -> tensor<?xf16> {
  %0 = rl.filter "compress"(%x) : (tensor<8xf16>) -> tensor<?xf16>
  %1 = rl.map "relu"(%0) : (tensor<?xf16>) -> tensor<?xf16>
  %2 = rl.map "abs"(%1) : (tensor<?xf16>) -> tensor<?xf16>
  return %2 : tensor<?xf16>
}

// -----

// A view's shape operand is a path, too: the shape that the abs is given follows
// from the relu's data, so they aren't one kernel.
//
// CHECK-LABEL: func.func @shape_path
// CHECK-SAME: rl.fusion_groups = []
func.func @shape_path(%x: tensor<8xf16>) -> tensor<8x1xf16> {
  %0 = rl.map "relu"(%x) : (tensor<8xf16>) -> tensor<8xf16>
  %1 = rl.copy "slice"(%0) picks : (tensor<8xf16>) -> tensor<2xf16>
  %2 = rl.map "cast"(%1) : (tensor<2xf16>) -> tensor<2xi64>
  %3 = rl.view "reshape"(%0, %2) : (tensor<8xf16>, tensor<2xi64>) -> tensor<8x1xf16>
  %4 = rl.map "abs"(%3) : (tensor<8x1xf16>) -> tensor<8x1xf16>
  return %4 : tensor<8x1xf16>
}
