// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// What looks like a product's accumulation and is none.

#in = affine_map<(m, k) -> (m, k)>
#row = affine_map<(m, k) -> (m)>
module {
  func.func @friends(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %s: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>

    // A sum of squares: 32 multiplications, 32 - 4 additions.
    // CHECK: linalg.generic {{.*}}<flops = {vector.f32 = 60}, read = {activation = 128}, written = {activation = 16}, launches = 1>
    %0 = linalg.generic {indexing_maps = [#in, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) {
    ^bb0(%in: f32, %o: f32):
      %p = arith.mulf %in, %in : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>

    // The same with the tensor given twice; it is read once.
    // CHECK: linalg.generic {{.*}}<flops = {vector.f32 = 60}, read = {activation = 128}, written = {activation = 16}, launches = 1>
    %1 = linalg.generic {indexing_maps = [#in, #in, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x, %x : tensor<4x8xf32>, tensor<4x8xf32>) outs(%init : tensor<4xf32>) {
    ^bb0(%in: f32, %in_0: f32, %o: f32):
      %p = arith.mulf %in, %in_0 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>

    // A scale of each row: one factor doesn't change along what is summed.
    // Reads 128 + 16.
    // CHECK: linalg.generic {{.*}}<flops = {vector.f32 = 60}, read = {activation = 144}, written = {activation = 16}, launches = 1>
    %2 = linalg.generic {indexing_maps = [#in, #row, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
    ^bb0(%in: f32, %in_0: f32, %o: f32):
      %p = arith.mulf %in, %in_0 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>

    // A multiplication, then a sum: 32, then 32 - 4.
    // CHECK: linalg.mul {{.*}}<flops = {vector.f32 = 32}, read = {activation = 256}, written = {activation = 128}, launches = 1>
    // CHECK: linalg.reduce {{.*}}<flops = {vector.f32 = 28}, read = {activation = 128}, written = {activation = 16}, launches = 1>
    %e2 = tensor.empty() : tensor<4x8xf32>
    %p = linalg.mul ins(%x, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e2 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = linalg.reduce { arith.addf } ins(%p : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
    return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
