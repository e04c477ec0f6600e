// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// A carried tensor that grows has another length each trip: unknown, not its
// first length.

// CHECK: scf.for
// CHECK: linalg.exp {{.*}}<flops = ?, read = {activation = ?}, written = {activation = ?}, launches = 1>
module {
  func.func @grow(%x: tensor<2x8xf32>, %y: tensor<1x8xf32>) -> tensor<?x8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %start = tensor.cast %x : tensor<2x8xf32> to tensor<?x8xf32>
    %0 = scf.for %t = %c0 to %c9 step %c1 iter_args(%s = %start) -> (tensor<?x8xf32>) {
      %d = tensor.dim %s, %c0 : tensor<?x8xf32>
      %e = tensor.empty(%d) : tensor<?x8xf32>
      %a = linalg.exp ins(%s : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
      %g = tensor.concat dim(0) %a, %y : (tensor<?x8xf32>, tensor<1x8xf32>) -> tensor<?x8xf32>
      scf.yield %g : tensor<?x8xf32>
    }
    return %0 : tensor<?x8xf32>
  }
}
