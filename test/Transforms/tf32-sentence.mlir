// RUN: rl-opt %s --roofline-report --device=a100-80gb --allow-tf32 | FileCheck %s
//
// With --allow-tf32 the sentence names the ceiling that was used: 156 TFLOP/s.

// CHECK: Bound by matmul throughput: at 341 FLOP/byte it is above the ridge of
// CHECK: 156 TFLOP/s of tf32 decide.
// CHECK-NOT: has no f32 ceiling
func.func @f(%a: tensor<2048x2048xf32>, %b: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
  %0 = rl.contract "mk,kn->mn"(%a, %b)
    : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %0 : tensor<2048x2048xf32>
}
