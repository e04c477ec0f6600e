// RUN: rl-lower %s --pass-pipeline='builtin.module(func.func(rl-host-loops{vector-bits=256}),canonicalize)' | FileCheck %s

// The sum of each row's exponentials, then their quotients: two nests over the
// same 5 rows are one loop with both inside, and what the first hands the second
// is one row of 16 instead of 5.

// CHECK-LABEL: func.func @group
// CHECK-NOT: memref.alloc() {{.*}}memref<5x16xf32>
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<16xf32>
// CHECK: scf.for %{{.*}} = %c0 to %c5 step %c1
// CHECK: math.exp
// CHECK: vector.reduction <add>
// CHECK: arith.divf
// CHECK-NOT: scf.for
// CHECK: return
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @group(%x: memref<5x16xf32>, %z: memref<5x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = memref.alloc() : memref<5x16xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<5x16xf32>) outs(%e : memref<5x16xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  }
  %sum = memref.alloc() : memref<5xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<5xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : memref<5x16xf32>) outs(%sum : memref<5xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %sum : memref<5x16xf32>, memref<5xf32>) outs(%z : memref<5x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  }
  memref.dealloc %e : memref<5x16xf32>
  memref.dealloc %sum : memref<5xf32>
  return
}
