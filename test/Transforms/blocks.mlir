// RUN: rl-opt %s --rl-count-cost=entry=loop | FileCheck %s --check-prefix=LOOP
// RUN: rl-opt %s --roofline-report --entry=loop '--dim=trips(^bb1)=5' | FileCheck %s --check-prefix=BOUND
// RUN: rl-opt %s --report-format=json --entry=either | FileCheck %s --check-prefix=EITHER
// RUN: rl-opt %s --report-format=json --entry=line | FileCheck %s --check-prefix=LINE
// RUN: rl-opt %s --report-format=json --entry=dead | FileCheck %s --check-prefix=DEAD
//
// Branches between blocks: what is on a cycle runs as often as only data can
// tell; what a branch may leave out counts as an upper bound, 8 + 8; what runs
// in any case doesn't; what nothing leads to never runs.

// LOOP: math.exp %{{.*}} {rl.times = #rl.dims<["`trips(^bb1)`"]>
// LOOP: math.log
// LOOP-NOT: rl.times
// BOUND: special f32 48 FLOP
func.func @loop(%c: i1, %a: tensor<8xf32>) -> tensor<8xf32> {
  cf.br ^bb1(%a : tensor<8xf32>)
^bb1(%x: tensor<8xf32>):
  %0 = math.exp %x : tensor<8xf32>
  cf.cond_br %c, ^bb1(%0 : tensor<8xf32>), ^bb2
^bb2:
  %1 = math.log %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// EITHER: "totals":{"flops":16,{{.*}}"upper_bound":true
func.func @either(%c: i1, %a: tensor<8xf32>) -> tensor<8xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %0 = math.exp %a : tensor<8xf32>
  return %0 : tensor<8xf32>
^bb2:
  %1 = math.log %a : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// LINE: "totals":{"flops":8,{{.*}}"upper_bound":false
func.func @line(%a: tensor<8xf32>) -> tensor<8xf32> {
  cf.br ^bb1
^bb1:
  %0 = math.exp %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// DEAD: "totals":{"flops":0,
func.func @dead(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
^bb1:
  %0 = math.exp %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
