// RUN: rl-opt %s --rl-bind-dims='dims=trips(scf.while#0)=7' --rl-count-cost | FileCheck %s
// RUN: rl-opt %s --roofline-report | FileCheck %s --check-prefix=OPEN
// RUN: rl-opt %s --roofline-report '--dim=trips(scf.while#0)=7' | FileCheck %s --check-prefix=BOUND
// RUN: not rl-opt %s --roofline-report '--dim=trips(scf.while#1)=7' 2>&1 | FileCheck %s --check-prefix=NEAR
//
// A loop that data ends has a trip count of its own name, bound as dimensions
// are: 8 exp a trip, 56 in seven.

// CHECK: math.exp %{{.*}} {rl.times = #rl.dims<[7]>
// CHECK: rl.trips = #rl.dims<[7]>
// OPEN: unbound: trips(scf.while#0)
// OPEN: '--dim=trips(scf.while#0)=…'
// BOUND: dimensions  trips(scf.while#0) = 7
// BOUND: special f32 56 FLOP
// NEAR: error: no dimension is called 'trips(scf.while#1)'; did you mean trips(scf.while#0)?
func.func @f(%x: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  %r = scf.while (%a = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    scf.condition(%c) %a : tensor<8xf32>
  } do {
  ^bb0(%b: tensor<8xf32>):
    %1 = math.exp %b : tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
