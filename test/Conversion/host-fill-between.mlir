// RUN: rl-lower %s --pass-pipeline='builtin.module(func.func(rl-host-loops{vector-bits=256}),canonicalize)' | FileCheck %s

// A buffer is read, filled again, and read once more. The two readers share rows,
// but the first must not move behind the fill.

// CHECK: vector.load %{{.*}}
// CHECK: vector.store
// CHECK: linalg.fill
// CHECK: scf.for
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @f(%x: memref<4x8xf32>, %y: memref<4x8xf32>, %z: memref<4xf32>, %w: memref<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x8xf32>) outs(%y : memref<4x8xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  }
  linalg.fill ins(%zero : f32) outs(%x : memref<4x8xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : memref<4x8xf32>) outs(%z : memref<4xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  }
  linalg.copy ins(%x : memref<4x8xf32>) outs(%w : memref<4x8xf32>)
  return
}
