// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// A condition that is known picks its branch: the other's rows run 0 times.

module {
  func.func @branch(%x: tensor<?x8xf32>, %w: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %e = tensor.empty() : tensor<4x8xf32>
    %d = tensor.dim %x, %c1 : tensor<?x8xf32>
    %is8 = arith.cmpi eq, %d, %c8 : index
    // CHECK: scf.if
    // CHECK: linalg.exp {{{.*}}launches = 1>
    // CHECK-NOT: rl.times
    // CHECK: } else {
    // CHECK: linalg.log {{.*}}rl.times = #rl.dims<[0]>
    %0 = scf.if %is8 -> (tensor<4x8xf32>) {
      %a = linalg.exp ins(%w : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
      scf.yield %a : tensor<4x8xf32>
    } else {
      %a = linalg.log ins(%w : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
      scf.yield %a : tensor<4x8xf32>
    }
    return %0 : tensor<4x8xf32>
  }
}
