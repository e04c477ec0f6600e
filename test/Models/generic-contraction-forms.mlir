// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// Other spellings of a product's accumulation, 2·4·16·8 = 1024 each; operations
// that aren't the multiply-add are counted beside it. Each reads
// 4·(32 + 128 + 64) = 896 and writes 256.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
module {
  func.func @forms(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) {
    %half = arith.constant 0.5 : f32
    // One fused instruction.
    // CHECK: linalg.generic {{.*}}<flops = {matmul.f32 = 1024}, read = {activation = 896}, written = {activation = 256}, launches = 1>
    %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %r = math.fma %x, %y, %o : f32
      linalg.yield %r : f32
    } -> tensor<4x16xf32>
    // Taken away.
    // CHECK: linalg.generic {{.*}}<flops = {matmul.f32 = 1024}, read = {activation = 896}, written = {activation = 256}, launches = 1>
    %1 = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %p = arith.mulf %x, %y : f32
      %r = arith.subf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<4x16xf32>
    // A scale around the product happens at each of 4·16·8 = 512 points.
    // CHECK: linalg.generic {{.*}}<flops = {matmul.f32 = 1024, vector.f32 = 512}, read = {activation = 896}, written = {activation = 256}, launches = 1>
    %2 = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.mulf %p, %half : f32
      %r = arith.addf %s, %o : f32
      linalg.yield %r : f32
    } -> tensor<4x16xf32>
    // Scalars boxed in tensors of rank 0.
    // CHECK: linalg.generic {{.*}}<flops = {matmul.f32 = 1024}, read = {activation = 896}, written = {activation = 256}, launches = 1>
    %3 = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %p = arith.mulf %x, %y : f32
      %box = tensor.from_elements %o : tensor<f32>
      %acc = tensor.extract %box[] : tensor<f32>
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    } -> tensor<4x16xf32>
    return
  }
}
