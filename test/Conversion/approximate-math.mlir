// RUN: rl-lower %s --rl-approximate-math | FileCheck %s

// Of vectors of f32, exp, log, erf, tanh, sin and cos become polynomials. A root
// is one instruction, and f64 is left to the library, which is exact.

// CHECK-LABEL: func.func @replaced
// CHECK-NOT: math.{{exp|log|erf|tanh|sin|cos}} 
// CHECK: return
func.func @replaced(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.exp %x : vector<8xf32>
  %1 = math.log %0 : vector<8xf32>
  %2 = math.erf %1 : vector<8xf32>
  %3 = math.tanh %2 : vector<8xf32>
  %4 = math.sin %3 : vector<8xf32>
  %5 = math.cos %4 : vector<8xf32>
  return %5 : vector<8xf32>
}

// CHECK-LABEL: func.func @left
// CHECK: math.sqrt
// CHECK: math.exp %{{.*}} : vector<4xf64>
func.func @left(%x: vector<8xf32>, %y: vector<4xf64>) -> (vector<8xf32>, vector<4xf64>) {
  %0 = math.sqrt %x : vector<8xf32>
  %1 = math.exp %y : vector<4xf64>
  return %0, %1 : vector<8xf32>, vector<4xf64>
}
