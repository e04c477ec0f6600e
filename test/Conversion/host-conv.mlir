// RUN: rl-lower %s --pass-pipeline='builtin.module(func.func(rl-host-loops{vector-bits=256}),canonicalize)' | FileCheck %s

// A convolution is a product: 16 filters by 6 · 6 positions, 4 channels of 3 · 3
// taps deep. n is 6 lines of 6, which a vector of 8 holds side by side in packed
// B: a row has 36 elements, 40 in whole vectors, and one vector behind them that
// a line's end may run over; that is 6 vectors, and an odd number of them 7, or 56
// elements. 36 steps and a vector: 36 · 56 + 8 = 2024.

// CHECK: memref.alloc() {alignment = 64 : i64} : memref<2024xf32>
// CHECK: vector.maskedload %{{.*}} : memref<256xf32>
// CHECK: vector.fma
// CHECK-NOT: linalg
// CHECK: return
func.func @f(%x: memref<1x4x8x8xf32>, %w: memref<16x4x3x3xf32>, %y: memref<1x16x6x6xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<1x16x6x6xf32>)
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<1x4x8x8xf32>, memref<16x4x3x3xf32>) outs(%y : memref<1x16x6x6xf32>)
  return
}
