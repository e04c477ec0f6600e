// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// n elements to m: n - m of what depends on the accumulator, n of the rest.

#in = affine_map<(m, k) -> (m, k)>
#row = affine_map<(m, k) -> (m)>
module {
  func.func @reductions(%x: tensor<4x8xf32>, %mean: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi64>, tensor<4xf32>) {
    %zero = arith.constant 0.0 : f32
    %low = arith.constant 0xFF800000 : f32
    %zero_i = arith.constant 0 : i64
    %e = tensor.empty() : tensor<4xf32>
    %ei = tensor.empty() : tensor<4xi64>
    %sum0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %max0 = linalg.fill ins(%low : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %arg0 = linalg.fill ins(%zero_i : i64) outs(%ei : tensor<4xi64>) -> tensor<4xi64>

    // Maximum and its place, 28 times each: maximum and comparison in f32, the
    // choice of the place in i64. The place itself is an index: free.
    // CHECK: linalg.generic {{.*}}<flops = {
    // CHECK-SAME: vector.i64 = 28
    // CHECK-SAME: vector.f32 = 56
    // CHECK-SAME: }, read = {activation = 128}, written = {activation = 48}, launches = 1>
    %0:2 = linalg.generic {indexing_maps = [#in, #row, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<4x8xf32>) outs(%max0, %arg0 : tensor<4xf32>, tensor<4xi64>) {
    ^bb0(%in: f32, %o: f32, %oi: i64):
      %i = linalg.index 1 : index
      %ii = arith.index_cast %i : index to i64
      %m = arith.maximumf %in, %o : f32
      %c = arith.cmpf ogt, %in, %o : f32
      %s = arith.select %c, %ii, %oi : i64
      linalg.yield %m, %s : f32, i64
    } -> (tensor<4xf32>, tensor<4xi64>)

    // A variance: subtract 32, square 32, add 28. Reads 128 + 16.
    // CHECK: linalg.generic {{.*}}<flops = {vector.f32 = 92}, read = {activation = 144}, written = {activation = 16}, launches = 1>
    %1 = linalg.generic {indexing_maps = [#in, #row, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x, %mean : tensor<4x8xf32>, tensor<4xf32>) outs(%sum0 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_0: f32, %o: f32):
      %d = arith.subf %in, %in_0 : f32
      %q = arith.mulf %d, %d : f32
      %r = arith.addf %q, %o : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>

    // Going on from earlier sums takes all 32 and reads them.
    // CHECK: linalg.reduce {{.*}}<flops = {vector.f32 = 32}, read = {activation = 144}, written = {activation = 16}, launches = 1>
    %2 = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%1 : tensor<4xf32>) dimensions = [1]
    return %0#0, %0#1, %2 : tensor<4xf32>, tensor<4xi64>, tensor<4xf32>
  }
}
