// RUN: rl-lower %s --rl-results-to-arguments | FileCheck %s

// What is allocated to be returned is written in place. Attributes of the
// arguments stay theirs.

// CHECK-LABEL: func.func @in_place(%arg0: memref<4xf32> {rl.name = "x"}, %arg1: memref<4xf32>) {
// CHECK-NEXT: linalg.copy ins(%arg0 : memref<4xf32>) outs(%arg1 : memref<4xf32>)
// CHECK-NEXT: return
func.func @in_place(%x: memref<4xf32> {rl.name = "x"}) -> memref<4xf32> {
  %y = memref.alloc() : memref<4xf32>
  linalg.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  return %y : memref<4xf32>
}

// A buffer that is returned twice is written in one place, and copied to the
// other.

// CHECK-LABEL: func.func @twice(%arg0: memref<4xf32>, %arg1: memref<4xf32>, %arg2: memref<4xf32>) {
// CHECK-NEXT: linalg.copy ins(%arg0 : memref<4xf32>) outs(%arg2 : memref<4xf32>)
// CHECK-NEXT: memref.copy %arg2, %arg1
// CHECK-NEXT: return
func.func @twice(%x: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %y = memref.alloc() : memref<4xf32>
  linalg.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  return %y, %y : memref<4xf32>, memref<4xf32>
}

// An argument that is returned is the caller's, and copied.

// CHECK-LABEL: func.func @argument(%arg0: memref<4xf32>, %arg1: memref<4xf32>) {
// CHECK-NEXT: memref.copy %arg0, %arg1
// CHECK-NEXT: return
func.func @argument(%x: memref<4xf32>) -> memref<4xf32> {
  return %x : memref<4xf32>
}
