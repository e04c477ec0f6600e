// RUN: rl-lower %s --pass-pipeline='builtin.module(func.func(rl-host-loops{vector-bits=256}),canonicalize)' | FileCheck %s

// Operands lie side by side along the reduction, so that is the loop of vectors.
// 67 elements are 2 blocks of 4 partial sums of 8, no vector more, and 3 lanes of
// a masked one, of which the others keep the sum so far. The sum starts from the
// fill's element, and the fill itself is gone.

// CHECK-NOT: linalg.fill
// CHECK: scf.for %{{.*}} = %c0 to %c5 step %c1
// CHECK: %[[PARTS:.*]]:4 = scf.for %{{.*}} = %c0 to %c64 step %c32
// CHECK-COUNT-4: arith.addf %{{.*}} : vector<8xf32>
// CHECK: scf.yield
// CHECK-COUNT-3: arith.addf %{{.*}} : vector<8xf32>
// CHECK: vector.maskedload
// CHECK: %[[LAST:.*]] = arith.addf
// CHECK: arith.select %{{.*}}, %[[LAST]], %{{.*}} : vector<8xi1>, vector<8xf32>
// CHECK: vector.reduction <add>, %{{.*}}, %cst{{.*}} : vector<8xf32> into f32
// CHECK: memref.store
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @f(%x: memref<5x67xf32>, %z: memref<5xf32>) {
  %zero = arith.constant 7.0 : f32
  linalg.fill ins(%zero : f32) outs(%z : memref<5xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<5x67xf32>) outs(%z : memref<5xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  }
  return
}
