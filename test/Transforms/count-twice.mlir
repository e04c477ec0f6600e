// RUN: rl-opt %s --rl-count-cost --roofline-report | FileCheck %s
// RUN: rl-opt %s --rl-count-cost --rl-count-cost | FileCheck %s --check-prefix=TWICE
//
// An op that no model knows stays opaque after a first count has written down
// what it could: its FLOPs are as unknown as before.

// CHECK: 0 of 1 op covered; opaque: rl.opaque (rl)
// TWICE: flops = ?, read = {activation = 32}, written = {activation = 32}
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = rl.opaque "mystery"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
