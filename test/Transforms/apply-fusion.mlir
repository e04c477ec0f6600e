// Marked groups become one op each. Nodes' names and types are joined, results
// keep their names, and only what is read outside of the group leaves it.
//
// RUN: rl-opt %s --split-input-file --rl-apply-fusion | FileCheck %s

// A chain: what goes from member to member stays inside.
//
// CHECK-LABEL: func.func @chain
// CHECK-NOT: rl.fusion_groups
// CHECK: %[[FUSED:.*]] = rl.fused
// CHECK-NEXT: %[[A:.*]] = rl.map "relu"(%arg0)
// CHECK-NEXT: %[[B:.*]] = rl.map "abs"(%[[A]])
// CHECK-NEXT: rl.yield %[[B]]
// CHECK: return %[[FUSED]]
func.func @chain(%x: tensor<8xf32>) -> tensor<8xf32> attributes {rl.fusion_groups = []} {
  %0 = rl.map "relu"(%x) {rl.fusion_group = 0 : i64} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = rl.map "abs"(%0) {rl.fusion_group = 0 : i64} : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// An op between the members that reads one's result goes behind the group, and
// what reads that op in turn; one that reads none of them stays in front. The
// first member's result is read outside, so it leaves the group, too.
//
// CHECK-LABEL: func.func @reader_between
// CHECK: %[[FREE:.*]] = rl.map "neg"(%arg0)
// CHECK: %[[FUSED:.*]]:2 = rl.fused
// CHECK-NEXT: %[[A:.*]] = rl.map "relu"(%arg0)
// CHECK-NEXT: %[[B:.*]] = rl.map "add"(%[[A]], %[[FREE]])
// CHECK-NEXT: rl.yield %[[A]], %[[B]]
// CHECK: %[[EXP:.*]] = rl.map "exp"(%[[FUSED]]#0)
// CHECK: %[[LOG:.*]] = rl.map "log"(%[[EXP]])
// CHECK: return %[[FUSED]]#1, %[[LOG]]
func.func @reader_between(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = rl.map "relu"(%x) {rl.fusion_group = 0 : i64} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = rl.map "exp"(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = rl.map "neg"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = rl.map "log"(%1) : (tensor<8xf32>) -> tensor<8xf32>
  %4 = rl.map "add"(%0, %2) {rl.fusion_group = 0 : i64} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %4, %3 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Numbers are a block's own: the two groups 0 are two groups. A group of one op
// is none.
//
// CHECK-LABEL: func.func @alone
// CHECK-NOT: rl.fused
// CHECK-NOT: rl.fusion_group
// CHECK: return
func.func @alone(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = rl.map "relu"(%x) {rl.fusion_group = 0 : i64} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @other(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = rl.map "relu"(%x) {rl.fusion_group = 0 : i64} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
