// RUN: rl-opt %s --rl-place='device=%S/Inputs/ridge-156.json' | FileCheck %s
//
// 312 TFLOP/s over 2.0 TB/s: the ridge is at 156 FLOP/byte. A square f16 product
// of N does 2·N³ FLOPs on 3·2·N² bytes: N/3 FLOP/byte.
//   N = 465  155: memory. 155·2e12 = 3.1e14 FLOP/s attainable;
//            6·465² = 1297350 bytes / 2e12 + 1 ns = 6.49675e-7 s
//   N = 471  157: compute. 3.12e14; 2·471³ = 208974222 FLOPs / 312e12 + 1 ns =
//            6.7078917e-7 s
//   N = 3    1 FLOP/byte and 27 ps: the launch, 1 ns, exceeds both
//   a view   does nothing: no bound, 0 s
//   f32      is no type of this part, and no wider one is: unknown

// CHECK: func.func @main
// CHECK: rl.contract {{.*}}#rl.placement<device = "ridge-156", bound = "memory", limiter = "dram", intensity = 1.550000e+02 : f64, attainable = 3.100000e+14 : f64, seconds = 6.4967{{[0-9]+}}E-7 : f64>
// CHECK: rl.contract {{.*}}#rl.placement<device = "ridge-156", bound = "compute", limiter = "matmul:f16", intensity = 1.570000e+02 : f64, attainable = 3.120000e+14 : f64, seconds = 6.7078917{{[0-9]*}}E-7 : f64>
// CHECK: rl.contract {{.*}}#rl.placement<device = "ridge-156", bound = "overhead", limiter = "launch", intensity = 1.000000e+00 : f64, attainable = 2.000000e+12 : f64, seconds = 1.027{{[0-9]*[eE]-0?9}} : f64>
// CHECK: rl.view {{.*}}#rl.placement<device = "ridge-156", bound = "none", seconds = 0.000000e+00 : f64>
// CHECK: rl.map {{.*}}#rl.placement<device = "ridge-156", bound = "unknown"
!a = tensor<465x465xf16>
!b = tensor<471x471xf16>
!c = tensor<3x3xf16>
func.func @main(%a: !a, %b: !b, %c: !c, %f: tensor<8xf32>) {
  %u = rl.weight "u" : !a
  %v = rl.weight "v" : !b
  %w = rl.weight "w" : !c
  %0 = rl.contract "mk,kn->mn"(%a, %u) : (!a, !a) -> !a
  %1 = rl.contract "mk,kn->mn"(%b, %v) : (!b, !b) -> !b
  %2 = rl.contract "mk,kn->mn"(%c, %w) : (!c, !c) -> !c
  %3 = rl.view "reshape"(%c) : (!c) -> tensor<9xf16>
  %4 = rl.map "relu"(%f) : (tensor<8xf32>) -> tensor<8xf32>
  return
}
