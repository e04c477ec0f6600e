// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// 5 steps, batch 2, 3 inputs, 4 hidden: 5·2·4 = 40 cells, each a row of every
// gate's matrix times 3 + 4 values. Weights are read once for all steps.
//   lstm  2·40·4·7 = 2240; a cell: 4 sums of both products, 3 sigmoids (exp, add,
//         divide), 2 tanh, f·c + i·g and o·tanh(c) (3 products, 1 sum):
//         4 + 3 + 4 = 11 others, 6 + 2 = 8 special: 440 and 320
//         bias 4 more (600), peepholes 3 products and sums more (840)
//   gru   2·40·3·7 = 1680; 3 sums, 2 sigmoids, 1 tanh, the reset product,
//         (1 − z)·n + z·h (4): 3 + 2 + 1 + 4 = 10, 4 + 1 = 5: 400 and 200
//   rnn   2·40·7 = 560; 1 sum, 1 tanh: 40 and 40
// Two directions do twice that. Bytes of the first: X 4·30 = 120, W and R
// 4·(48 + 64) = 448, Y 4·40 = 160.

!x = tensor<5x2x3xf32>
!y = tensor<5x1x2x4xf32>
module {
  func.func @main(%x: !x) {
    %w = rl.weight "w" : tensor<1x16x3xf32>
    %r = rl.weight "r" : tensor<1x16x4xf32>
    %q = rl.weight "q" : tensor<1x16x3xi8>
    // CHECK: rl.recurrent "lstm"{{.*}}<flops = {matmul.f32 = 2240, vector.f32 = 440, special.f32 = 320}, read = {weight = 448, activation = 120}, written = {activation = 160}, launches = 1>
    %0 = rl.recurrent "lstm"(%x, %w, %r) extents <[5, 2, 3, 4, 1]> : (!x, tensor<1x16x3xf32>, tensor<1x16x4xf32>) -> !y
    // CHECK: rl.recurrent "lstm"{{.*}}<flops = {matmul.f32 = 2240, vector.f32 = 600, special.f32 = 320}
    %1 = rl.recurrent "lstm"(%x, %w, %r) extents <[5, 2, 3, 4, 1]> bias : (!x, tensor<1x16x3xf32>, tensor<1x16x4xf32>) -> !y
    // CHECK: rl.recurrent "lstm"{{.*}}<flops = {matmul.f32 = 2240, vector.f32 = 840, special.f32 = 320}
    %2 = rl.recurrent "lstm"(%x, %w, %r) extents <[5, 2, 3, 4, 1]> bias peephole : (!x, tensor<1x16x3xf32>, tensor<1x16x4xf32>) -> !y
    // CHECK: rl.recurrent "gru"{{.*}}<flops = {matmul.f32 = 1680, vector.f32 = 400, special.f32 = 200}
    %3 = rl.recurrent "gru"(%x) extents <[5, 2, 3, 4, 1]> : (!x) -> !y
    // CHECK: rl.recurrent "rnn"{{.*}}<flops = {matmul.f32 = 560, vector.f32 = 40, special.f32 = 40}
    %4 = rl.recurrent "rnn"(%x) extents <[5, 2, 3, 4, 1]> : (!x) -> !y
    // CHECK: rl.recurrent "rnn"{{.*}}<flops = {matmul.f32 = 1120, vector.f32 = 80, special.f32 = 80}
    %5 = rl.recurrent "rnn"(%x) extents <[5, 2, 3, 4, 2]> : (!x) -> !y
    // CHECK: rl.recurrent "lstm"{{.*}}<flops = {matmul.i8 = 2240, vector.f32 = 440, special.f32 = 320}
    %6 = rl.recurrent "lstm"(%x, %q) extents <[5, 2, 3, 4, 1]> : (!x, tensor<1x16x3xi8>) -> !y
    return
  }
}
