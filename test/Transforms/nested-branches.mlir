// RUN: rl-opt %s --report-format=json | FileCheck %s --check-prefix=JSON
//
// A branch in a branch, conditions unknown, over 256 elements: relu is 1 each,
// hard_sigmoid 4, clip 2. The inner If counts hard_sigmoid, 1024, and could be
// had for relu's 256; the outer one counts the inner If and could be had for
// min(256, 512) = 256. Only the branch counted holds memory: the argument's
// 1024 bytes, its condition's 1, and one result handed from region to region.

// JSON: "totals":{"flops":1024,{{.*}}"peak_memory_bytes":2049,
// JSON: "index":0,{{.*}}"op_type":"rl.if",{{.*}}"flops_min":256,
// JSON: "index":1,{{.*}}"scope":"%0/then","times":1,{{.*}}"flops_min":256,
// JSON: "index":2,{{.*}}"scope":"%0/then/%1/then","times":0,
// JSON: "index":3,{{.*}}"scope":"%0/then/%1/else","times":1,{{.*}}"flops":1024,
// JSON: "index":4,{{.*}}"scope":"%0/else","times":0,
func.func @f(%c: tensor<i1>, %x: tensor<256xf32>) -> tensor<256xf32> {
  %0 = rl.if %c : tensor<i1> -> tensor<256xf32> {
    %1 = rl.if %c : tensor<i1> -> tensor<256xf32> {
      %2 = rl.map "relu"(%x) : (tensor<256xf32>) -> tensor<256xf32>
      rl.yield %2 : tensor<256xf32>
    } else {
      %3 = rl.map "hard_sigmoid"(%x) : (tensor<256xf32>) -> tensor<256xf32>
      rl.yield %3 : tensor<256xf32>
    }
    rl.yield %1 : tensor<256xf32>
  } else {
    %4 = rl.map "clip"(%x) : (tensor<256xf32>) -> tensor<256xf32>
    rl.yield %4 : tensor<256xf32>
  }
  return %0 : tensor<256xf32>
}
