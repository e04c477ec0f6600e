// RUN: rl-opt %s -split-input-file -verify-diagnostics

func.func @kernel(%x: tensor<1x1x4xf32>) {
  // expected-error@+1 {{kernel size 0 is out of range (1 to 2^20)}}
  %0 = rl.pool "max"(%x) kernel [0] strides [1] pads [0, 0] dilations [1] : (tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  return
}

// -----

func.func @large(%x: tensor<1x1x4xf32>) {
  // expected-error@+1 {{kernel size 1048577 is out of range (1 to 2^20)}}
  %0 = rl.pool "max"(%x) kernel [1048577] strides [1] pads [0, 0] dilations [1] : (tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  return
}

// -----

func.func @window(%x: tensor<1x1x4xf32>) {
  // expected-error@+1 {{needs one stride and dilation and two pads for each of its 1 spatial dimensions}}
  %0 = rl.pool "max"(%x) kernel [2] strides [1, 1] pads [0, 0] dilations [1] : (tensor<1x1x4xf32>) -> tensor<1x1x3xf32>
  return
}

// -----

func.func @pool(%x: tensor<1x1x4xf32>) {
  // expected-error@+1 {{has the unknown kind "min"; known are average, max, lp}}
  %0 = rl.pool "min"(%x) kernel [2] strides [1] pads [0, 0] dilations [1] : (tensor<1x1x4xf32>) -> tensor<1x1x3xf32>
  return
}

// -----

func.func @filter(%x: tensor<4xf32>) {
  // expected-error@+1 {{has the unknown kind "zero"; known are nonzero, compress, unique, nms}}
  %0 = rl.filter "zero"(%x) : (tensor<4xf32>) -> tensor<1x4xi64>
  return
}

// -----

func.func @length(%x: tensor<4xf32>) {
  // expected-error@+1 {{length has 2 sizes, not 1}}
  %0 = rl.fft "dft"(%x) {count = #rl.dims<[1]>, length = #rl.dims<[4, 4]>} : (tensor<4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @count(%x: tensor<4xf32>) {
  // expected-error@+1 {{count has 0 sizes, not 1}}
  %0 = rl.fft "dft"(%x) {count = #rl.dims<[]>, length = #rl.dims<[4]>} : (tensor<4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @fft(%x: tensor<4xf32>) {
  // expected-error@+1 {{has the unknown kind "dct"; known are dft, stft}}
  %0 = rl.fft "dct"(%x) {count = #rl.dims<[1]>, length = #rl.dims<[4]>} : (tensor<4xf32>) -> tensor<4x2xf32>
  return
}
