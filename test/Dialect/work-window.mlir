// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// Only taps inside the input are work.
//   4x4, kernel 3, padded by 1: the 4 places of a side see 2, 3, 3, 2 = 10 taps,
//   100 in all, for 16 elements: max 100 − 16 = 84; average 84 additions and 16
//   divisions; lp 2·100 − 16 = 184 and 16 roots
//   5, kernel 2 spread by 2, stride 2, padded by 1 before: windows start at −1
//   and 1: taps −1 (outside) and 1; 1 and 3. 3 taps, 2 elements: max 1
//   top 3 of 10, twice: ⌈log₂ 4⌉ = 2 compares an element = 40; top 1: 1 = 20
//   nonzero 1 an element; compress 0; unique of 7: 7·⌈log₂ 8⌉ = 21
//   suppression of 5 boxes, 2 classes: 2·5·4/2 = 20 pairs, 13 and 1 each
//   DFT of 8, 3 times: 3·5·8·3 = 360

!i = tensor<1x1x4x4xf32>
!v = tensor<2x10xf32>
!s = tensor<7xf32>
module {
  func.func @main(%x: !i, %l: tensor<1x1x5xf32>, %v: !v, %s: !s, %c: tensor<7xi1>, %b: tensor<1x5x4xf32>, %p: tensor<1x2x5xf32>) {
    // CHECK: rl.pool "max"{{.*}}<flops = {vector.f32 = 84}, read = {activation = 64}, written = {activation = 64}, launches = 1>
    %0 = rl.pool "max"(%x) kernel [3, 3] strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] : (!i) -> !i
    // CHECK: rl.pool "average"{{.*}}<flops = {vector.f32 = 84, special.f32 = 16}
    %1 = rl.pool "average"(%x) kernel [3, 3] strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] : (!i) -> !i
    // CHECK: rl.pool "lp"{{.*}}<flops = {vector.f32 = 184, special.f32 = 16}
    %2 = rl.pool "lp"(%x) kernel [3, 3] strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] : (!i) -> !i
    // CHECK: rl.pool "max"{{.*}}<flops = {vector.f32 = 1}
    %3 = rl.pool "max"(%l) kernel [2] strides [2] pads [1, 0] dilations [2] : (tensor<1x1x5xf32>) -> tensor<1x1x2xf32>
    // CHECK: rl.topk{{.*}}<flops = {vector.f32 = 40}, read = {activation = 80}, written = {activation = 72}
    %4:2 = rl.topk(%v) axis 1 : (!v) -> (tensor<2x3xf32>, tensor<2x3xi64>)
    // CHECK: rl.topk{{.*}}<flops = {vector.f32 = 20}
    %5:2 = rl.topk(%v) axis 1 : (!v) -> (tensor<2x1xf32>, tensor<2x1xi64>)
    // CHECK: rl.filter "nonzero"{{.*}}<flops = {vector.f32 = 7}, read = {activation = 28}, written = {activation = 56}, launches = 1, data_dependent>
    %6 = rl.filter "nonzero"(%s) : (!s) -> tensor<1x7xi64>
    // CHECK: rl.filter "compress"{{.*}}<flops = {}, read = {activation = 35}, written = {activation = 28}
    %7 = rl.filter "compress"(%s, %c) : (!s, tensor<7xi1>) -> !s
    // CHECK: rl.filter "unique"{{.*}}<flops = {vector.f32 = 21}
    %8 = rl.filter "unique"(%s) : (!s) -> !s
    // CHECK: rl.filter "nms"{{.*}}<flops = {vector.f32 = 260, special.f32 = 20}
    %9 = rl.filter "nms"(%b, %p) : (tensor<1x5x4xf32>, tensor<1x2x5xf32>) -> tensor<10x3xi64>
    // CHECK: rl.fft "dft"{{.*}}<flops = {vector.f32 = 360}
    %10 = rl.fft "dft"(%s) {count = #rl.dims<[3]>, length = #rl.dims<[8]>} : (!s) -> !s
    return
  }
}
