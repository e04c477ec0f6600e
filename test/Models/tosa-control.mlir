// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// tosa's branches and loops: a constant condition picks a branch; how often a
// loop runs is a symbol.

module {
  func.func @control(%x: tensor<8xf32>, %n: tensor<i32>) {
    %true = "tosa.const"() <{values = dense<true> : tensor<i1>}> : () -> tensor<i1>
    // CHECK: tosa.cond_if
    // CHECK: tosa.exp {{.*}}{rl.work
    // CHECK: tosa.log {{.*}}{rl.times = #rl.dims<[0]>
    %0 = tosa.cond_if %true (%y = %x) : tensor<i1> (tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%y: tensor<8xf32>):
      %a = tosa.exp %y : (tensor<8xf32>) -> tensor<8xf32>
      tosa.yield %a : tensor<8xf32>
    } else {
    ^bb0(%y: tensor<8xf32>):
      %a = tosa.log %y : (tensor<8xf32>) -> tensor<8xf32>
      tosa.yield %a : tensor<8xf32>
    }
    // CHECK: tosa.while_loop
    // CHECK: tosa.tanh {{.*}}{rl.times = #rl.dims<["{{.*}}trips(
    %1:2 = tosa.while_loop (%i = %n, %y = %x) : (tensor<i32>, tensor<8xf32>) -> (tensor<i32>, tensor<8xf32>) {
      %c = tosa.greater_equal %n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      tosa.yield %c : tensor<i1>
    } do {
    ^bb0(%i: tensor<i32>, %y: tensor<8xf32>):
      %a = tosa.tanh %y : (tensor<8xf32>) -> tensor<8xf32>
      tosa.yield %i, %a : tensor<i32>, tensor<8xf32>
    }
    return
  }
}
