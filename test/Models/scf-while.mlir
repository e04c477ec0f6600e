// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// A while loop that counts runs as often as it counts to; one on data as often
// as a symbol says.

module {
  func.func @whiles(%x: tensor<8xf32>, %flag: tensor<i1>) -> (tensor<8xf32>, tensor<8xf32>) {
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %c9 = arith.constant 9 : i32
    %e = tensor.empty() : tensor<8xf32>
    // 0, 2, 4, 6, 8.
    // CHECK: scf.while
    // CHECK: linalg.exp {{.*}}rl.times = #rl.dims<[5]>
    %0:2 = scf.while (%i = %c0, %s = %x) : (i32, tensor<8xf32>) -> (i32, tensor<8xf32>) {
      %more = arith.cmpi slt, %i, %c9 : i32
      scf.condition(%more) %i, %s : i32, tensor<8xf32>
    } do {
    ^bb0(%i: i32, %s: tensor<8xf32>):
      %a = linalg.exp ins(%s : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      %j = arith.addi %i, %c2 : i32
      scf.yield %j, %a : i32, tensor<8xf32>
    }
    // CHECK: scf.while
    // CHECK: linalg.exp {{.*}}rl.times = #rl.dims<["{{.*}}trips(
    %1 = scf.while (%s = %x) : (tensor<8xf32>) -> tensor<8xf32> {
      %more = tensor.extract %flag[] : tensor<i1>
      scf.condition(%more) %s : tensor<8xf32>
    } do {
    ^bb0(%s: tensor<8xf32>):
      %a = linalg.exp ins(%s : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      scf.yield %a : tensor<8xf32>
    }
    return %0#1, %1 : tensor<8xf32>, tensor<8xf32>
  }
}
