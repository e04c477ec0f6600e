// RUN: rl-opt %s --report-format=json --entry=loop | FileCheck %s --check-prefix=LOOP
// RUN: rl-opt %s --report-format=json --entry=gather | FileCheck %s --check-prefix=GATHER
// RUN: rl-opt %s --report-format=json --entry=twice | FileCheck %s --check-prefix=TWICE
// RUN: rl-opt %s --report-format=json --entry=memref | FileCheck %s --check-prefix=MEMREF
//
// What any schedule must move. A loop of 10 trips: the weight's 1024 bytes once,
// the input it carries 1024, the result 1024.
// LOOP: "unfused":{"bytes":30720,{{.*}}"compulsory":{"bytes":3072,
func.func @loop(%x: tensor<256xf32>) -> tensor<256xf32> {
  %w = rl.weight "w" : tensor<256xf32>
  %0 = rl.loop(%x) trips <[10]> {
  ^bb0(%i: tensor<i64>, %a: tensor<256xf32>):
    %1 = rl.map "add"(%a, %w) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    rl.yield %1 : tensor<256xf32>
  } : (tensor<256xf32>) -> tensor<256xf32>
  return %0 : tensor<256xf32>
}

// A kernel that picks 2 of a table's 1000 rows of 16 bytes: 32 bytes of it, the
// indices' 16, and 32 written; not the table's 16000.
// GATHER: "unfused":{"bytes":80,{{.*}}"compulsory":{"bytes":80,
func.func @gather(%i: tensor<2xi64>) -> tensor<2x4xf32> {
  %t = rl.weight "table" : tensor<1000x4xf32>
  %0 = rl.fused {
    %1 = rl.gather "rows"(%t, %i) : (tensor<1000x4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
    rl.yield %1 : tensor<2x4xf32>
  } : tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// An output twice, and an input that is an output: 1024 in, 1024 out.
// TWICE: "compulsory":{"bytes":2048,
func.func @twice(%x: tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) {
  %0 = rl.map "relu"(%x) : (tensor<256xf32>) -> tensor<256xf32>
  return %0, %x, %0 : tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
}

// A memref that is written into is an output: 1024 in, 1024 out.
// MEMREF: "compulsory":{"bytes":2048,
func.func @memref(%a: memref<256xf32>, %b: memref<256xf32>) {
  linalg.exp ins(%a : memref<256xf32>) outs(%b : memref<256xf32>)
  return
}
