// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// A conversion cast that only renames the type moves nothing; one that changes
// the data is unknown.

module {
  func.func @casts(%x: tensor<4x8xi8>) {
    // CHECK: builtin.unrealized_conversion_cast {{.*}}<flops = {}, read = {}, written = {}, launches = 0>
    %0 = builtin.unrealized_conversion_cast %x : tensor<4x8xi8> to tensor<4x8xui8>
    // CHECK: builtin.unrealized_conversion_cast {{.*}}<flops = ?, read = {activation = 32}, written = {activation = 128}, launches = 1>
    %1 = builtin.unrealized_conversion_cast %x : tensor<4x8xi8> to tensor<4x8xf32>
    return
  }
}
