// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// A reduction of products of two operands is a contraction, whatever the op's
// name, its loops and the casts on the way.

#x = affine_map<(b, s, d, h, e) -> (b, s, h, e)>
#w = affine_map<(b, s, d, h, e) -> (h, e, d)>
#y = affine_map<(b, s, d, h, e) -> (b, s, d)>
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#row = affine_map<(m, n, k) -> (k)>
#out = affine_map<(m, n, k) -> (m, n)>
module {
  func.func @contractions(%x: tensor<2x16x4x8xf32>, %w: tensor<4x8x32xf32>, %y: tensor<2x16x32xf32>,
                          %a: tensor<4x8xi8>, %b: tensor<8x16xi8>, %c: tensor<4x16xi32>,
                          %h: tensor<4x8xf16>, %q: tensor<8x16xi4>, %s: tensor<8xf16>, %acc: tensor<4x16xf32>) {
    // Two reduction loops: 2·(2·16·32)·(4·8) = 65536;
    // reads 4·(1024 + 1024 + 1024) = 12288.
    // CHECK: linalg.generic {{.*}}<flops = {matmul.f32 = 65536}, read = {activation = 12288}, written = {activation = 4096}, launches = 1>
    %0 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
        ins(%x, %w : tensor<2x16x4x8xf32>, tensor<4x8x32xf32>) outs(%y : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_0: f32, %o: f32):
      %p = arith.mulf %in, %in_0 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x16x32xf32>

    // Sign extensions are the matrix unit's: 2·4·16·8 = 1024 at i8;
    // reads 32 + 128 + 256 = 416.
    // CHECK: linalg.generic {{.*}}<flops = {matmul.i8 = 1024}, read = {activation = 416}, written = {activation = 256}, launches = 1>
    %1 = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<4x8xi8>, tensor<8x16xi8>) outs(%c : tensor<4x16xi32>) {
    ^bb0(%in: i8, %in_0: i8, %o: i32):
      %l = arith.extsi %in : i8 to i32
      %m = arith.extsi %in_0 : i8 to i32
      %p = arith.muli %l, %m : i32
      %r = arith.addi %p, %o : i32
      linalg.yield %r : i32
    } -> tensor<4x16xi32>

    // A scale on the way multiplies each weight once: 8·16 = 128 in f16, and
    // f16 times i4 is f16. Reads 64 + 64 + 16 + 256 = 400.
    // CHECK: linalg.generic {{.*}}<flops = {matmul.f16 = 1024, vector.f16 = 128}, read = {activation = 400}, written = {activation = 256}, launches = 1>
    %2 = linalg.generic {indexing_maps = [#lhs, #rhs, #row, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%h, %q, %s : tensor<4x8xf16>, tensor<8x16xi4>, tensor<8xf16>) outs(%acc : tensor<4x16xf32>) {
    ^bb0(%in: f16, %in_0: i4, %in_1: f16, %o: f32):
      %f = arith.sitofp %in_0 : i4 to f16
      %d = arith.mulf %f, %in_1 : f16
      %p = arith.mulf %in, %d : f16
      %e = arith.extf %p : f16 to f32
      %r = arith.addf %o, %e : f32
      linalg.yield %r : f32
    } -> tensor<4x16xf32>
    return
  }
}
