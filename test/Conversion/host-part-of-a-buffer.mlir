// RUN: rl-lower %s --pass-pipeline='builtin.module(func.func(rl-host-loops{vector-bits=256}),canonicalize)' | FileCheck %s

// The inside of a bordered buffer is written, then the whole is read: 2 rows of 8
// within 4 of 10. Rows of the part aren't rows of the whole, so the reduction must
// not begin before all of the copy is done: two loops, one after the other.

// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1
// CHECK: vector.store
// CHECK: }
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c1
// CHECK: vector.reduction <add>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @f(%x: memref<2x8xf32>, %whole: memref<4x10xf32>, %z: memref<4xf32>) {
  %part = memref.subview %whole[1, 1] [2, 8] [1, 1] : memref<4x10xf32> to memref<2x8xf32, strided<[10, 1], offset: 11>>
  linalg.copy ins(%x : memref<2x8xf32>) outs(%part : memref<2x8xf32, strided<[10, 1], offset: 11>>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%whole : memref<4x10xf32>) outs(%z : memref<4xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  }
  return
}
