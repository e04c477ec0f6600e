// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// An op that no model knows: its bytes are counted, its FLOPs unknown. Where its
// work is stated, that is taken as it stands; where an op has a model, the model
// is right, not what is stated.

module {
  func.func @main(%x: tensor<8xf32>) {
    // CHECK: rl.opaque "Frob"{{.*}}<flops = ?, read = {activation = 32}, written = {activation = 16}, launches = 1>
    %0 = rl.opaque "Frob"(%x) : (tensor<8xf32>) -> tensor<4xf32>
    // CHECK: rl.opaque "Frob"{{.*}}<flops = {matmul.f16 = 100, vector.f32 = "7*n"}, read = {weight = 12}, written = {activation = 34}, launches = 3>
    %1 = rl.opaque "Frob"(%x) {rl.work = #rl.work<flops = {matmul.f16 = 100, vector.f32 = "7*n"}, read = {weight = 12}, written = {activation = 34}, launches = 3>} : (tensor<8xf32>) -> tensor<4xf32>
    // CHECK: rl.map "relu"{{.*}}<flops = {vector.f32 = 8}, read = {activation = 32}, written = {activation = 32}, launches = 1>
    %2 = rl.map "relu"(%x) {rl.work = #rl.work<flops = {matmul.f16 = 100}>} : (tensor<8xf32>) -> tensor<8xf32>
    return
  }
}
