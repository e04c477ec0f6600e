// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// One operation for each arithmetic op of the body at each point; exp and
// division are special; casts 1; what is the same at every point, and what
// nothing reads, is free; a broadcast operand is read at its own size.

#id = affine_map<(i, j) -> (i, j)>
#col = affine_map<(i, j) -> (j)>
#t = affine_map<(i, j) -> (j, i)>
module {
  func.func @bodies(%x: tensor<4x8xf32>, %b: tensor<8xf32>) {
    %eps = arith.constant 1.0e-5 : f64
    %one = arith.constant 1.0 : f32
    %e = tensor.empty() : tensor<4x8xf32>
    // Bias with a constant's cast (free) added: 2·32. Reads 128 + 32.
    // CHECK: linalg.generic {{.*}}<flops = {vector.f32 = 64}, read = {activation = 160}, written = {activation = 128}, launches = 1>
    %0 = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in_0: f32, %o: f32):
      %c = arith.truncf %eps : f64 to f32
      %s = arith.addf %in, %in_0 : f32
      %dead = math.exp %s : f32
      %r = arith.addf %s, %c : f32
      linalg.yield %r : f32
    } -> tensor<4x8xf32>
    // Sigmoid: negate, add in vector; exp, divide in special.
    // CHECK: linalg.generic {{.*}}<flops = {
    // CHECK-SAME: special.f32 = 64
    // CHECK-SAME: vector.f32 = 64
    // CHECK-SAME: read = {activation = 128}, written = {activation = 128}, launches = 1>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%in: f32, %o: f32):
      %n = arith.negf %in : f32
      %x0 = math.exp %n : f32
      %d = arith.addf %x0, %one : f32
      %r = arith.divf %one, %d : f32
      linalg.yield %r : f32
    } -> tensor<4x8xf32>
    // A cast counts at the wider type.
    // CHECK: linalg.generic {{.*}}<flops = {vector.f32 = 32}, read = {activation = 128}, written = {activation = 64}, launches = 1>
    %eh = tensor.empty() : tensor<4x8xf16>
    %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%1 : tensor<4x8xf32>) outs(%eh : tensor<4x8xf16>) {
    ^bb0(%in: f32, %o: f16):
      %r = arith.truncf %in : f32 to f16
      linalg.yield %r : f16
    } -> tensor<4x8xf16>
    // Transpositions only move.
    // CHECK: linalg.generic {{.*}}<flops = {}, read = {activation = 128}, written = {activation = 128}, launches = 1>
    // CHECK: linalg.transpose {{.*}}<flops = {}, read = {activation = 128}, written = {activation = 128}, launches = 1>
    %et = tensor.empty() : tensor<8x4xf32>
    %3 = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<4x8xf32>) outs(%et : tensor<8x4xf32>) {
    ^bb0(%in: f32, %o: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %4 = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%et : tensor<8x4xf32>) permutation = [1, 0]
    // CHECK: linalg.map {{.*}}<flops = {vector.f32 = 32}, read = {activation = 256}, written = {activation = 128}, launches = 1>
    %5 = linalg.map { arith.maximumf } ins(%x, %0 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>)
    // CHECK: linalg.elementwise {{.*}}<flops = {special.f32 = 32}, read = {activation = 128}, written = {activation = 128}, launches = 1>
    %6 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    return
  }
}
