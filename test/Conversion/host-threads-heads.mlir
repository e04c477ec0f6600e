// RUN: rl-lower %s --pass-pipeline='builtin.module(func.func(rl-host-loops{vector-bits=256 threads=2 thread-cycles=96}))' | FileCheck %s
// RUN: rl-lower %s --pass-pipeline='builtin.module(func.func(rl-host-loops{vector-bits=256 threads=2 thread-cycles=97}))' | FileCheck %s --check-prefix=FEW

// A loop whose indices are independent goes to threads as a whole, and what is
// inside isn't shared again. 4 indices of 2 trips of 64 elements each: 64 steps of
// a vector of 8, each a load, a store and an addition with itself: 192 cycles. Two
// threads are worth having of 96 each; of 97, a plain loop.

// CHECK: scf.forall (%[[I:.*]]) in (4)
// CHECK: scf.for
// CHECK: vector.load
// CHECK-NOT: scf.forall
// FEW-NOT: scf.forall
func.func @heads(%x: memref<4x2x64xf32>, %y: memref<4x2x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.forall (%i) in (4) {
    scf.for %j = %c0 to %c2 step %c1 {
      %from = memref.subview %x[%i, %j, 0] [1, 1, 64] [1, 1, 1] : memref<4x2x64xf32> to memref<64xf32, strided<[1], offset: ?>>
      %to = memref.subview %y[%i, %j, 0] [1, 1, 64] [1, 1, 1] : memref<4x2x64xf32> to memref<64xf32, strided<[1], offset: ?>>
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%from : memref<64xf32, strided<[1], offset: ?>>) outs(%to : memref<64xf32, strided<[1], offset: ?>>) {
      ^bb0(%a: f32, %b: f32):
        %sum = arith.addf %a, %a : f32
        linalg.yield %sum : f32
      }
    }
  }
  return
}
