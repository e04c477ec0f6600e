// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// grouped, f32: 1x4x10x10 by 6x2x3x3 in 2 groups, padded by 1, stride 2: out
//   (10 + 2 − 3)/2 + 1 = 5 a side, 6·25 = 150 elements
//   2·150·2·9 = 5400 multiply-adds' operations, 150 for the bias
//   weights 4·(108 + 6) = 456; read 4·400 = 1600, written 600
// dilated, 9 by a kernel of 3 spread over 5: 5 elements, 2·5·3 = 30
// depthwise: 3 channels, a filter of 2 each: 7 positions; 2·3·7·1·2 = 84
// volume, i8: 2x3x3x3 by 4x2x2x2x2: 4·8 = 32 elements, 2·32·2·8 = 1024 at i8;
//   read 54 + 64 = 118, written as i32 128
// transposed goes by input positions: 1x8x7x5 by 8x3x4x4 in 2 groups,
//   2·8·35·3·16 = 26880; read 4·(280 + 384) = 2656, written 4·840 = 3360

module {
  func.func @main(%x: tensor<1x4x10x10xf32>, %s: tensor<1x1x9xf32>, %k: tensor<1x1x3xf32>,
                  %d: tensor<1x3x8xf16>, %e: tensor<3x1x2xf16>,
                  %v: tensor<1x2x3x3x3xi8>, %f: tensor<4x2x2x2x2xi8>,
                  %t: tensor<1x8x7x5xf32>, %g: tensor<8x3x4x4xf32>) {
    %w = rl.weight "w" : tensor<6x2x3x3xf32>
    %b = rl.weight "b" : tensor<6xf32>
    // CHECK: rl.conv{{.*}}<flops = {matmul.f32 = 5400, vector.f32 = 150}, read = {weight = 456, activation = 1600}, written = {activation = 600}, launches = 1>
    %grouped = rl.conv(%x, %w) aux(%b) strides [2, 2] pads [1, 1, 1, 1] dilations [1, 1] epilogue <vector = 1> {group = 2 : i64} : (tensor<1x4x10x10xf32>, tensor<6x2x3x3xf32>, tensor<6xf32>) -> tensor<1x6x5x5xf32>
    // CHECK: rl.conv{{.*}}<flops = {matmul.f32 = 30}, read = {activation = 48}, written = {activation = 20}
    %dilated = rl.conv(%s, %k) strides [1] pads [0, 0] dilations [2] : (tensor<1x1x9xf32>, tensor<1x1x3xf32>) -> tensor<1x1x5xf32>
    // CHECK: rl.conv{{.*}}<flops = {matmul.f16 = 84}, read = {activation = 60}, written = {activation = 42}
    %depthwise = rl.conv(%d, %e) strides [1] pads [0, 0] dilations [1] {group = 3 : i64} : (tensor<1x3x8xf16>, tensor<3x1x2xf16>) -> tensor<1x3x7xf16>
    // CHECK: rl.conv{{.*}}<flops = {matmul.i8 = 1024}, read = {activation = 118}, written = {activation = 128}
    %volume = rl.conv(%v, %f) strides [1, 1, 1] pads [0, 0, 0, 0, 0, 0] dilations [1, 1, 1] : (tensor<1x2x3x3x3xi8>, tensor<4x2x2x2x2xi8>) -> tensor<1x4x2x2x2xi32>
    // CHECK: rl.conv transposed{{.*}}<flops = {matmul.f32 = 26880}, read = {activation = 2656}, written = {activation = 3360}
    %transposed = rl.conv transposed(%t, %g) strides [2, 2] pads [1, 1, 1, 1] dilations [1, 1] {group = 2 : i64} : (tensor<1x8x7x5xf32>, tensor<8x3x4x4xf32>) -> tensor<1x6x14x10xf32>
    return
  }
}
