// RUN: rl-opt %s | rl-opt | FileCheck %s
// RUN: rl-opt %s --emit-bytecode -o %t.mlirbc && rl-opt %t.mlirbc | FileCheck %s

// CHECK-LABEL: func.func @control
func.func @control(%x: tensor<4xf32>, %c: tensor<i1>) -> tensor<4xf32> {
  // CHECK: rl.if %arg1 : tensor<i1> -> tensor<4xf32> {
  // CHECK:   rl.yield %{{.*}} : tensor<4xf32>
  // CHECK: } else {
  // CHECK:   rl.yield %arg0 : tensor<4xf32>
  // CHECK: }
  %0 = rl.if %c : tensor<i1> -> tensor<4xf32> {
    %a = rl.map "relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    rl.yield %a : tensor<4xf32>
  } else {
    rl.yield %x : tensor<4xf32>
  } {rl.op_type = "If"}
  // CHECK: rl.if taken 1 {
  // CHECK-NEXT: } else {
  // CHECK-NEXT: }
  rl.if taken 1 {
  } else {
  }
  // CHECK: rl.loop(%{{.*}}) trips <["n"]> upper_bound {
  // CHECK: ^bb0(%{{.*}}: tensor<i64>, %[[H:.*]]: tensor<4xf32>):
  // CHECK: rl.map "relu"(%[[H]])
  // CHECK: } : (tensor<4xf32>) -> tensor<4xf32>
  %1 = rl.loop(%0) trips <["n"]> upper_bound {
  ^bb0(%i: tensor<i64>, %h: tensor<4xf32>):
    %a = rl.map "relu"(%h) : (tensor<4xf32>) -> tensor<4xf32>
    rl.yield %a : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: rl.fused {
  // CHECK:   rl.map "exp"(%
  // CHECK: } {rl.op_type = "Celu"} : tensor<4xf32>
  %2 = rl.fused {
    %a = rl.map "exp"(%1) : (tensor<4xf32>) -> tensor<4xf32>
    rl.yield %a : tensor<4xf32>
  } {rl.op_type = "Celu"} : tensor<4xf32>
  return %2 : tensor<4xf32>
}
