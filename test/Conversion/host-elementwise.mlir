// RUN: rl-lower %s --pass-pipeline='builtin.module(func.func(rl-host-loops{vector-bits=256}),canonicalize)' | FileCheck %s

// All operands lie in one piece, so 5 × 29 elements are one loop of 145, by
// vectors of 256 / 32 = 8: four at a time for 128 of them, two more up to 144,
// and one element of a vector that is masked.

// CHECK: scf.for %{{.*}} = %c0 to %c128 step %c32
// CHECK-COUNT-4: arith.addf %{{.*}} : vector<8xf32>
// CHECK: }
// CHECK-COUNT-2: arith.addf %{{.*}} : vector<8xf32>
// CHECK: vector.constant_mask [1] : vector<8xi1>
// CHECK: vector.maskedload %{{.*}}[%c144]
// CHECK: vector.maskedload %{{.*}}[%c144]
// CHECK: vector.maskedstore %{{.*}}[%c144]
// CHECK-NOT: scf.for
// CHECK: return
#id = affine_map<(i, j) -> (i, j)>
func.func @f(%x: memref<5x29xf32>, %y: memref<5x29xf32>, %z: memref<5x29xf32>) {
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : memref<5x29xf32>, memref<5x29xf32>) outs(%z : memref<5x29xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}
