// RUN: rl-opt %s -split-input-file -verify-diagnostics

func.func @nothing() {
  // expected-error@+1 {{'rl.attention' op needs 1 input at least}}
  %0 = rl.attention() extents <[1, 1, 1, 1, 1, 1, 1]> : () -> tensor<1xf32>
  return
}

// -----

func.func @extents(%q: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{extents has 6 sizes, not 7}}
  %0 = rl.attention(%q) extents <[1, 1, 1, 8, 8, 4]> : (tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

func.func @projection(%q: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{projection has 2 sizes, not 3}}
  %0 = rl.attention(%q) extents <[1, 1, 1, 8, 8, 4, 4]> projection <[8, 4]> : (tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return
}

// -----

func.func @result(%q: tensor<1x1x8x4xf32>) {
  // expected-error@+1 {{needs a result}}
  rl.attention(%q) extents <[1, 1, 1, 8, 8, 4, 4]> : (tensor<1x1x8x4xf32>) -> ()
  return
}

// -----

func.func @kind(%x: tensor<5x2x3xf32>) {
  // expected-error@+1 {{'rl.recurrent' op has the unknown kind "gated"; known are lstm, gru, rnn}}
  %0 = rl.recurrent "gated"(%x) extents <[5, 2, 3, 4, 1]> : (tensor<5x2x3xf32>) -> tensor<5x2x4xf32>
  return
}

// -----

func.func @recurrent(%x: tensor<5x2x3xf32>) {
  // expected-error@+1 {{extents has 4 sizes, not 5}}
  %0 = rl.recurrent "gru"(%x) extents <[5, 2, 3, 4]> : (tensor<5x2x3xf32>) -> tensor<5x2x4xf32>
  return
}

// -----

func.func @cells() {
  // expected-error@+1 {{needs 1 input at least}}
  %0 = rl.recurrent "rnn"() extents <[5, 2, 3, 4, 1]> : () -> tensor<5x2x4xf32>
  return
}
