// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// One kernel for what stands inside: 20 exp, 20 additions, 20 multiplications;
// only x (80 bytes, though two read it), the bias (20) and the result (80) move.
// A gather inside reads what it picks, not its table: 3 rows of 16 f32 = 192.

!m = tensor<4x5xf32>
module {
  func.func @main(%x: !m, %i: tensor<3xi64>) {
    %b = rl.weight "b" : tensor<5xf32>
    %t = rl.weight "t" : tensor<1000x16xf32>
    // CHECK: rl.fused {
    // CHECK: } {rl.work = #rl.work<flops = {special.f32 = 20, vector.f32 = 40}, read = {weight = 20, activation = 80}, written = {activation = 80}, launches = 1>} :
    %0 = rl.fused {
      %1 = rl.map "exp"(%x) : (!m) -> !m
      %2 = rl.map "add"(%1, %b) : (!m, tensor<5xf32>) -> !m
      %3 = rl.map "mul"(%2, %x) : (!m, !m) -> !m
      rl.yield %3 : !m
    } : !m
    // CHECK: rl.fused {
    // CHECK: } {rl.work = #rl.work<flops = {vector.f32 = 48}, read = {weight = 192, activation = 24}, written = {activation = 192}, launches = 1>} :
    %4 = rl.fused {
      %5 = rl.gather "rows"(%t, %i) : (tensor<1000x16xf32>, tensor<3xi64>) -> tensor<3x16xf32>
      %6 = rl.map "relu"(%5) : (tensor<3x16xf32>) -> tensor<3x16xf32>
      rl.yield %6 : tensor<3x16xf32>
    } : tensor<3x16xf32>
    // An op without a model makes the whole unknown.
    // CHECK: rl.fused {
    // CHECK: } {rl.work = #rl.work<flops = ?, read = {activation = 80}, written = {activation = 80}, launches = 1>} :
    %7 = rl.fused {
      %8 = rl.opaque "Frob"(%x) : (!m) -> !m
      rl.yield %8 : !m
    } : !m
    return
  }
}
