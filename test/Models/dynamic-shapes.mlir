// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// Sizes follow through tensor.dim and integer arithmetic of any spelling.

#double = affine_map<()[s0] -> (s0 * 2)>
module {
  func.func @sizes(%x: tensor<?x8xf32>, %w: tensor<8x16xf32>) {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %big = arith.constant 1000 : index
    %n = tensor.dim %x, %c0 : tensor<?x8xf32>
    // CHECK: linalg.matmul {{.*}}<flops = {matmul.f32 = "256*arg0[0]"}, read = {activation = "32*arg0[0] + 512"}, written = {activation = "64*arg0[0]"}, launches = 1>
    %e = tensor.empty(%n) : tensor<?x16xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
    %m = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x16xf32>) outs(%f : tensor<?x16xf32>) -> tensor<?x16xf32>
    // ⌊(n - 1) / 2⌋ + 1 is ⌈n / 2⌉.
    // CHECK: linalg.exp {{.*}}<flops = {special.f32 = "ceildiv(arg0[0], 2)"}
    %i = arith.index_cast %n : index to i64
    %less = arith.subi %i, %one : i64
    %half = arith.floordivsi %less, %two : i64
    %more = arith.addi %half, %one : i64
    %k = arith.index_cast %more : i64 to index
    %a = tensor.empty(%k) : tensor<?xf32>
    %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
    // CHECK: linalg.exp {{.*}}<flops = {special.f32 = "2*arg0[0]"}
    %d = affine.apply #double()[%n]
    %b = tensor.empty(%d) : tensor<?xf32>
    %1 = linalg.exp ins(%b : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
    // A comparison and a choice that make a minimum.
    // CHECK: linalg.exp {{.*}}<flops = {special.f32 = "min(arg0[0], 1000)"}
    %short = arith.cmpi slt, %n, %big : index
    %least = arith.select %short, %n, %big : index
    %c = tensor.empty(%least) : tensor<?xf32>
    %2 = linalg.exp ins(%c : tensor<?xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
    // Views: 8·n elements, then two halves of a row, then a shape as a tensor.
    // CHECK: linalg.exp {{.*}}<flops = {special.f32 = "8*arg0[0]"}
    %flat = tensor.collapse_shape %x [[0, 1]] : tensor<?x8xf32> into tensor<?xf32>
    %3 = linalg.exp ins(%flat : tensor<?xf32>) outs(%flat : tensor<?xf32>) -> tensor<?xf32>
    // CHECK: linalg.exp {{.*}}<flops = {special.f32 = "8*arg0[0]"}
    %split = tensor.expand_shape %x [[0], [1, 2]] output_shape [%n, 2, 4] : tensor<?x8xf32> into tensor<?x2x4xf32>
    %4 = linalg.exp ins(%split : tensor<?x2x4xf32>) outs(%split : tensor<?x2x4xf32>) -> tensor<?x2x4xf32>
    // CHECK: linalg.exp {{.*}}<flops = {special.f32 = "8*arg0[0]"}
    %four = arith.constant 4 : i64
    %pairs = arith.muli %i, %two : i64
    %shape = tensor.from_elements %pairs, %four : tensor<2xi64>
    %r = tensor.reshape %x(%shape) : (tensor<?x8xf32>, tensor<2xi64>) -> tensor<?x?xf32>
    %5 = linalg.exp ins(%r : tensor<?x?xf32>) outs(%r : tensor<?x?xf32>) -> tensor<?x?xf32>
    // Padding and joining.
    // CHECK: tensor.concat
    // CHECK-SAME: written = {activation = "64*arg0[0] + 64"}
    %p = tensor.pad %x low[1, 0] high[1, 0] {
    ^bb0(%y: index, %z: index):
      tensor.yield %zero : f32
    } : tensor<?x8xf32> to tensor<?x8xf32>
    %q = tensor.concat dim(0) %p, %x : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
    return
  }
}
