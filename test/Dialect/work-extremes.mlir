// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// Counts are exact or unknown whatever the sizes, and never below 0.
//   windows whole in the padding have no taps: 0, not −2
//   two windows 2^63 − 1 apart: the first has 1 of its 3 taps inside, the second
//     none: nothing to compare
//   samples    2·2·24·(2^63 − 1) = 885443715538058477472
//   a transform of length 2^63 − 1: more operations than an exact double holds
//   causal, 8 queries, 2 keys: all but the first query see both: 1 + 7·2 = 15
//     scores, 2·15·2 in products, 5·15 − 2·8 in softmax, 15 for the scale: 134
//   trips      10^20 times 24

module {
  func.func @main(%x: tensor<4x6xf32>, %p: tensor<1x1x5xf32>) {
    // CHECK: rl.pool "max"{{.*}}<flops = {}, read = {activation = 20}
    %0 = rl.pool "max"(%p) kernel [3] strides [1] pads [9223372036854775807, 0] dilations [1] : (tensor<1x1x5xf32>) -> tensor<1x1x2xf32>
    // CHECK: rl.pool "max"{{.*}}<flops = {}, read = {activation = 20}
    %1 = rl.pool "max"(%p) kernel [3] strides [9223372036854775807] pads [0, 0] dilations [9223372036854775807] : (tensor<1x1x5xf32>) -> tensor<1x1x2xf32>
    // CHECK: rl.resize "linear"{{.*}}<flops = {vector.f32 = 885443715538058477472}
    %2 = rl.resize "linear"(%x) over 1 {samples = 9223372036854775807 : i64} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    // CHECK: rl.fft "dft"{{.*}}<flops = ?, read = {activation = 96}
    %3 = rl.fft "dft"(%x) {length = #rl.dims<[9223372036854775807]>, count = #rl.dims<[1]>} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    // CHECK: rl.attention{{.*}}causal = 134>
    %4 = rl.attention(%x) extents <[1, 1, 1, 8, 2, 1, 1]> causal : (tensor<4x6xf32>) -> tensor<4x6xf32>
    // CHECK: rl.map "relu"{{.*}}rl.times = #rl.dims<[100000000000000000000]>
    rl.loop() trips <[100000000000000000000]> {
    ^bb0(%i: tensor<i64>):
      %5 = rl.map "relu"(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>
      rl.yield
    } : () -> ()
    return
  }
}
