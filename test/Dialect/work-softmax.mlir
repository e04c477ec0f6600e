// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// 4 rows of n = 6; the special ones apart.
//   softmax      5n − 2 = 28: (n − 1) max, n subtract, (n − 1) sum = 16; n exp,
//                n divide = 12. 4 rows: 64 and 48
//   log_softmax  max, subtract, sum, subtract again = 22; n exp, 1 log = 7: 88, 28
//   hardmax      2n − 1 = 11: 44
//   flattened    2x3x4 from axis 1: 2 rows of 12: 2·34 = 68 and 2·24 = 48
//   middle axis  2x3x4 along 1: 8 rows of 3: 8·7 = 56 and 8·6 = 48

!m = tensor<4x6xf16>
!t = tensor<2x3x4xf32>
module {
  func.func @main(%x: !m, %t: !t) {
    // CHECK: rl.softmax "softmax"{{.*}}<flops = {vector.f16 = 64, special.f16 = 48}, read = {activation = 48}, written = {activation = 48}, launches = 1>
    %0 = rl.softmax "softmax"(%x) axis 1 : (!m) -> !m
    // CHECK: rl.softmax "log_softmax"{{.*}}<flops = {vector.f16 = 88, special.f16 = 28}
    %1 = rl.softmax "log_softmax"(%x) axis 1 : (!m) -> !m
    // CHECK: rl.softmax "hardmax"{{.*}}<flops = {vector.f16 = 44}
    %2 = rl.softmax "hardmax"(%x) axis 1 : (!m) -> !m
    // CHECK: rl.softmax "softmax"{{.*}}<flops = {vector.f32 = 68, special.f32 = 48}
    %3 = rl.softmax "softmax"(%t) axis 1 flattened : (!t) -> !t
    // CHECK: rl.softmax "softmax"{{.*}}<flops = {vector.f32 = 56, special.f32 = 48}
    %4 = rl.softmax "softmax"(%t) axis 1 : (!t) -> !t
    return
  }
}
