// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// 8 elements, at the wide type.
//   quantize    divide (special), round, add, clip; 32 + 4 + 1 read, 8 written
//   dequantize  subtract, multiply; 8 + 4 + 1 read, 32 written; without a zero
//               point 1
//   dynamic     minimum, maximum, then quantize; writes scale and zero point too
// Resizing 4x4 to 8x8, 64 elements: nearest 0; linear in 2 dimensions 2·2² = 8,
// cubic 2·4² = 32; coordinates 4·2 more; 4 samples, four times 16.

module {
  func.func @main(%x: tensor<8xf32>, %q: tensor<8xi8>, %s: tensor<f32>, %z: tensor<i8>, %i: tensor<1x1x4x4xf32>) {
    // CHECK: rl.quantize "quantize"{{.*}}<flops = {vector.f32 = 24, special.f32 = 8}, read = {activation = 37}, written = {activation = 8}, launches = 1>
    %0 = rl.quantize "quantize"(%x, %s, %z) : (tensor<8xf32>, tensor<f32>, tensor<i8>) -> tensor<8xi8>
    // CHECK: rl.quantize "dequantize"{{.*}}<flops = {vector.f32 = 16}, read = {activation = 13}, written = {activation = 32}
    %1 = rl.quantize "dequantize"(%q, %s, %z) : (tensor<8xi8>, tensor<f32>, tensor<i8>) -> tensor<8xf32>
    // CHECK: rl.quantize "dequantize"{{.*}}<flops = {vector.f32 = 8}
    %2 = rl.quantize "dequantize"(%q, %s) symmetric : (tensor<8xi8>, tensor<f32>) -> tensor<8xf32>
    // CHECK: rl.quantize "dynamic"{{.*}}<flops = {vector.f32 = 40, special.f32 = 8}, read = {activation = 32}, written = {activation = 13}
    %3:3 = rl.quantize "dynamic"(%x) : (tensor<8xf32>) -> (tensor<8xui8>, tensor<f32>, tensor<ui8>)
    // CHECK: rl.resize "nearest"{{.*}}<flops = {}, read = {activation = 64}, written = {activation = 256}, launches = 1>
    %4 = rl.resize "nearest"(%i) over 2 : (tensor<1x1x4x4xf32>) -> tensor<1x1x8x8xf32>
    // CHECK: rl.resize "linear"{{.*}}<flops = {vector.f32 = 512}
    %5 = rl.resize "linear"(%i) over 2 : (tensor<1x1x4x4xf32>) -> tensor<1x1x8x8xf32>
    // CHECK: rl.resize "cubic"{{.*}}<flops = {vector.f32 = 2048}
    %6 = rl.resize "cubic"(%i) over 2 : (tensor<1x1x4x4xf32>) -> tensor<1x1x8x8xf32>
    // CHECK: rl.resize "linear"{{.*}}<flops = {vector.f32 = 1024}
    %7 = rl.resize "linear"(%i) over 2 coordinates : (tensor<1x1x4x4xf32>) -> tensor<1x1x8x8xf32>
    // CHECK: rl.resize "linear"{{.*}}<flops = {vector.f32 = 4096}
    %8 = rl.resize "linear"(%i) over 2 coordinates {samples = 4 : i64} : (tensor<1x1x4x4xf32>) -> tensor<1x1x8x8xf32>
    return
  }
}
