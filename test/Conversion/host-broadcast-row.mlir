// RUN: rl-lower %s --pass-pipeline='builtin.module(func.func(rl-host-loops{vector-bits=256}),canonicalize)' | FileCheck %s

// The row begins anew each time, so there are two loops: 5 rows of one vector of
// 8. Along a vector the column's element is the same for all lanes.

// CHECK: scf.for %[[I:.*]] = %c0 to %c5 step %c1
// CHECK-NOT: scf.for
// CHECK: %[[AT:.*]] = arith.muli %[[I]], %c8
// CHECK: vector.load %arg0[%c0] : memref<8xf32>, vector<8xf32>
// CHECK: %[[Y:.*]] = memref.load %arg1[%[[I]]]
// CHECK: vector.broadcast %[[Y]] : f32 to vector<8xf32>
// CHECK: vector.store %{{.*}}[%[[AT]]] : memref<40xf32>, vector<8xf32>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
#column = affine_map<(i, j) -> (i)>
func.func @f(%x: memref<8xf32>, %y: memref<5xf32>, %z: memref<5x8xf32>) {
  linalg.generic {indexing_maps = [#row, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : memref<8xf32>, memref<5xf32>) outs(%z : memref<5x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}
