// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// What no model knows has its bytes counted and unknown FLOPs, at an op as in a
// body.

module {
  func.func @opaque(%x: tensor<8xf32>) {
    // CHECK: tosa.custom {{.*}}<flops = ?, read = {activation = 32}, written = {activation = 16}, launches = 1>
    %0 = tosa.custom %x {domain_name = "d", implementation_attrs = "", operator_name = "o"} : (tensor<8xf32>) -> tensor<4xf32>
    // CHECK: linalg.generic {{.*}}<flops = ?, read = {activation = 32}, written = {activation = 32}, launches = 1>
    %e = tensor.empty() : tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%in: f32, %o: f32):
      %v = vector.broadcast %in : f32 to vector<4xf32>
      %s = vector.reduction <add>, %v : vector<4xf32> into f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    return
  }
}
