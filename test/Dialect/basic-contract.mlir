// RUN: rl-opt %s | rl-opt | FileCheck %s
// RUN: rl-opt %s --emit-bytecode -o %t.mlirbc && rl-opt %t.mlirbc | FileCheck %s
//
// Every part of rl.contract comes back as it was: labels, aux, prologue,
// epilogue, factor_types, further results.

// CHECK-LABEL: func.func @contract
func.func @contract(%x: tensor<8x128x768xf16>, %w: tensor<768x64xf16>, %b: tensor<64xf16>) {
  // CHECK: rl.contract "bmk,kn->bmn"(%arg0, %arg1) : (tensor<8x128x768xf16>, tensor<768x64xf16>) -> tensor<8x128x64xf16>
  %0 = rl.contract "bmk,kn->bmn"(%x, %w) : (tensor<8x128x768xf16>, tensor<768x64xf16>) -> tensor<8x128x64xf16>
  // CHECK: rl.contract "bmk,kn->bmn"(%arg0, %arg1) aux(%arg2) epilogue <vector = 1> {rl.op_type = "Gemm"} :
  %1 = rl.contract "bmk,kn->bmn"(%x, %w) aux(%b) epilogue <vector = 1> {rl.op_type = "Gemm"} : (tensor<8x128x768xf16>, tensor<768x64xf16>, tensor<64xf16>) -> tensor<8x128x64xf16>
  // CHECK: rl.contract "i->"(%arg2) : (tensor<64xf16>) -> tensor<f16>
  %2 = rl.contract "i->"(%b) : (tensor<64xf16>) -> tensor<f16>
  // CHECK: rl.contract "i,j,k->ijk"(%arg2, %arg2, %arg2) :
  %3 = rl.contract "i,j,k->ijk"(%b, %b, %b) : (tensor<64xf16>, tensor<64xf16>, tensor<64xf16>) -> tensor<64x64x64xf16>
  return
}

// CHECK-LABEL: func.func @packed
func.func @packed(%x: tensor<4x32xf16>, %w: tensor<64x16xui8>, %s: tensor<64xf16>) {
  // CHECK: rl.contract "mk,nk->mn"(%arg0, %arg1) aux(%arg2) prologue <vector = 2> epilogue <vector = 1, special = 2> {factor_types = [tensor<4x32xf16>, tensor<64x32xi4>]} :
  // CHECK-SAME: -> (tensor<4x64xf16>, tensor<4xf32>)
  %0:2 = rl.contract "mk,nk->mn"(%x, %w) aux(%s) prologue <vector = 2> epilogue <vector = 1, special = 2> {factor_types = [tensor<4x32xf16>, tensor<64x32xi4>]} : (tensor<4x32xf16>, tensor<64x16xui8>, tensor<64xf16>) -> (tensor<4x64xf16>, tensor<4xf32>)
  return
}

// Sizes that aren't numbers, and ranks that aren't known, are fine.
// CHECK-LABEL: func.func @open
func.func @open(%x: tensor<?x8xf32, #rl.dims<["batch", 8]>>, %y: tensor<*xf32>) {
  // CHECK: rl.contract "mk,kn->mn"(%arg0, %arg1) : (tensor<?x8xf32, #rl.dims<["batch", 8]>>, tensor<*xf32>) -> tensor<*xf32>
  %0 = rl.contract "mk,kn->mn"(%x, %y) : (tensor<?x8xf32, #rl.dims<["batch", 8]>>, tensor<*xf32>) -> tensor<*xf32>
  return
}
