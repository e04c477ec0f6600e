// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// 4x5 = 20 elements. An operand used twice is read once; one that is broadcast at
// its own size; types of 4 bits are packed; a cast counts at the wider type, a
// comparison at the type of what it compares.

!m = tensor<4x5xf32>
!h = tensor<4x5xf16>
module {
  func.func @main(%x: !m, %y: !m, %b: tensor<5xf32>, %h: !h, %c: tensor<4x5xi1>, %n: tensor<3xi4>) {
    // 20 additions; 4·(20 + 5) = 100 read, 80 written.
    // CHECK: rl.map "add"{{.*}}<flops = {vector.f32 = 20}, read = {activation = 100}, written = {activation = 80}, launches = 1>
    %0 = rl.map "add"(%x, %b) : (!m, tensor<5xf32>) -> !m
    // CHECK: rl.map "mul"{{.*}}<flops = {vector.f16 = 20}, read = {activation = 40}, written = {activation = 40}
    %1 = rl.map "mul"(%h, %h) : (!h, !h) -> !h
    // CHECK: rl.map "div"{{.*}}<flops = {special.f32 = 20}, read = {activation = 160}
    %2 = rl.map "div"(%x, %y) : (!m, !m) -> !m
    // CHECK: rl.map "cast"{{.*}}<flops = {vector.f32 = 20}, read = {activation = 40}, written = {activation = 80}
    %3 = rl.map "cast"(%h) : (!h) -> !m
    // CHECK: rl.map "greater"{{.*}}<flops = {vector.f16 = 20}, read = {activation = 40}, written = {activation = 20}
    %4 = rl.map "greater"(%h, %h) : (!h, !h) -> tensor<4x5xi1>
    // 20 bytes of the condition, 160 of what is selected.
    // CHECK: rl.map "where"{{.*}}<flops = {vector.f32 = 20}, read = {activation = 180}, written = {activation = 80}
    %5 = rl.map "where"(%c, %x, %y) : (tensor<4x5xi1>, !m, !m) -> !m
    // 3 operands: 2 additions an element; a mean divides besides.
    // CHECK: rl.map "sum"{{.*}}<flops = {vector.f32 = 40}, read = {activation = 180}
    %6 = rl.map "sum"(%x, %y, %b) : (!m, !m, tensor<5xf32>) -> !m
    // CHECK: rl.map "mean"{{.*}}<flops = {vector.f32 = 40, special.f32 = 20}
    %7 = rl.map "mean"(%x, %y, %b) : (!m, !m, tensor<5xf32>) -> !m
    // Sigmoid: exp, add, divide. Gelu: divide, erf, add, two products.
    // CHECK: rl.map "sigmoid"{{.*}}<flops = {vector.f32 = 20, special.f32 = 40}
    %8 = rl.map "sigmoid"(%x) : (!m) -> !m
    // CHECK: rl.map "gelu"{{.*}}<flops = {vector.f32 = 60, special.f32 = 40}
    %9 = rl.map "gelu"(%x) : (!m) -> !m
    // CHECK: rl.map "clip"{{.*}}<flops = {vector.f32 = 20}
    %10 = rl.map "clip"(%x) body <vector = 1> : (!m) -> !m
    // CHECK: rl.map "neg"{{.*}}<flops = {vector.i4 = 3}, read = {activation = 2}, written = {activation = 2}
    %11 = rl.map "neg"(%n) : (tensor<3xi4>) -> tensor<3xi4>
    return
  }
}
