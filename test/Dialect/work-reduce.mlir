// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// n = 4x6 = 24 elements to m = 4: 96 bytes read, 16 written.
//   sum, max, argmax …   n − m = 20
//   mean                 n = 24: 20 additions, 4 divisions
//   l1, sum_square       2n − m = 44 (l2: 4 roots more)
//   log_sum              20 and 4 logarithms
//   log_sum_exp          max 20, subtract 24, exp 24, sum 20, log 4, add 4
//   nothing to reduce    0, never less

!m = tensor<4x6xf32>
!r = tensor<4xf32>
module {
  func.func @main(%x: !m, %e: tensor<4x0xf32>, %b: tensor<4x6xi1>) {
    // CHECK: rl.reduce "sum"{{.*}}<flops = {vector.f32 = 20}, read = {activation = 96}, written = {activation = 16}, launches = 1>
    %0 = rl.reduce "sum"(%x) axes [1] : (!m) -> !r
    // CHECK: rl.reduce "argmax"{{.*}}<flops = {vector.f32 = 20}, read = {activation = 96}, written = {activation = 32}
    %1 = rl.reduce "argmax"(%x) axes [1] : (!m) -> tensor<4xi64>
    // CHECK: rl.reduce "mean"{{.*}}<flops = {vector.f32 = 20, special.f32 = 4}
    %2 = rl.reduce "mean"(%x) axes [1] : (!m) -> !r
    // CHECK: rl.reduce "l1"{{.*}}<flops = {vector.f32 = 44}
    %3 = rl.reduce "l1"(%x) axes [1] : (!m) -> !r
    // CHECK: rl.reduce "sum_square"{{.*}}<flops = {vector.f32 = 44}
    %4 = rl.reduce "sum_square"(%x) axes [1] : (!m) -> !r
    // CHECK: rl.reduce "l2"{{.*}}<flops = {vector.f32 = 44, special.f32 = 4}
    %5 = rl.reduce "l2"(%x) axes [1] : (!m) -> !r
    // CHECK: rl.reduce "log_sum"{{.*}}<flops = {vector.f32 = 20, special.f32 = 4}
    %6 = rl.reduce "log_sum"(%x) axes [1] : (!m) -> !r
    // CHECK: rl.reduce "log_sum_exp"{{.*}}<flops = {vector.f32 = 68, special.f32 = 28}
    %7 = rl.reduce "log_sum_exp"(%x) axes [1] : (!m) -> !r
    // CHECK: rl.reduce "max"{{.*}}<flops = {}, read = {activation = 0}, written = {activation = 16}
    %8 = rl.reduce "max"(%e) axes [1] : (tensor<4x0xf32>) -> !r
    // CHECK: rl.reduce "any"{{.*}}<flops = {vector.bool = 20}, read = {activation = 24}, written = {activation = 4}
    %9 = rl.reduce "any"(%b) axes [1] : (tensor<4x6xi1>) -> tensor<4xi1>
    // CHECK: rl.cumulate "sum"{{.*}}<flops = {vector.f32 = 24}, read = {activation = 96}, written = {activation = 96}
    %10 = rl.cumulate "sum"(%x) : (!m) -> !m
    return
  }
}
