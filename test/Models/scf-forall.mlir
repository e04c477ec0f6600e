// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// A parallel loop runs its body for each of its points: ⌈10/4⌉ · 3 = 9.

// CHECK: scf.forall
// CHECK: linalg.exp {{.*}}rl.times = #rl.dims<[9]>, rl.work = #rl.work<flops = {special.f32 = 8}, read = {activation = 32}, written = {activation = 32}, launches = 1>
module {
  func.func @tiles(%x: tensor<10x3x8xf32>, %out: tensor<10x3x8xf32>) -> tensor<10x3x8xf32> {
    %0 = scf.forall (%i, %j) = (0, 0) to (10, 3) step (4, 1) shared_outs(%o = %out) -> (tensor<10x3x8xf32>) {
      %s = tensor.extract_slice %x[%i, %j, 0] [1, 1, 8] [1, 1, 1] : tensor<10x3x8xf32> to tensor<8xf32>
      %e = tensor.empty() : tensor<8xf32>
      %a = linalg.exp ins(%s : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %a into %o[%i, %j, 0] [1, 1, 8] [1, 1, 1] : tensor<8xf32> into tensor<10x3x8xf32>
      }
    }
    return %0 : tensor<10x3x8xf32>
  }
}
