// RUN: rl-opt %s | rl-opt | FileCheck %s
// RUN: rl-opt %s --emit-bytecode -o %t.mlirbc && rl-opt %t.mlirbc | FileCheck %s

// CHECK-LABEL: func.func @rows
func.func @rows(%x: tensor<2x3x4xf32>, %s: tensor<4xf32>) {
  // CHECK: rl.reduce "mean"(%arg0) axes [1, 2] keepdims : (tensor<2x3x4xf32>) -> tensor<2x1x1xf32>
  %0 = rl.reduce "mean"(%x) axes [1, 2] keepdims : (tensor<2x3x4xf32>) -> tensor<2x1x1xf32>
  // CHECK: rl.reduce "argmax"(%arg0) axes [2] : (tensor<2x3x4xf32>) -> tensor<2x3xi64>
  %1 = rl.reduce "argmax"(%x) axes [2] : (tensor<2x3x4xf32>) -> tensor<2x3xi64>
  // CHECK: rl.cumulate "sum"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %2 = rl.cumulate "sum"(%x) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  // CHECK: rl.softmax "softmax"(%arg0) axis 2 :
  %3 = rl.softmax "softmax"(%x) axis 2 : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  // CHECK: rl.softmax "hardmax"(%arg0) axis 1 flattened :
  %4 = rl.softmax "hardmax"(%x) axis 1 flattened : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  // CHECK: rl.norm "layer"(%arg0, %arg1, %arg1) row <[4]> scale shift {residuals = 1 : i64} :
  %5 = rl.norm "layer"(%x, %s, %s) row <[4]> scale shift {residuals = 1 : i64} : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  // CHECK: rl.norm "local_response"(%arg0) {size = 5 : i64} :
  %6 = rl.norm "local_response"(%x) {size = 5 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

// CHECK-LABEL: func.func @others
func.func @others(%x: tensor<1x1x4x4xf32>, %v: tensor<10xf32>) {
  // CHECK: rl.pool "average"(%arg0) kernel [3, 3] strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %0 = rl.pool "average"(%x) kernel [3, 3] strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  // CHECK: rl.topk(%arg1) axis 0 : (tensor<10xf32>) -> (tensor<3xf32>, tensor<3xi64>)
  %1:2 = rl.topk(%v) axis 0 : (tensor<10xf32>) -> (tensor<3xf32>, tensor<3xi64>)
  // CHECK: rl.filter "nonzero"(%arg1) : (tensor<10xf32>) -> tensor<1x10xi64>
  %2 = rl.filter "nonzero"(%v) : (tensor<10xf32>) -> tensor<1x10xi64>
  // CHECK: rl.fft "dft"(%arg1) {count = #rl.dims<[1]>, length = #rl.dims<[10]>} : (tensor<10xf32>) -> tensor<10x2xf32>
  %3 = rl.fft "dft"(%v) {count = #rl.dims<[1]>, length = #rl.dims<[10]>} : (tensor<10xf32>) -> tensor<10x2xf32>
  return
}
