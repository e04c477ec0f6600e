// RUN: rl-lower %s --pass-pipeline='builtin.module(func.func(rl-host-loops{vector-bits=256}),canonicalize)' | FileCheck %s

// The product's results are read twice, so they are written, and the ops behind
// it stand by themselves.

// CHECK: vector.fma
// CHECK: memref.dealloc
// CHECK: math.absf
// CHECK: arith.negf
#id = affine_map<(i, j) -> (i, j)>
func.func @f(%a: memref<64x32xf32>, %b: memref<32x96xf32>, %y: memref<64x96xf32>, %z: memref<64x96xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<64x96xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64x96xf32>)
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x96xf32>) outs(%c : memref<64x96xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<64x96xf32>) outs(%y : memref<64x96xf32>) {
  ^bb0(%x: f32, %old: f32):
    %s = math.absf %x : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<64x96xf32>) outs(%z : memref<64x96xf32>) {
  ^bb0(%x: f32, %old: f32):
    %s = arith.negf %x : f32
    linalg.yield %s : f32
  }
  return
}
