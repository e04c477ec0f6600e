// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// The same ops on buffers: what is written is the destination.

module {
  func.func @buffers(%a: memref<4x8xf32>, %b: memref<8x16xf32>, %c: memref<4x16xf32>) {
    // The accumulator is read: nothing tells what it starts as.
    // CHECK: linalg.matmul {{.*}}<flops = {matmul.f32 = 1024}, read = {activation = 896}, written = {activation = 256}, launches = 1>
    linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x16xf32>) outs(%c : memref<4x16xf32>)
    // CHECK: memref.copy {{.*}}<flops = {}, read = {activation = 256}, written = {activation = 256}, launches = 1>
    %d = memref.alloc() : memref<4x16xf32>
    memref.copy %c, %d : memref<4x16xf32> to memref<4x16xf32>
    // CHECK: memref.subview {{.*}}<flops = {}, read = {}, written = {}, launches = 0>
    %s = memref.subview %d[0, 0] [2, 16] [1, 1] : memref<4x16xf32> to memref<2x16xf32, strided<[16, 1]>>
    return
  }
}
