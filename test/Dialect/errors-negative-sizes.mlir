// RUN: rl-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{a size is 0 or more, not -1}}
func.func @f(%x: tensor<?xf32, #rl.dims<[-1]>>) { return }

// -----

// expected-error@+1 {{a size is 0 or more, not -2}}
func.func @f(%x: tensor<?xf32, #rl.dims<["1 - 3"]>>) { return }

// -----

// expected-error@+1 {{a size is 0 or more, not -3}}
func.func @f() attributes {a = #rl.work<read = {weight = -3}>} { return }

// -----

// expected-error@+1 {{operations per element are 0 and more}}
func.func @f() attributes {a = #rl.body<vector = -1>} { return }

// -----

func.func @residuals(%x: tensor<4xf32>) {
  // expected-error@+1 {{residuals and size are 0 and more}}
  %0 = rl.norm "batch"(%x) {residuals = -1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @samples(%x: tensor<4xf32>) {
  // expected-error@+1 {{samples are 1 and more}}
  %0 = rl.resize "linear"(%x) over 1 {samples = 0 : i64} : (tensor<4xf32>) -> tensor<8xf32>
  return
}
