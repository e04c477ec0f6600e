// RUN: rl-lower %s --pass-pipeline='builtin.module(func.func(rl-host-loops{vector-bits=256}),canonicalize)' | FileCheck %s

// What is done to a product's results is done to the tile in registers: the
// product's own buffer, 2 vectors of 8, is never written.

// CHECK: memref.reinterpret_cast %arg3
// CHECK-COUNT-2: vector.fma
// CHECK: scf.yield
// CHECK: arith.addf %{{.*}} : vector<8xf32>
// CHECK: arith.maximumf %{{.*}} : vector<8xf32>
// CHECK: vector.store %{{.*}}, %reinterpret_cast[%c0]
// CHECK: arith.addf %{{.*}} : vector<8xf32>
// CHECK: arith.maximumf %{{.*}} : vector<8xf32>
// CHECK: vector.store %{{.*}}, %reinterpret_cast[%c8]
// CHECK-NOT: vector.store
// CHECK: return
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @f(%a: memref<2x4xf32>, %b: memref<4x8xf32>, %bias: memref<8xf32>, %z: memref<2x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<2x8xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<2x8xf32>)
  linalg.matmul ins(%a, %b : memref<2x4xf32>, memref<4x8xf32>) outs(%c : memref<2x8xf32>)
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias : memref<2x8xf32>, memref<8xf32>) outs(%z : memref<2x8xf32>) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %s = arith.addf %x, %y : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  }
  memref.dealloc %c : memref<2x8xf32>
  return
}
