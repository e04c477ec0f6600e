// RUN: rl-opt %s -split-input-file -verify-diagnostics

func.func @results(%x: tensor<4xf32>) {
  // expected-error@+1 {{'rl.fused' op has 1 results, a region yields 2}}
  %0 = rl.fused {
    rl.yield %x, %x : tensor<4xf32>, tensor<4xf32>
  } : tensor<4xf32>
  return
}

// -----

func.func @arguments(%x: tensor<4xf32>) {
  // expected-error@+1 {{should have no arguments}}
  %0 = rl.fused {
  ^bb0(%a: tensor<4xf32>):
    rl.yield %x : tensor<4xf32>
  } : tensor<4xf32>
  return
}
