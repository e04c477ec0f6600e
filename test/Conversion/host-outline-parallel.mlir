// RUN: rl-lower %s --pass-pipeline='builtin.module(rl-outline-parallel)' | FileCheck %s

// The body becomes a function of its index and of what it reads from outside;
// constants come along. The call says how many indices there are.

// CHECK: func.func private @f_parallel0(%[[I:.*]]: index, %[[X:.*]]: memref<2xf32>) attributes {rl.parallel}
// CHECK: %[[HALF:.*]] = arith.constant 5.000000e-01 : f32
// CHECK: memref.store %[[HALF]], %[[X]][%[[I]]]
// CHECK: func.func @f
// CHECK: %[[TWO:.*]] = arith.constant 2 : index
// CHECK-NEXT: call @f_parallel0(%[[TWO]], %{{.*}}) : (index, memref<2xf32>) -> ()
// CHECK-NOT: scf.forall
func.func @f(%x: memref<2xf32>) {
  %half = arith.constant 0.5 : f32
  scf.forall (%i) in (2) {
    memref.store %half, %x[%i] : memref<2xf32>
  }
  return
}

// A name that is taken is passed by; a loop outside of functions stays.

// CHECK: func.func private @g_parallel0()
// CHECK: func.func private @g_parallel1(%{{.*}}: index) attributes {rl.parallel}
// CHECK: call @g_parallel0()
// CHECK: func.func @g
// CHECK: call @g_parallel1(
func.func private @g_parallel0()
func.func @g() {
  scf.forall (%i) in (2) {
    func.call @g_parallel0() : () -> ()
  }
  return
}

// CHECK: scf.forall
scf.forall (%i) in (2) {
  func.call @g_parallel0() : () -> ()
}
