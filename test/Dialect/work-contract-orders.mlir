// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// Three and more factors are multiplied in the cheapest pairwise order; what is
// between them never leaves the chip.
//
// right_first, 20x3 · 3x10 · 10x2:
//   (AB)C  2·20·3·10 + 2·20·10·2 = 1200 + 800 = 2000
//   A(BC)  2·3·10·2 + 2·20·3·2 = 120 + 240 = 360
//   read   4·(60 + 30 + 20) = 440, written 4·40 = 160
// left_first, 2x10 · 10x3 · 3x20:
//   (AB)C  2·2·10·3 + 2·2·3·20 = 120 + 240 = 360; A(BC) 1200 + 800
// bilinear, x (b=4, i=3) · W (o=2, i=3, j=5) · y (b=4, j=5), all summed but b, o:
//   xW first  2·4·3·2·5 = 240, then ·y 2·4·2·5 = 80: 320
//   Wy first  2·2·3·5·4 = 240, then ·x 2·4·2·3 = 48: 288
//   xy first  4·3·5 = 60 multiplications, then 2·4·2·3·5 = 240: 300
// outer_last: a sum that only the second pair has, 4x8 · 8 (= 64) times 6 (= 24):
//   2·4·8 = 64 multiply-adds' operations and 4·6 = 24 multiplications

module {
  func.func @main(%a: tensor<20x3xf32>, %b: tensor<3x10xf32>, %c: tensor<10x2xf32>,
                  %d: tensor<2x10xf32>, %e: tensor<10x3xf32>, %f: tensor<3x20xf32>,
                  %x: tensor<4x3xf32>, %w: tensor<2x3x5xf32>, %y: tensor<4x5xf32>,
                  %m: tensor<4x8xf32>, %u: tensor<8xf32>, %v: tensor<6xf32>) {
    // CHECK: "ij,jk,kl->il"{{.*}}<flops = {matmul.f32 = 360}, read = {activation = 440}, written = {activation = 160}, launches = 1>
    %right_first = rl.contract "ij,jk,kl->il"(%a, %b, %c) : (tensor<20x3xf32>, tensor<3x10xf32>, tensor<10x2xf32>) -> tensor<20x2xf32>
    // CHECK: "ij,jk,kl->il"{{.*}}<flops = {matmul.f32 = 360}
    %left_first = rl.contract "ij,jk,kl->il"(%d, %e, %f) : (tensor<2x10xf32>, tensor<10x3xf32>, tensor<3x20xf32>) -> tensor<2x20xf32>
    // CHECK: "bi,oij,bj->bo"{{.*}}<flops = {matmul.f32 = 288}
    %bilinear = rl.contract "bi,oij,bj->bo"(%x, %w, %y) : (tensor<4x3xf32>, tensor<2x3x5xf32>, tensor<4x5xf32>) -> tensor<4x2xf32>
    // CHECK: "ij,j,k->ik"{{.*}}<flops = {matmul.f32 = 64, vector.f32 = 24}
    %outer_last = rl.contract "ij,j,k->ik"(%m, %u, %v) : (tensor<4x8xf32>, tensor<8xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    return
  }
}
