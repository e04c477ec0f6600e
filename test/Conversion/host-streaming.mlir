// RUN: rl-lower %s --pass-pipeline='builtin.module(func.func(rl-host-loops{vector-bits=256}),canonicalize)' | FileCheck %s

// Results from 16 MiB on are written past the caches, which takes vectors that
// begin at a multiple of their size. 4096 rows of 1024 floats are such, 16 MiB;
// rows of 1025 aren't, except the first.

// CHECK-LABEL: func.func @aligned
// CHECK: vector.store %{{.*}} {alignment = 32 : i64, nontemporal = true}
// CHECK-LABEL: func.func @unaligned
// CHECK: vector.store
// CHECK-NOT: nontemporal
// CHECK-LABEL: func.func @behind_another
// CHECK: vector.store
// CHECK-NOT: nontemporal
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @aligned(%x: memref<1024xf32>, %z: memref<4096x1024xf32>) {
  linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<1024xf32>) outs(%z : memref<4096x1024xf32>) {
  ^bb0(%a: f32, %c: f32):
    linalg.yield %a : f32
  }
  return
}
func.func @unaligned(%x: memref<1025xf32>, %z: memref<4096x1025xf32>) {
  linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<1025xf32>) outs(%z : memref<4096x1025xf32>) {
  ^bb0(%a: f32, %c: f32):
    linalg.yield %a : f32
  }
  return
}
// The second part of a buffer, behind a first of 4097 elements.
func.func @behind_another(%x: memref<4194304xf32>, %z: memref<4198401xf32>) {
  %part = memref.subview %z[4097] [4194304] [1] : memref<4198401xf32> to memref<4194304xf32, strided<[1], offset: 4097>>
  linalg.copy ins(%x : memref<4194304xf32>) outs(%part : memref<4194304xf32, strided<[1], offset: 4097>>)
  return
}
