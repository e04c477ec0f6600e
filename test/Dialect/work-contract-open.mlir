// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// Sizes that aren't numbers stay formulas; where a size isn't even named, work is
// unknown, never 0.
//   named    2·batch·8·4 = 64·batch FLOPs; read 4·8·batch + 4·32, written 4·4·batch
//   unnamed  an argument's open dimension is called by its place, arg1[0]
//   unranked nothing is known of it

module {
  func.func @main(%x: tensor<?x8xf32, #rl.dims<["batch", 8]>>, %y: tensor<?x8xf32>,
                  %z: tensor<*xf32>, %w: tensor<8x4xf32>) {
    // CHECK: "mk,kn->mn"(%arg0{{.*}}<flops = {matmul.f32 = "64*batch"}, read = {activation = "32*batch + 128"}, written = {activation = "16*batch"}, launches = 1>
    %0 = rl.contract "mk,kn->mn"(%x, %w) : (tensor<?x8xf32, #rl.dims<["batch", 8]>>, tensor<8x4xf32>) -> tensor<?x4xf32, #rl.dims<["batch", 4]>>
    // CHECK: "mk,kn->mn"(%arg1{{.*}}<flops = {matmul.f32 = "64*arg1[0]"}, read = {activation = "32*arg1[0] + 128"}, written = {activation = ?}, launches = 1>
    %1 = rl.contract "mk,kn->mn"(%y, %w) : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
    // CHECK: "mk,kn->mn"(%arg2{{.*}}<flops = ?, read = {activation = ?}, written = {activation = ?}, launches = 1>
    %2 = rl.contract "mk,kn->mn"(%z, %w) : (tensor<*xf32>, tensor<8x4xf32>) -> tensor<*xf32>
    return
  }
}
