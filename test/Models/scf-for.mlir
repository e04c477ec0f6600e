// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// A loop's rows carry how often it runs: ⌈(upper - lower) / step⌉.

module {
  func.func @loops(%w: tensor<64x64xf32>, %h: tensor<4x64xf32>, %x: tensor<?x4x64xf32>, %y: tensor<?x8xf32>) -> (tensor<4x64xf32>, tensor<4x64xf32>, tensor<?x8xf32>) {
    %zero = arith.constant 0.0 : f32
    %i0 = arith.constant 0 : i32
    %i20 = arith.constant 20 : i32
    %i3 = arith.constant 3 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // 0, 3, … 18: 7 times 2·4·64·64 = 32768.
    // CHECK: scf.for
    // CHECK: linalg.matmul {{.*}}rl.times = #rl.dims<[7]>, rl.work = #rl.work<flops = {matmul.f32 = 32768}, read = {activation = 17408}, written = {activation = 1024}, launches = 1>
    %0 = scf.for %i = %i0 to %i20 step %i3 iter_args(%s = %h) -> (tensor<4x64xf32>) : i32 {
      %e = tensor.empty() : tensor<4x64xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x64xf32>) -> tensor<4x64xf32>
      %m = linalg.matmul ins(%s, %w : tensor<4x64xf32>, tensor<64x64xf32>) outs(%f : tensor<4x64xf32>) -> tensor<4x64xf32>
      scf.yield %m : tensor<4x64xf32>
    }
    // As often as the argument is long.
    // CHECK: scf.for
    // CHECK: linalg.add {{.*}}rl.times = #rl.dims<["arg2[0]"]>, rl.work = #rl.work<flops = {vector.f32 = 256}, read = {activation = 2048}, written = {activation = 1024}, launches = 1>
    %n = tensor.dim %x, %c0 : tensor<?x4x64xf32>
    %1 = scf.for %t = %c0 to %n step %c1 iter_args(%s = %0) -> (tensor<4x64xf32>) {
      %slice = tensor.extract_slice %x[%t, 0, 0] [1, 4, 64] [1, 1, 1] : tensor<?x4x64xf32> to tensor<4x64xf32>
      %e = tensor.empty() : tensor<4x64xf32>
      %a = linalg.add ins(%s, %slice : tensor<4x64xf32>, tensor<4x64xf32>) outs(%e : tensor<4x64xf32>) -> tensor<4x64xf32>
      scf.yield %a : tensor<4x64xf32>
    }
    // What is carried keeps its dimensions: "8*arg3[0]" exponentials a trip.
    // CHECK: scf.for
    // CHECK: linalg.exp {{.*}}<flops = {special.f32 = "8*arg3[0]"}, read = {activation = "32*arg3[0]"}, written = {activation = "32*arg3[0]"}, launches = 1>
    %2 = scf.for %t = %c0 to %n step %c1 iter_args(%s = %y) -> (tensor<?x8xf32>) {
      %d = tensor.dim %s, %c0 : tensor<?x8xf32>
      %e = tensor.empty(%d) : tensor<?x8xf32>
      %a = linalg.exp ins(%s : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
      scf.yield %a : tensor<?x8xf32>
    }
    return %0, %1, %2 : tensor<4x64xf32>, tensor<4x64xf32>, tensor<?x8xf32>
  }
}
