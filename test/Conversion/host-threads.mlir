// RUN: rl-lower %s --pass-pipeline='builtin.module(func.func(rl-host-loops{vector-bits=256 threads=2 thread-cycles=0}),canonicalize)' | FileCheck %s
// RUN: rl-lower %s --pass-pipeline='builtin.module(func.func(rl-host-loops{vector-bits=256 threads=2}),canonicalize)' | FileCheck %s --check-prefix=SMALL
// RUN: rl-lower %s --pass-pipeline='builtin.module(func.func(rl-host-loops{vector-bits=256 thread-cycles=0}),canonicalize)' | FileCheck %s --check-prefix=ONE

// What two threads have of each loop nest. By default none of these is large enough
// for a second one.

// SMALL-NOT: scf.forall
// ONE-NOT: scf.forall

// 200 floats are 6 blocks of 4 vectors of 8 and a rest of one: of these 7 steps the
// first thread has 0 … 2, the second 3 … 5 and then what is left, from 192 on.

// CHECK-LABEL: func.func @vectors
// CHECK: scf.forall (%[[PART:.*]]) in (2)
// CHECK: %[[LOW:.*]] = arith.muli %[[PART]], %c7
// CHECK: %[[BEGIN:.*]] = arith.divui %[[LOW]], %c2
// CHECK: %[[FROM:.*]] = arith.muli %[[BEGIN]], %c32
// CHECK: %[[NEXT:.*]] = arith.addi %[[PART]], %c1
// CHECK: %[[HIGH:.*]] = arith.muli %[[NEXT]], %c7
// CHECK: %[[END:.*]] = arith.divui %[[HIGH]], %c2
// CHECK: %[[TO:.*]] = arith.muli %[[END]], %c32
// CHECK: %[[WHOLE:.*]] = arith.minsi %[[TO]], %c192
// CHECK: scf.for %{{.*}} = %[[FROM]] to %[[WHOLE]] step %c32
// CHECK: %[[LAST:.*]] = arith.cmpi eq, %[[PART]], %c1
// CHECK: scf.if %[[LAST]]
// CHECK-NEXT: vector.load %{{.*}}[%c192]
#one = affine_map<(i) -> (i)>
func.func @vectors(%x: memref<200xf32>, %z: memref<200xf32>) {
  linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%x : memref<200xf32>) outs(%z : memref<200xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = math.absf %a : f32
    linalg.yield %s : f32
  }
  return
}

// Sums of 6 rows: 3 each, and no reduction is cut.

// CHECK-LABEL: func.func @sums
// CHECK: scf.forall (%[[PART:.*]]) in (2)
// CHECK: %[[FROM:.*]] = arith.muli %[[PART]], %c3
// CHECK: %[[NEXT:.*]] = arith.addi %[[PART]], %c1
// CHECK: %[[TO:.*]] = arith.muli %[[NEXT]], %c3
// CHECK: scf.for %{{.*}} = %[[FROM]] to %[[TO]] step %c1
// CHECK: scf.for %{{.*}} = %c0 to %c96 step %c32
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @sums(%x: memref<6x96xf32>, %z: memref<6xf32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<6x96xf32>) outs(%z : memref<6xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  }
  return
}

// One sum has nothing that could be shared.

// CHECK-LABEL: func.func @sum(
// CHECK-NOT: scf.forall
#none = affine_map<(i) -> ()>
func.func @sum(%x: memref<100xf32>, %z: memref<f32>) {
  linalg.generic {indexing_maps = [#one, #none], iterator_types = ["reduction"]}
      ins(%x : memref<100xf32>) outs(%z : memref<f32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  }
  return
}

// Two nests over 5 rows: 2 and 3, and the row that one hands the other is each
// thread's own.

// CHECK-LABEL: func.func @rows
// CHECK-NOT: memref.alloc
// CHECK: scf.forall (%[[PART:.*]]) in (2)
// CHECK: %[[ROW:.*]] = memref.alloc() {{.*}} : memref<16xf32>
// CHECK: arith.muli %[[PART]], %c5
// CHECK: scf.for
// CHECK: vector.store %{{.*}}, %[[ROW]]
// CHECK: vector.reduction <add>
// CHECK: memref.dealloc %[[ROW]]
func.func @rows(%x: memref<5x16xf32>, %z: memref<5xf32>) {
  %e = memref.alloc() : memref<5x16xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<5x16xf32>) outs(%e : memref<5x16xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : memref<5x16xf32>) outs(%z : memref<5xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  }
  memref.dealloc %e : memref<5x16xf32>
  return
}

// 24 × 64 × 8 in tiles of 4 rows by 3 vectors. Half of the rows are 3 tiles by 2
// and two thirds of one: 3 · (2 · 12 + 8) = 96 cycles for each of 8 k, 768; with 12
// · 8 elements of A and 8 · 64 / 8 vectors of B to pack, 928. Half of the columns,
// in whole tiles, are 48 of 64: 6 · 2 · 12 · 8 = 1152 without packing. So it is the
// rows: 12 of A are packed at once, 96 elements and room for 4 more behind the
// last, and all 72 columns (3 tiles) of B, 576, by each.

// CHECK-LABEL: func.func @product
// CHECK-NOT: memref.alloc
// CHECK: scf.forall (%[[PART:.*]]) in (2)
// CHECK-DAG: memref.alloc() {{.*}} : memref<100xf32>
// CHECK-DAG: memref.alloc() {{.*}} : memref<576xf32>
// CHECK: %[[FROM:.*]] = arith.muli %{{.*}}, %c12
// CHECK: %[[TO:.*]] = arith.muli %{{.*}}, %c12
// CHECK: scf.for %{{.*}} = %[[FROM]] to %[[TO]] step %c12
// CHECK-COUNT-2: memref.dealloc
func.func @product(%a: memref<24x8xf32>, %b: memref<8x64xf32>, %c: memref<24x64xf32>) {
  linalg.matmul ins(%a, %b : memref<24x8xf32>, memref<8x64xf32>) outs(%c : memref<24x64xf32>)
  return
}
