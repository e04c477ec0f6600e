// RUN: rl-opt %s | rl-opt | FileCheck %s
// RUN: rl-opt %s --emit-bytecode -o %t.mlirbc && rl-opt %t.mlirbc | FileCheck %s

// CHECK-LABEL: func.func @map
func.func @map(%x: tensor<4x5xf32>, %b: tensor<5xf32>) {
  // CHECK: rl.map "add"(%arg0, %arg1) : (tensor<4x5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
  %0 = rl.map "add"(%x, %b) : (tensor<4x5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
  // CHECK: rl.map "clip"(%arg0) body <vector = 1> {rl.op_type = "Clip"} : (tensor<4x5xf32>) -> tensor<4x5xf32>
  %1 = rl.map "clip"(%x) body <vector = 1> {rl.op_type = "Clip"} : (tensor<4x5xf32>) -> tensor<4x5xf32>
  // A kind that no table knows is fine with a body.
  // CHECK: rl.map "secret"(%arg0) body <vector = 3, special = 2> :
  %2 = rl.map "secret"(%x) body <vector = 3, special = 2> : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// CHECK-LABEL: func.func @quantize
func.func @quantize(%x: tensor<8xf32>, %s: tensor<f32>, %z: tensor<i8>) {
  // CHECK: rl.quantize "quantize"(%arg0, %arg1, %arg2) : (tensor<8xf32>, tensor<f32>, tensor<i8>) -> tensor<8xi8>
  %0 = rl.quantize "quantize"(%x, %s, %z) : (tensor<8xf32>, tensor<f32>, tensor<i8>) -> tensor<8xi8>
  // CHECK: rl.quantize "dequantize"({{.*}}, %arg1) symmetric : (tensor<8xi8>, tensor<f32>) -> tensor<8xf32>
  %1 = rl.quantize "dequantize"(%0, %s) symmetric : (tensor<8xi8>, tensor<f32>) -> tensor<8xf32>
  // CHECK: rl.quantize "dynamic"(%arg0) : (tensor<8xf32>) -> (tensor<8xui8>, tensor<f32>, tensor<ui8>)
  %2:3 = rl.quantize "dynamic"(%x) : (tensor<8xf32>) -> (tensor<8xui8>, tensor<f32>, tensor<ui8>)
  return
}

// CHECK-LABEL: func.func @resize
func.func @resize(%x: tensor<1x1x4x4xf32>) {
  // CHECK: rl.resize "nearest"(%arg0) over 2 : (tensor<1x1x4x4xf32>) -> tensor<1x1x8x8xf32>
  %0 = rl.resize "nearest"(%x) over 2 : (tensor<1x1x4x4xf32>) -> tensor<1x1x8x8xf32>
  // CHECK: rl.resize "linear"(%arg0) over 2 coordinates {samples = 4 : i64} :
  %1 = rl.resize "linear"(%x) over 2 coordinates {samples = 4 : i64} : (tensor<1x1x4x4xf32>) -> tensor<1x1x8x8xf32>
  return
}
