// RUN: rl-opt %s | rl-opt | FileCheck %s
// RUN: rl-opt %s --emit-bytecode -o %t.mlirbc && rl-opt %t.mlirbc | FileCheck %s

// CHECK-LABEL: func.func @movement
func.func @movement(%x: tensor<4x6xf32>, %i: tensor<3xi64>, %u: tensor<3x6xf32>) {
  // CHECK: rl.weight "encoder.0.weight" : tensor<768x768xf16>
  %w = rl.weight "encoder.0.weight" : tensor<768x768xf16>
  // CHECK: rl.fill : tensor<4x6xf32>
  %f = rl.fill : tensor<4x6xf32>
  // CHECK: rl.view "reshape"(%arg0) : (tensor<4x6xf32>) -> tensor<24xf32>
  %0 = rl.view "reshape"(%x) : (tensor<4x6xf32>) -> tensor<24xf32>
  // CHECK: rl.copy "transpose"(%arg0) permutation [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %1 = rl.copy "transpose"(%x) permutation [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  // CHECK: rl.copy "concat"(%arg0, %arg0) axis 1 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x12xf32>
  %2 = rl.copy "concat"(%x, %x) axis 1 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x12xf32>
  // CHECK: rl.copy "split"(%arg0) picks : (tensor<4x6xf32>) -> (tensor<4x2xf32>, tensor<4x4xf32>)
  %3:2 = rl.copy "split"(%x) picks : (tensor<4x6xf32>) -> (tensor<4x2xf32>, tensor<4x4xf32>)
  // CHECK: rl.gather "rows"(%arg0, %arg1) : (tensor<4x6xf32>, tensor<3xi64>) -> tensor<3x6xf32>
  %4 = rl.gather "rows"(%x, %i) : (tensor<4x6xf32>, tensor<3xi64>) -> tensor<3x6xf32>
  // CHECK: rl.scatter "add"(%arg0, %arg1, %arg2) : (tensor<4x6xf32>, tensor<3xi64>, tensor<3x6xf32>) -> tensor<4x6xf32>
  %5 = rl.scatter "add"(%x, %i, %u) : (tensor<4x6xf32>, tensor<3xi64>, tensor<3x6xf32>) -> tensor<4x6xf32>
  // CHECK: rl.generate "range"() body <vector = 2> : () -> tensor<5xi64>
  %6 = rl.generate "range"() body <vector = 2> : () -> tensor<5xi64>
  // CHECK: rl.sequence "construct"(%arg0) : (tensor<4x6xf32>) -> !rl.sequence<tensor<4x6xf32>>
  %7 = rl.sequence "construct"(%x) : (tensor<4x6xf32>) -> !rl.sequence<tensor<4x6xf32>>
  // CHECK: rl.opaque "Frobnicate"(%arg0, %arg1) {rl.domain = "com.example"} : (tensor<4x6xf32>, tensor<3xi64>) -> (tensor<f32>, tensor<?xf32>)
  %8:2 = rl.opaque "Frobnicate"(%x, %i) {rl.domain = "com.example"} : (tensor<4x6xf32>, tensor<3xi64>) -> (tensor<f32>, tensor<?xf32>)
  return
}
