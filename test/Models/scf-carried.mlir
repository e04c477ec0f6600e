// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// What a loop carries and nothing else reads is written in place.

// CHECK: scf.for
// CHECK: tensor.insert_slice {{.*}}rl.times = #rl.dims<[20]>, rl.work = #rl.work<flops = {}, read = {activation = 32}, written = {activation = 32}, launches = 1>
module {
  func.func @collect(%x: tensor<1x8xf32>) -> tensor<20x8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c20 = arith.constant 20 : index
    %zeros = arith.constant dense<0.0> : tensor<20x8xf32>
    %0 = scf.for %i = %c0 to %c20 step %c1 iter_args(%s = %zeros) -> (tensor<20x8xf32>) {
      %n = tensor.insert_slice %x into %s[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<20x8xf32>
      scf.yield %n : tensor<20x8xf32>
    }
    return %0 : tensor<20x8xf32>
  }
}
