// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// Weights of 4 bits, two to a byte: 64 rows of 32 values are stored as 64x16
// bytes, with a scale a row. x is 4x32 f16.
//   multiply-adds  2·4·32·64 = 16384, at the wider factor's type: f16
//   dequantised    2 for each of 64·32 weights = 4096 (prologue)
//   weights        64·16 + 2·64 = 1152, as stored
//   read           2·4·32 = 256, written 2·4·64 = 512
//
// Where a type of its own says 4 bits, the bytes are packed too: 3·5 = 15 values
// are ⌈15/2⌉ = 8 bytes, x is 2·2·3 = 12; 2·2·3·5 = 60 operations.

module {
  func.func @main(%x: tensor<4x32xf16>, %y: tensor<2x3xf16>) {
    %w = rl.weight "w" : tensor<64x16xui8>
    %s = rl.weight "s" : tensor<64xf16>
    // CHECK: "mk,nk->mn"{{.*}}<flops = {vector.f16 = 4096, matmul.f16 = 16384}, read = {weight = 1152, activation = 256}, written = {activation = 512}, launches = 1>
    %0 = rl.contract "mk,nk->mn"(%x, %w) aux(%s) prologue <vector = 2> {factor_types = [tensor<4x32xf16>, tensor<64x32xi4>]} : (tensor<4x32xf16>, tensor<64x16xui8>, tensor<64xf16>) -> tensor<4x64xf16>
    %v = rl.weight "v" : tensor<3x5xi4>
    // CHECK: "mk,kn->mn"{{.*}}<flops = {matmul.f16 = 60}, read = {weight = 8, activation = 12}, written = {activation = 20}, launches = 1>
    %1 = rl.contract "mk,kn->mn"(%y, %v) : (tensor<2x3xf16>, tensor<3x5xi4>) -> tensor<2x5xf16>
    return
  }
}
