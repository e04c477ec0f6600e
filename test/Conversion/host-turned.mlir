// RUN: rl-lower %s --pass-pipeline='builtin.module(func.func(rl-host-loops{vector-bits=256}),canonicalize)' | FileCheck %s

// Rows of 20 by 8 become columns: 8 vectors of 8 that lie side by side in the input
// are a square, which 3 rounds of 8 shuffles turn. 4 rows are left: the square's
// other vectors are those of the first, and half of each vector is stored.

// CHECK-LABEL: func.func @squares
// CHECK: scf.for %{{.*}} = %c0 to %c16 step %c8
// CHECK-COUNT-8: vector.load {{.*}} vector<8xf32>
// CHECK-NOT: vector.load
// CHECK-COUNT-24: vector.shuffle
// CHECK-NOT: vector.shuffle
// CHECK-COUNT-8: vector.store
// CHECK: }
// CHECK-COUNT-4: vector.load
// CHECK-NOT: vector.load
// CHECK-COUNT-24: vector.shuffle
// CHECK-COUNT-8: vector.maskedstore

// 3 elements lie side by side in the input, less than half a vector: a vector of
// results is gathered.

// CHECK-LABEL: func.func @gathered
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1
// CHECK: vector.gather
// CHECK-NEXT: vector.store

// 3 results lie side by side: vectors of the input are scattered.

// CHECK-LABEL: func.func @scattered
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1
// CHECK: %[[ROW:.*]] = vector.load
// CHECK-NEXT: vector.scatter {{.*}}, %[[ROW]] :
#in = affine_map<(i, j) -> (j, i)>
#out = affine_map<(i, j) -> (i, j)>
func.func @squares(%x: memref<20x8xf32>, %y: memref<8x20xf32>) {
  linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<20x8xf32>) outs(%y : memref<8x20xf32>) {
  ^bb0(%a: f32, %c: f32):
    linalg.yield %a : f32
  }
  return
}
func.func @gathered(%x: memref<20x3xf32>, %y: memref<3x20xf32>) {
  linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<20x3xf32>) outs(%y : memref<3x20xf32>) {
  ^bb0(%a: f32, %c: f32):
    linalg.yield %a : f32
  }
  return
}
func.func @scattered(%x: memref<3x20xf32>, %y: memref<20x3xf32>) {
  linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<3x20xf32>) outs(%y : memref<20x3xf32>) {
  ^bb0(%a: f32, %c: f32):
    linalg.yield %a : f32
  }
  return
}
