// RUN: rl-lower %s --pass-pipeline='builtin.module(func.func(rl-host-loops{vector-bits=256}),canonicalize)' | FileCheck %s

// 10 rows of 4008 (16 KB), each times the same vector: 4 rows at once, and then 2.
// Each has two partial results of a vector of 8, by blocks of 16 up to 4000; the
// last 8 are added to them put together. Loads of the vector that several rows
// share are one when LLVM is done.

// CHECK-LABEL: func.func @rows
// CHECK: scf.for %{{.*}} = %c0 to %c8 step %c4
// CHECK: %[[SUMS:.*]]:8 = scf.for %{{.*}} = %c0 to %c4000 step %c16
// CHECK-COUNT-8: arith.addf
// CHECK-NOT: arith.addf
// CHECK: scf.yield
// CHECK: arith.addf %[[SUMS]]#0, %[[SUMS]]#4
// CHECK: vector.reduction <add>
// CHECK: arith.addf %[[SUMS]]#1, %[[SUMS]]#5
// CHECK-COUNT-3: vector.reduction <add>
// CHECK-COUNT-4: memref.store
// CHECK: %[[REST:.*]]:4 = scf.for %{{.*}} = %c0 to %c4000 step %c16
// CHECK-COUNT-2: memref.store

// Rows of 40 are summed one by one, in four parts.

// CHECK-LABEL: func.func @short
// CHECK: scf.for %{{.*}} = %c0 to %c10 step %c1
// CHECK-COUNT-1: vector.reduction <add>
// CHECK-NOT: vector.reduction
#matrix = affine_map<(i, k) -> (i, k)>
#vector = affine_map<(i, k) -> (k)>
#sums = affine_map<(i, k) -> (i)>
func.func @rows(%w: memref<10x4008xf32>, %x: memref<4008xf32>, %y: memref<10xf32>) {
  linalg.generic {indexing_maps = [#matrix, #vector, #sums], iterator_types = ["parallel", "reduction"]}
      ins(%w, %x : memref<10x4008xf32>, memref<4008xf32>) outs(%y : memref<10xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  }
  return
}
func.func @short(%w: memref<10x40xf32>, %x: memref<40xf32>, %y: memref<10xf32>) {
  linalg.generic {indexing_maps = [#matrix, #vector, #sums], iterator_types = ["parallel", "reduction"]}
      ins(%w, %x : memref<10x40xf32>, memref<40xf32>) outs(%y : memref<10xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  }
  return
}
