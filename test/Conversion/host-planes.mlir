// RUN: rl-lower %s --pass-pipeline='builtin.module(func.func(rl-host-loops{vector-bits=256}),canonicalize)' | FileCheck %s

// A pooling that pads: 4 planes of 64 by 64 get a border of one. A row of it
// hasn't the lines that the windows over it need, a plane has: one loop over
// planes, one padded plane of 66 by 66 instead of 4, whose border is filled
// once. Its last line and column aren't reached: 64 · 66 + 64 + 1 = 4289
// elements. A plane is 17 KB; of shorter ones several would be taken together.

// CHECK-LABEL: func.func @pool
// CHECK: %[[PLANE:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4289xf32>
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[PLANE]]
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c1
// The plane's inside, line by line.
// CHECK: scf.for %{{.*}} = %c0 to %c64 step %c1
// CHECK: vector.store {{.*}} memref<4289xf32>, vector<8xf32>
// 32 lines of windows, by 8 of them: every other element.
// CHECK: scf.for %{{.*}} = %c0 to %c32 step %c1
// CHECK: vector.shuffle
// CHECK: arith.maximumf
// CHECK: return
#plane = affine_map<(n, c, y, x) -> (n, c, y, x)>
#window = affine_map<(n, c, y, x, i, j) -> (n, c, 2 * y + i, 2 * x + j)>
#kernel = affine_map<(n, c, y, x, i, j) -> (i, j)>
#result = affine_map<(n, c, y, x, i, j) -> (n, c, y, x)>
func.func @pool(%x: memref<1x4x64x64xf32>, %z: memref<1x4x32x32xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %padded = memref.alloc() : memref<1x4x66x66xf32>
  linalg.fill ins(%least : f32) outs(%padded : memref<1x4x66x66xf32>)
  %inside = memref.subview %padded[0, 0, 1, 1] [1, 4, 64, 64] [1, 1, 1, 1] : memref<1x4x66x66xf32> to memref<1x4x64x64xf32, strided<[17424, 4356, 66, 1], offset: 67>>
  linalg.generic {indexing_maps = [#plane, #plane], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : memref<1x4x64x64xf32>) outs(%inside : memref<1x4x64x64xf32, strided<[17424, 4356, 66, 1], offset: 67>>) {
  ^bb0(%a: f32, %c: f32):
    linalg.yield %a : f32
  }
  %w = memref.alloc() : memref<3x3xf32>
  linalg.fill ins(%least : f32) outs(%z : memref<1x4x32x32xf32>)
  linalg.generic {indexing_maps = [#window, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%padded, %w : memref<1x4x66x66xf32>, memref<3x3xf32>) outs(%z : memref<1x4x32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.maximumf %c, %a : f32
    linalg.yield %m : f32
  }
  memref.dealloc %w : memref<3x3xf32>
  memref.dealloc %padded : memref<1x4x66x66xf32>
  return
}
