// RUN: rl-opt %s -split-input-file -verify-diagnostics

func.func @kind(%x: tensor<4xf32>) {
  // expected-error@+1 {{'rl.map' op has the unknown kind "relux" and no body that says what it costs}}
  %0 = rl.map "relux"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @nothing() {
  // expected-error@+1 {{needs 1 input at least}}
  %0 = rl.map "relu"() : () -> tensor<4xf32>
  return
}

// -----

func.func @to_nothing(%x: tensor<4xf32>) {
  // expected-error@+1 {{needs a result}}
  rl.map "relu"(%x) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @quantize(%x: tensor<4xf32>) {
  // expected-error@+1 {{has the unknown kind "requantize"; known are quantize, dequantize, dynamic}}
  %0 = rl.quantize "requantize"(%x) : (tensor<4xf32>) -> tensor<4xi8>
  return
}

// -----

func.func @resize(%x: tensor<4xf32>) {
  // expected-error@+1 {{has the unknown kind "bicubic"; known are nearest, linear, cubic}}
  %0 = rl.resize "bicubic"(%x) over 1 : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @over(%x: tensor<4xf32>) {
  // expected-error@+1 {{resizes 17 dimensions; 0 to 16 can be}}
  %0 = rl.resize "linear"(%x) over 17 : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @scalar(%x: f32) {
  // expected-error@+1 {{must be variadic of}}
  %0 = "rl.map"(%x) <{kind = "relu"}> : (f32) -> tensor<4xf32>
  return
}
