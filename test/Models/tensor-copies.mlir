// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// What is copied: sources once, results once.

module {
  func.func @copies(%arg: tensor<4x8xf32>, %y: tensor<2x8xf32>, %ids: tensor<3x1xindex>, %u: tensor<3x1x8xf32>) -> (tensor<6x10xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<3x1x8xf32>, tensor<4x8xf32>) {
    %zero = arith.constant 0.0 : f32
    // Not the argument itself: that would be a cache, updated and returned.
    %init = tensor.empty() : tensor<4x8xf32>
    %x = linalg.abs ins(%arg : tensor<4x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
    // CHECK: tensor.pad {{.*}}
    // CHECK: <flops = {}, read = {activation = 128}, written = {activation = 240}, launches = 1>
    %0 = tensor.pad %x low[1, 1] high[1, 1] {
    ^bb0(%i: index, %j: index):
      tensor.yield %zero : f32
    } : tensor<4x8xf32> to tensor<6x10xf32>
    // CHECK: tensor.concat {{.*}}<flops = {}, read = {activation = 192}, written = {activation = 192}, launches = 1>
    %1 = tensor.concat dim(0) %x, %y : (tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<6x8xf32>
    // %x has other readers: 64 in, the other 64 copied, all 128 out.
    // CHECK: tensor.insert_slice {{.*}}<flops = {}, read = {activation = 128}, written = {activation = 128}, launches = 1>
    %2 = tensor.insert_slice %y into %x[1, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
    // %t has none: in place.
    // CHECK: tensor.insert_slice {{.*}}<flops = {}, read = {activation = 64}, written = {activation = 64}, launches = 1>
    %e = tensor.empty() : tensor<4x8xf32>
    %t = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = tensor.insert_slice %y into %t[1, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
    // 3 rows of 32 bytes, 3 indices of 8.
    // CHECK: tensor.gather {{.*}}<flops = {}, read = {activation = 120}, written = {activation = 96}, launches = 1>
    %4 = tensor.gather %x[%ids] gather_dims([0]) : (tensor<4x8xf32>, tensor<3x1xindex>) -> tensor<3x1x8xf32>
    // Updates 96 and indices 24, the other 32 bytes copied.
    // CHECK: tensor.scatter {{.*}}<flops = {}, read = {activation = 152}, written = {activation = 128}, launches = 1>
    %5 = tensor.scatter %u into %x[%ids] scatter_dims([0]) unique : (tensor<3x1x8xf32>, tensor<4x8xf32>, tensor<3x1xindex>) -> tensor<4x8xf32>
    return %0, %2, %3, %4, %5 : tensor<6x10xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<3x1x8xf32>, tensor<4x8xf32>
  }
}
