// RUN: rl-opt %s --rl-count-cost='entry=second' | FileCheck %s
// RUN: rl-opt %s --rl-count-cost='entry=first print=true' -o /dev/null 2>&1 | FileCheck %s --check-prefix=PRINT
// RUN: rl-opt %s --rl-count-cost='entry=second print=true' -o /dev/null 2>&1 | FileCheck %s --check-prefix=OPAQUE
// RUN: not rl-opt %s --rl-count-cost 2>&1 | FileCheck %s --check-prefix=WHICH
// RUN: not rl-opt %s --rl-count-cost='entry=third' 2>&1 | FileCheck %s --check-prefix=NONE
//
// One function is counted: the public one, or the one that is asked for. Its sums
// are those of what is known: 2·8 = 16 FLOPs; 32 read and written, 64 and 64.

// CHECK: @first
// CHECK-NOT: rl.work
// CHECK: @second
// CHECK: rl.map "relu"{{.*}}rl.work
// PRINT: @first: 16 FLOPs, 128 bytes
// OPAQUE: @second: 8 FLOPs, 64 bytes, 1 ops not counted
// WHICH: error: {{.*}}@first, @second
// NONE: error: no function @third with a body; there are: @first, @second
module {
  func.func @first(%x: tensor<8xf32>) {
    %0 = rl.map "relu"(%x) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = rl.map "neg"(%0) : (tensor<8xf32>) -> tensor<8xf32>
    return
  }
  func.func @second(%x: tensor<8xf32>) {
    %0 = rl.map "relu"(%x) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = rl.opaque "f"(%0) : (tensor<8xf32>) -> tensor<8xf32>
    return
  }
}
