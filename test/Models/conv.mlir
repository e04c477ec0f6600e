// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// Convolutions are contractions whose operand slides: 2 FLOPs for each point of
// all loops. A bias that the accumulator starts from is data.

#img = affine_map<(n, f, c, i, j, y, x) -> (n, c, i + y, j * 2 + x)>
#grad = affine_map<(n, f, c, i, j, y, x) -> (n, f, i, j)>
#ker = affine_map<(n, f, c, i, j, y, x) -> (f, c, y, x)>
module {
  func.func @convs(%x: tensor<1x3x10x10xf32>, %w: tensor<16x3x3x3xf32>, %bias: tensor<16xf32>,
                   %d: tensor<1x8x10x10xf32>, %dw: tensor<8x3x3xf32>, %dacc: tensor<1x8x8x8xf32>,
                   %g: tensor<1x2x4x10x10xf32>, %gw: tensor<2x8x4x3x3xf32>, %gacc: tensor<1x2x8x8x8xf32>,
                   %img: tensor<2x3x10x17xf32>, %go: tensor<2x4x8x8xf32>, %kacc: tensor<4x3x3x3xf32>) {
    // 2·(16·8·8)·(3·3·3) = 55296. Reads 4·(300 + 432) and the bias, spread over
    // the output: 4·1024; the spreading itself reads 64 and writes 4096.
    // CHECK: linalg.broadcast {{.*}}<flops = {}, read = {activation = 64}, written = {activation = 4096}, launches = 1>
    // CHECK: linalg.conv_2d_nchw_fchw {{.*}}<flops = {matmul.f32 = 55296}, read = {activation = 7024}, written = {activation = 4096}, launches = 1>
    %e = tensor.empty() : tensor<1x16x8x8xf32>
    %b = linalg.broadcast ins(%bias : tensor<16xf32>) outs(%e : tensor<1x16x8x8xf32>) dimensions = [0, 2, 3]
    %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x10x10xf32>, tensor<16x3x3x3xf32>) outs(%b : tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>

    // Depthwise: 2·(8·8·8)·(3·3) = 9216; reads 4·(800 + 72 + 512) = 5536.
    // CHECK: linalg.depthwise_conv_2d_nchw_chw {{.*}}<flops = {matmul.f32 = 9216}, read = {activation = 5536}, written = {activation = 2048}, launches = 1>
    %1 = linalg.depthwise_conv_2d_nchw_chw ins(%d, %dw : tensor<1x8x10x10xf32>, tensor<8x3x3xf32>) outs(%dacc : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>

    // Two groups of 4 into 8: 2·(2·8·8·8)·(4·3·3) = 73728;
    // reads 4·(800 + 576 + 1024) = 9600.
    // CHECK: linalg.conv_2d_ngchw_gfchw {{.*}}<flops = {matmul.f32 = 73728}, read = {activation = 9600}, written = {activation = 4096}, launches = 1>
    %2 = linalg.conv_2d_ngchw_gfchw ins(%g, %gw : tensor<1x2x4x10x10xf32>, tensor<2x8x4x3x3xf32>) outs(%gacc : tensor<1x2x8x8x8xf32>) -> tensor<1x2x8x8x8xf32>

    // A weight gradient sums over images and positions:
    // 2·(2·4·3·8·8·3·3) = 27648; reads 4·(1020 + 512 + 108) = 6560.
    // CHECK: linalg.generic {{.*}}<flops = {matmul.f32 = 27648}, read = {activation = 6560}, written = {activation = 432}, launches = 1>
    %3 = linalg.generic {indexing_maps = [#img, #grad, #ker], iterator_types = ["reduction", "parallel", "parallel", "reduction", "reduction", "parallel", "parallel"]}
        ins(%img, %go : tensor<2x3x10x17xf32>, tensor<2x4x8x8xf32>) outs(%kacc : tensor<4x3x3x3xf32>) {
    ^bb0(%in: f32, %in_0: f32, %o: f32):
      %p = arith.mulf %in, %in_0 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<4x3x3x3xf32>
    return
  }
}
