// RUN: rl-opt %s -split-input-file -verify-diagnostics

func.func @region(%x: tensor<4xf32>) {
  // expected-error@+1 {{'rl.if' op takes region 0 or 1, not 2}}
  rl.if taken 2 {
  } else {
  }
  return
}

// -----

func.func @then(%x: tensor<4xf32>) {
  // expected-error@+1 {{has 1 results, a region yields 0}}
  %0 = rl.if taken 0 -> tensor<4xf32> {
  } else {
    rl.yield %x : tensor<4xf32>
  }
  return
}

// -----

func.func @else(%x: tensor<4xf32>) {
  // expected-error@+1 {{has 0 results, a region yields 1}}
  rl.if taken 0 {
  } else {
    rl.yield %x : tensor<4xf32>
  }
  return
}

// -----

func.func @trips(%x: tensor<4xf32>) {
  // expected-error@+1 {{'rl.loop' op trips has 2 sizes, not 1}}
  rl.loop() trips <[1, 2]> {
  ^bb0(%i: tensor<i64>):
    rl.yield
  } : () -> ()
  return
}

// -----

func.func @arguments(%x: tensor<4xf32>) {
  // expected-error@+1 {{has 1 inits; its region takes the iteration number and one argument for each, not 1}}
  %0 = rl.loop(%x) trips <[3]> {
  ^bb0(%i: tensor<i64>):
    rl.yield %x : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @carried(%x: tensor<4xf32>) {
  // expected-error@+1 {{has 1 results, a region yields 0}}
  %0 = rl.loop(%x) trips <[3]> {
  ^bb0(%i: tensor<i64>, %h: tensor<4xf32>):
    rl.yield
  } : (tensor<4xf32>) -> tensor<4xf32>
  return
}
