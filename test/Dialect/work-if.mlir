// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// A branch that isn't taken runs 0 times. Where nobody knows which one is, the
// dearest counts: by FLOPs (2 additions against a view), and where they are equal
// by bytes (a transpose against a smaller one).

!v = tensor<4xf32>
module {
  func.func @main(%x: !v, %c: tensor<i1>, %m: tensor<8x8xf32>, %s: tensor<2x2xf32>) {
    // CHECK: rl.if taken 1
    // CHECK: rl.map "relu"(%arg0) {rl.times = #rl.dims<[0]>, rl.work = #rl.work<flops = {vector.f32 = 4},
    // CHECK: rl.map "neg"(%arg0) {rl.work = #rl.work<flops = {vector.f32 = 4}, {{[^>]*}}>} :
    %0 = rl.if taken 1 -> !v {
      %a = rl.map "relu"(%x) : (!v) -> !v
      rl.yield %a : !v
    } else {
      %a = rl.map "neg"(%x) : (!v) -> !v
      rl.yield %a : !v
    }
    // CHECK: rl.if %arg1
    // CHECK: rl.view "identity"{{.*}}rl.times = #rl.dims<[0]>
    // CHECK: rl.map "add"(%arg0, %arg0) {rl.work = #rl.work<{{[^>]*}}>} :
    %1 = rl.if %c : tensor<i1> -> !v {
      %a = rl.view "identity"(%x) : (!v) -> !v
      rl.yield %a : !v
    } else {
      %a = rl.map "add"(%x, %x) : (!v, !v) -> !v
      rl.yield %a : !v
    }
    // CHECK: rl.if %arg1
    // CHECK: rl.copy "transpose"(%arg2) permutation [1, 0] {rl.work = #rl.work<{{[^>]*}}>} :
    // CHECK: rl.copy "transpose"(%arg3){{.*}}rl.times = #rl.dims<[0]>
    rl.if %c : tensor<i1> {
      %a = rl.copy "transpose"(%m) permutation [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    } else {
      %a = rl.copy "transpose"(%s) permutation [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
    }
    return
  }
}
