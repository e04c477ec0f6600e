// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// A cache that grows by a concat is read and written whole: past 2x3x4 f16 = 48
// bytes and a new row 2x1x4 = 16 in, 2x4x4 = 64 out. It is the cache through
// views too; a concat that isn't returned makes no cache of its operands.

module {
  func.func @main(%past: tensor<2x3x4xf16>, %new: tensor<2x1x4xf16>, %flat: tensor<24xf16>) -> (tensor<2x4x4xf16>, tensor<32xf16>) {
    %row = rl.map "relu"(%new) : (tensor<2x1x4xf16>) -> tensor<2x1x4xf16>
    // CHECK: rl.copy "concat"{{.*}}<flops = {}, read = {activation = 16, kv_cache = 48}, written = {kv_cache = 64}, launches = 1>
    %0 = rl.copy "concat"(%past, %row) axis 1 : (tensor<2x3x4xf16>, tensor<2x1x4xf16>) -> tensor<2x4x4xf16>
    %1 = rl.view "reshape"(%flat) : (tensor<24xf16>) -> tensor<2x3x4xf16>
    // CHECK: rl.copy "concat"{{.*}}<flops = {}, read = {activation = 16, kv_cache = 48}, written = {kv_cache = 64}
    %2 = rl.copy "concat"(%1, %row) axis 1 : (tensor<2x3x4xf16>, tensor<2x1x4xf16>) -> tensor<2x4x4xf16>
    %3 = rl.view "reshape"(%2) : (tensor<2x4x4xf16>) -> tensor<32xf16>
    // CHECK: rl.copy "concat"{{.*}}<flops = {}, read = {activation = 16}, written = {activation = 32}
    %4 = rl.copy "concat"(%row, %row) axis 1 : (tensor<2x1x4xf16>, tensor<2x1x4xf16>) -> tensor<2x2x4xf16>
    return %0, %3 : tensor<2x4x4xf16>, tensor<32xf16>
  }
}
