// RUN: rl-opt %s -split-input-file -verify-diagnostics

func.func @view() {
  // expected-error@+1 {{'rl.view' op needs 1 input at least}}
  %0 = rl.view "reshape"() : () -> tensor<4xf32>
  return
}

// -----

func.func @copy(%x: tensor<4xf32>) {
  // expected-error@+1 {{'rl.copy' op needs a result}}
  rl.copy "slice"(%x) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @gather(%x: tensor<4xf32>, %i: tensor<2xi64>) {
  // expected-error@+1 {{has the unknown kind "columns"; known are rows, elements, nd}}
  %0 = rl.gather "columns"(%x, %i) : (tensor<4xf32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @scatter(%x: tensor<4xf32>, %i: tensor<2xi64>) {
  // expected-error@+1 {{has the unknown kind "sub"; known are none, add, mul, min, max}}
  %0 = rl.scatter "sub"(%x, %i, %x) : (tensor<4xf32>, tensor<2xi64>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @updates(%x: tensor<4xf32>) {
  // expected-error@+1 {{'rl.scatter' op needs 2 inputs at least}}
  %0 = rl.scatter "none"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generate() {
  // expected-error@+1 {{'rl.generate' op needs a result}}
  rl.generate "range"() : () -> ()
  return
}

// -----

func.func @weight() {
  // expected-error@+2 {{custom op 'rl.weight' expected string}}
  // expected-error@+1 {{invalid value for property name, expected string}}
  %0 = rl.weight : tensor<4xf32>
  return
}
