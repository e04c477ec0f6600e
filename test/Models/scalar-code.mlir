// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// Loops over scalars have no rows for their arithmetic: what they store counts
// its bytes and says that its operations are unknown. A mere copy does none.

module {
  func.func @scalars(%x: memref<8xf32>, %y: memref<8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c1 {
      // CHECK: memref.store {{.*}}<flops = ?, read = {}, written = {activation = 4}, launches = 0>
      %v = memref.load %x[%i] : memref<8xf32>
      %w = arith.mulf %v, %v : f32
      memref.store %w, %y[%i] : memref<8xf32>
      // CHECK: memref.store {{.*}}<flops = {}, read = {}, written = {activation = 4}, launches = 0>
      memref.store %v, %y[%i] : memref<8xf32>
    }
    return
  }
}
