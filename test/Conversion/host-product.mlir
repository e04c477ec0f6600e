// RUN: rl-lower %s --pass-pipeline='builtin.module(func.func(rl-host-loops{vector-bits=256}),canonicalize)' | FileCheck %s

// 64 × 96 × 32. A vector has 8 lanes and there are 16 registers, so the tiles that
// fit have rows · vectors + vectors + 1 ≤ 16. Cycles for one step of k over all of
// C, where a tile of fewer than 4 vectors takes 4:
//
//   4 × 3: 16 · 4 tiles of 12 = 768; weighed with 1 + 0.05/4 + 0.05/3: 790.4
//   6 × 2: 10 · 6 tiles of 12 and 6 of 4 · 2 = 768; 1 + 0.05/6 + 0.05/2: 793.6
//
// All others leave more over, or have smaller tiles: 4 × 3 is taken, 12
// multiply-adds in a step. Both operands are packed: 64 rows and 96 columns, 32
// deep, are 2048 and 3072 elements. A's rows lie in the order of k: 4 of them are
// turned 4 steps at a time, and what holds them has room for one vector more.

// CHECK-NOT: linalg.fill
// CHECK-DAG: memref.alloc() {alignment = 64 : i64} : memref<2052xf32>
// CHECK-DAG: memref.alloc() {alignment = 64 : i64} : memref<3072xf32>
// CHECK-COUNT-4: vector.load {{.*}} vector<4xf32>
// CHECK-COUNT-8: vector.shuffle
// CHECK-COUNT-4: vector.store {{.*}} vector<4xf32>
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-12: vector.fma
// CHECK-NOT: vector.fma
// CHECK: scf.yield
// CHECK-COUNT-12: vector.store
// CHECK-NOT: vector.store
// CHECK: memref.dealloc
// CHECK: memref.dealloc
func.func @f(%a: memref<64x32xf32>, %b: memref<32x96xf32>, %c: memref<64x96xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x96xf32>)
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x96xf32>) outs(%c : memref<64x96xf32>)
  return
}
