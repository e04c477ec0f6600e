// RUN: rl-lower %s --pass-pipeline='builtin.module(func.func(rl-host-loops{vector-bits=256}),canonicalize)' | FileCheck %s

// One tile of 2 rows and 8 columns: nothing is read twice, so nothing is packed.
// Vectors of B are loaded and elements of A broadcast where they lie.

// CHECK-NOT: memref.alloc
// CHECK: scf.for {{.*}} iter_args
// CHECK: vector.load %{{.*}} : memref<32xf32>, vector<8xf32>
// CHECK-COUNT-2: vector.fma
// CHECK-NOT: vector.fma
// CHECK: return
func.func @f(%a: memref<2x4xf32>, %b: memref<4x8xf32>, %c: memref<2x8xf32>) {
  linalg.matmul ins(%a, %b : memref<2x4xf32>, memref<4x8xf32>) outs(%c : memref<2x8xf32>)
  return
}
