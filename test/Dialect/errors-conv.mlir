// RUN: rl-opt %s -split-input-file -verify-diagnostics

func.func @rank(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) {
  // expected-error@+1 {{input has rank 2; it needs a batch, a channel and a spatial dimension at least}}
  %0 = rl.conv(%x, %w) strides [1] pads [0, 0] dilations [1] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @ranks(%x: tensor<1x4x9xf32>, %w: tensor<4x4x3x3xf32>) {
  // expected-error@+1 {{input has rank 3, filter 4}}
  %0 = rl.conv(%x, %w) strides [1] pads [0, 0] dilations [1] : (tensor<1x4x9xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x7xf32>
  return
}

// -----

func.func @group(%x: tensor<1x4x9xf32>, %w: tensor<4x4x3xf32>) {
  // expected-error@+1 {{group is 1 and more}}
  %0 = rl.conv(%x, %w) strides [1] pads [0, 0] dilations [1] {group = 0 : i64} : (tensor<1x4x9xf32>, tensor<4x4x3xf32>) -> tensor<1x4x7xf32>
  return
}

// -----

func.func @pads(%x: tensor<1x4x9xf32>, %w: tensor<4x4x3xf32>) {
  // expected-error@+1 {{needs one stride and dilation and two pads for each of its 1 spatial dimensions}}
  %0 = rl.conv(%x, %w) strides [1] pads [0] dilations [1] : (tensor<1x4x9xf32>, tensor<4x4x3xf32>) -> tensor<1x4x7xf32>
  return
}

// -----

func.func @spatial(%x: tensor<1x4x9x9xf32>, %w: tensor<4x4x3x3xf32>) {
  // expected-error@+1 {{needs one stride and dilation and two pads for each of its 2 spatial dimensions}}
  %0 = rl.conv(%x, %w) strides [1] pads [0, 0] dilations [1] : (tensor<1x4x9x9xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x7x7xf32>
  return
}

// -----

func.func @stride(%x: tensor<1x4x9xf32>, %w: tensor<4x4x3xf32>) {
  // expected-error@+1 {{strides and dilations are 1 and more}}
  %0 = rl.conv(%x, %w) strides [0] pads [0, 0] dilations [1] : (tensor<1x4x9xf32>, tensor<4x4x3xf32>) -> tensor<1x4x7xf32>
  return
}
