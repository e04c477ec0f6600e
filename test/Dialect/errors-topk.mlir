// RUN: rl-opt %s -split-input-file -verify-diagnostics

func.func @nothing() {
  // expected-error@+1 {{'rl.topk' op needs 1 input at least}}
  %0 = rl.topk() axis 0 : () -> tensor<3xf32>
  return
}

// -----

func.func @axis(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{axis 2 is not in a tensor of rank 2}}
  %0 = rl.topk(%x) axis 2 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}
