// RUN: rl-opt %s --rl-place='device=a100-80gb' | FileCheck %s --check-prefixes=CHECK,A100
// RUN: rl-opt %s --rl-place | FileCheck %s --check-prefixes=CHECK,DEFAULT
// RUN: rl-opt %s --rl-place='device=a100-80gb allow-tf32=true' | FileCheck %s --check-prefixes=CHECK,TF32
// RUN: rl-opt %s --rl-place='device=%devices/t4.json' | FileCheck %s --check-prefix=FILE
//
// By a bundled name, by file, and h100-sxm where nothing is said. A square f32
// product of 4096 does 2·4096³ = 137438953472 FLOPs on 201326592 bytes: 682.67
// FLOP/byte. An A100 has no f32 tensor pipes: 19.5 TFLOP/s on the vector ones,
// 7.048 ms; with tf32 allowed 156 TFLOP/s, 0.8825 ms and 1.5 us of launch.

// CHECK-LABEL: @main
// A100: device = "a100-80gb", bound = "compute", limiter = "matmul:f32", intensity = 682.66666666666663 : f64, attainable = 1.950000e+13 : f64, seconds = 0.00704{{9.*}} : f64
// TF32: device = "a100-80gb", bound = "compute", limiter = "matmul:f32", intensity = 682.66666666666663 : f64, attainable = 1.560000e+14 : f64, seconds = 8.82{{5.*}}E-4 : f64
// DEFAULT: device = "h100-sxm", bound = "compute"
// FILE: device = "t4", bound = "compute"
!m = tensor<4096x4096xf32>
func.func @main(%a: !m, %b: !m) {
  %0 = rl.contract "mk,kn->mn"(%a, %b) : (!m, !m) -> !m
  return
}
