// RUN: rl-lower %s --pass-pipeline='builtin.module(func.func(rl-host-loops{vector-bits=256}),canonicalize)' | FileCheck %s

// Each of 20 elements twice: two loops become one of 40, of which a vector of 8
// holds 4 elements, each twice. 32 results at once, and then a vector; what is
// added goes along with the results.

// CHECK-LABEL: func.func @twice
// CHECK: %[[HALF:.*]] = vector.load %{{.*}}[%c0] : memref<20xf32>, vector<4xf32>
// CHECK: vector.shuffle %[[HALF]], %[[HALF]] [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xf32>, vector<4xf32>
// CHECK: vector.load %{{.*}}[%c0] : memref<40xf32>, vector<8xf32>
// CHECK: vector.store
// CHECK-COUNT-4: vector.shuffle
// CHECK-NOT: vector.shuffle
// CHECK: return

// 3 lanes don't divide 8.

// CHECK-LABEL: func.func @thrice
// CHECK-NOT: vector.shuffle
// CHECK: return
#all = affine_map<(i, j) -> (i, j)>
#outer = affine_map<(i, j) -> (i)>
func.func @twice(%x: memref<20xf32>, %y: memref<20x2xf32>, %z: memref<20x2xf32>) {
  linalg.generic {indexing_maps = [#outer, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : memref<20xf32>, memref<20x2xf32>) outs(%z : memref<20x2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}
func.func @thrice(%x: memref<20xf32>, %z: memref<20x3xf32>) {
  linalg.generic {indexing_maps = [#outer, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<20xf32>) outs(%z : memref<20x3xf32>) {
  ^bb0(%a: f32, %c: f32):
    linalg.yield %a : f32
  }
  return
}
