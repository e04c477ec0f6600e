// RUN: rl-lower %s --rl-own-fills | FileCheck %s
// RUN: rl-lower %s --rl-own-fills --canonicalize --rl-host-pipeline --mlir-print-ir-after=rl-host-loops 2>&1 >/dev/null | FileCheck %s --check-prefix=LOOPS

// A maximum and a sum of rows that start from one empty tensor: each fill gets a
// tensor of its own, so that both nests are in one loop over the 5 rows.

// CHECK-LABEL: func.func @two
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[FIRST:.*]] : tensor<5xf32>)
// CHECK-NOT: linalg.fill ins(%{{.*}}) outs(%[[FIRST]] :
// CHECK: linalg.fill ins(%{{.*}}) outs(%{{.*}} : tensor<5xf32>)

// LOOPS: scf.for %{{.*}} = %c0 to %c5 step %c1
// LOOPS: vector.reduction <maxnumf>
// LOOPS: vector.reduction <add>
// LOOPS-NOT: scf.for {{.*}} to %c5
// LOOPS: return
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @two(%x: tensor<5x16xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<5xf32>
  %0 = linalg.fill ins(%least : f32) outs(%empty : tensor<5xf32>) -> tensor<5xf32>
  %most = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x16xf32>) outs(%0 : tensor<5xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.maxnumf %c, %a : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%empty : tensor<5xf32>) -> tensor<5xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %most : tensor<5x16xf32>, tensor<5xf32>) outs(%1 : tensor<5xf32>) {
  ^bb0(%a: f32, %m: f32, %c: f32):
    %d = arith.subf %a, %m : f32
    %s = arith.addf %c, %d : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  return %most, %sum : tensor<5xf32>, tensor<5xf32>
}

// Zeros that a loop starts from, and those its body's product starts from: one
// stays before the loop, the other goes into it.

// CHECK-LABEL: func.func @in_a_loop
// CHECK: %[[START:.*]] = linalg.fill
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[START]])
// CHECK: %[[ZEROS:.*]] = linalg.fill
// CHECK: linalg.matmul {{.*}} outs(%[[ZEROS]] : tensor<4x4xf32>)
func.func @in_a_loop(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %empty = tensor.empty() : tensor<4x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%sum = %zeros) -> tensor<4x4xf32> {
    %p = linalg.matmul ins(%x, %sum : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) -> tensor<4x4xf32>
    %n = linalg.add ins(%p, %sum : tensor<4x4xf32>, tensor<4x4xf32>) outs(%sum : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %n : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
