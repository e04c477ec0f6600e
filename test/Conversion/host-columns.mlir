// RUN: rl-lower %s --pass-pipeline='builtin.module(func.func(rl-host-loops{vector-bits=256}),canonicalize)' | FileCheck %s

// Columns of 40 rows of 100 are summed: registers hold 4 vectors of 8, so rows
// are added to sums in memory, 8 at a time: 8 to a constant first, then 4
// times 8 to what is there.

// CHECK-LABEL: func.func @columns
// CHECK: scf.for %{{.*}} = %c0 to %c96 step %c8
// CHECK-NOT: vector.load %{{.*}} : memref<100xf32>
// CHECK-COUNT-8: arith.addf
// CHECK-NOT: arith.addf
// CHECK: vector.store
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c32 step %c8
// CHECK: scf.for %{{.*}} = %c0 to %c96 step %c8
// CHECK: vector.load %{{.*}} : memref<100xf32>, vector<8xf32>
// CHECK-COUNT-8: arith.addf
// CHECK: vector.store

// 16 rows are read side by side, with the sums in registers.

// CHECK-LABEL: func.func @few
// CHECK: scf.for %{{.*}} = %c0 to %c96 step %c32
// CHECK: scf.for %{{.*}} = %c0 to %c16 step %c1 iter_args
// CHECK-COUNT-4: arith.addf
// CHECK-NOT: arith.addf
// CHECK: scf.yield
#matrix = affine_map<(j, i) -> (i, j)>
#sums = affine_map<(j, i) -> (j)>
func.func @columns(%x: memref<40x100xf32>, %z: memref<100xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%z : memref<100xf32>)
  linalg.generic {indexing_maps = [#matrix, #sums], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<40x100xf32>) outs(%z : memref<100xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  }
  return
}
func.func @few(%x: memref<16x100xf32>, %z: memref<100xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%z : memref<100xf32>)
  linalg.generic {indexing_maps = [#matrix, #sums], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<16x100xf32>) outs(%z : memref<100xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  }
  return
}
