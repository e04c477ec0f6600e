// RUN: rl-opt %s --report-format=json --entry=handed | FileCheck %s --check-prefix=HANDED
// RUN: rl-opt %s --report-format=json --entry=loop | FileCheck %s --check-prefix=LOOP
// RUN: rl-opt %s --report-format=json --entry=chain | FileCheck %s --check-prefix=CHAIN
//
// A branch hands on what its region made, through any depth: the argument's 1024
// bytes, two conditions of 1, the one tensor made, 1024.
// HANDED: "peak_memory_bytes":2050,
func.func @handed(%c: tensor<i1>, %d: tensor<i1>, %x: tensor<256xf32>) -> tensor<256xf32> {
  %0 = rl.if %c : tensor<i1> taken 0 -> tensor<256xf32> {
    %1 = rl.if %d : tensor<i1> taken 0 -> tensor<256xf32> {
      %2 = rl.map "relu"(%x) : (tensor<256xf32>) -> tensor<256xf32>
      rl.yield %2 : tensor<256xf32>
    } else {
      %big = rl.copy "tile"(%x) : (tensor<256xf32>) -> tensor<25600xf32>
      %3 = rl.copy "slice"(%big) picks : (tensor<25600xf32>) -> tensor<256xf32>
      rl.yield %3 : tensor<256xf32>
    }
    rl.yield %1 : tensor<256xf32>
  } else {
    rl.yield %x : tensor<256xf32>
  }
  return %0 : tensor<256xf32>
}

// What a body reads from outside stays until the loop ends, and what the loop
// stacks up is there from its start: %x and %y of 1024 each, the carried value's
// next 1024, the stack 4096.
// LOOP: "peak_memory_bytes":7168,
func.func @loop(%x: tensor<256xf32>, %y: tensor<256xf32>) -> (tensor<256xf32>, tensor<4x256xf32>) {
  %0:2 = rl.loop(%x) trips <[4]> {
  ^bb0(%i: tensor<i64>, %a: tensor<256xf32>):
    %1 = rl.map "add"(%a, %y) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    rl.yield %1, %1 : tensor<256xf32>, tensor<256xf32>
  } : (tensor<256xf32>) -> (tensor<256xf32>, tensor<4x256xf32>)
  return %0#0, %0#1 : tensor<256xf32>, tensor<4x256xf32>
}

// Of a chain only two neighbours are alive at once, 2 · 1024, the argument until
// it is read; views have no bytes of their own.
// CHAIN: "peak_memory_bytes":2048,
func.func @chain(%x: tensor<256xf32>) -> tensor<256xf32> {
  %0 = rl.map "relu"(%x) : (tensor<256xf32>) -> tensor<256xf32>
  %1 = rl.view "reshape"(%0) : (tensor<256xf32>) -> tensor<16x16xf32>
  %2 = rl.map "relu"(%1) : (tensor<16x16xf32>) -> tensor<16x16xf32>
  %3 = rl.view "reshape"(%2) : (tensor<16x16xf32>) -> tensor<256xf32>
  %4 = rl.map "relu"(%3) : (tensor<256xf32>) -> tensor<256xf32>
  return %4 : tensor<256xf32>
}
