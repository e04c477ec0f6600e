// RUN: rl-opt %s -split-input-file -verify-diagnostics

func.func @axis(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{axis 2 is not in a tensor of rank 2}}
  %0 = rl.reduce "sum"(%x) axes [0, 2] : (tensor<4x6xf32>) -> tensor<f32>
  return
}

// -----

func.func @negative(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{axis -1 is not in a tensor of rank 2}}
  %0 = rl.reduce "sum"(%x) axes [-1] : (tensor<4x6xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{has the unknown kind "median"; known are sum, max, min, prod, mean, argmax, argmin, any, all, l1, l2, sum_square, log_sum, log_sum_exp}}
  %0 = rl.reduce "median"(%x) axes [1] : (tensor<4x6xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @cumulate(%x: tensor<4xf32>) {
  // expected-error@+1 {{has the unknown kind "max"; known are sum, prod}}
  %0 = rl.cumulate "max"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @softmax_axis(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{axis 2 is not in a tensor of rank 2}}
  %0 = rl.softmax "softmax"(%x) axis 2 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @softmax(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{has the unknown kind "softermax"; known are softmax, log_softmax, hardmax}}
  %0 = rl.softmax "softermax"(%x) axis 1 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @norm(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{has the unknown kind "spectral"; known are layer, rms, instance, group, mean_variance, lp, batch, local_response}}
  %0 = rl.norm "spectral"(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @row(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{row has 2 sizes, not 1}}
  %0 = rl.norm "layer"(%x) row <[4, 6]> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @nothing() {
  // expected-error@+1 {{'rl.reduce' op needs 1 input at least}}
  %0 = rl.reduce "sum"() axes [] : () -> tensor<f32>
  return
}
