// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// linear, f16 8x128x768 by 768x64 with a bias of 64:
//   multiply-adds  2·8·128·768·64 = 100663296
//   bias           8·128·64 = 65536 additions
//   weights        2·(768·64 + 64) = 98432
//   read           2·8·128·768 = 1572864, written 2·65536 = 131072
// broadcast, f32 1x2x3 by 5x3x4: b is 5; 2·5·2·3·4 = 240
//   read           4·(6 + 60) = 264, written 4·5·2·4 = 160
// outer, 3 by 5: nothing is summed, so 15 multiplications, no multiply-add
// row_sums, 4x6 to 4: 24 − 4 = 20 additions; transposed, 0
// integers, u8 2x3 by i8 3x4: 2·2·3·4 = 48 integer operations
//   read           6 + 12 = 18, written 4·2·4 = 32

module {
  func.func @main(%x: tensor<8x128x768xf16>, %a: tensor<1x2x3xf32>, %b: tensor<5x3x4xf32>,
                  %u: tensor<3xf32>, %v: tensor<5xf32>, %m: tensor<4x6xf32>,
                  %p: tensor<2x3xui8>, %q: tensor<3x4xi8>) {
    %w = rl.weight "w" : tensor<768x64xf16>
    %bias = rl.weight "b" : tensor<64xf16>
    // CHECK: "bmk,kn->bmn"{{.*}}<flops = {matmul.f16 = 100663296, vector.f16 = 65536}, read = {weight = 98432, activation = 1572864}, written = {activation = 131072}, launches = 1>
    %linear = rl.contract "bmk,kn->bmn"(%x, %w) aux(%bias) epilogue <vector = 1> : (tensor<8x128x768xf16>, tensor<768x64xf16>, tensor<64xf16>) -> tensor<8x128x64xf16>
    // CHECK: "bmk,bkn->bmn"{{.*}}<flops = {matmul.f32 = 240}, read = {activation = 264}, written = {activation = 160}, launches = 1>
    %broadcast = rl.contract "bmk,bkn->bmn"(%a, %b) : (tensor<1x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
    // CHECK: "i,j->ij"{{.*}}<flops = {vector.f32 = 15}, read = {activation = 32}, written = {activation = 60}, launches = 1>
    %outer = rl.contract "i,j->ij"(%u, %v) : (tensor<3xf32>, tensor<5xf32>) -> tensor<3x5xf32>
    // CHECK: "ij->i"{{.*}}<flops = {vector.f32 = 20}, read = {activation = 96}, written = {activation = 16}
    %row_sums = rl.contract "ij->i"(%m) : (tensor<4x6xf32>) -> tensor<4xf32>
    // CHECK: "ij->ji"{{.*}}<flops = {}, read = {activation = 96}, written = {activation = 96}
    %transposed = rl.contract "ij->ji"(%m) : (tensor<4x6xf32>) -> tensor<6x4xf32>
    // CHECK: "mk,kn->mn"{{.*}}<flops = {matmul.{{[iu]}}8 = 48}, read = {activation = 18}, written = {activation = 32}
    %integers = rl.contract "mk,kn->mn"(%p, %q) : (tensor<2x3xui8>, tensor<3x4xi8>) -> tensor<2x4xi32>
    return
  }
}
