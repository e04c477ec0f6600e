// A group that one kernel can't compute stays as it is: the transpose reads the
// first member and is read by the last, so it would have to run in the middle.
//
// RUN: rl-opt %s --rl-apply-fusion --verify-diagnostics | FileCheck %s
//
// CHECK-LABEL: func.func @not_convex
// CHECK-NOT: rl.fused
// CHECK-NOT: rl.fusion_group
// CHECK: rl.map "relu"
// CHECK-NEXT: rl.copy "transpose"
// CHECK-NEXT: rl.map "add"
func.func @not_convex(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark@+1 {{its group isn't fused: an op outside of it stands between its members}}
  %0 = rl.map "relu"(%x) {rl.fusion_group = 0 : i64} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = rl.copy "transpose"(%0) permutation [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = rl.map "add"(%0, %1) {rl.fusion_group = 0 : i64} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
