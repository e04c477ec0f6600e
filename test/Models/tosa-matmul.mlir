// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// Products of tosa; zero points are operands, and one that isn't 0 is subtracted
// from each element.

module {
  func.func @products(%a: tensor<2x4x8xf32>, %b: tensor<2x8x16xf32>, %p: tensor<2x4x8xi8>, %q: tensor<2x8x16xi8>) {
    %zf = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
    %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %n = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
    // 2·(2·4·16)·8 = 2048; reads 4·(64 + 256), one zero point of 4 bytes for both.
    // CHECK: tosa.matmul {{.*}}<flops = {matmul.f32 = 2048}, read = {weight = 4, activation = 1280}, written = {activation = 512}, launches = 1>
    %0 = tosa.matmul %a, %b, %zf, %zf : (tensor<2x4x8xf32>, tensor<2x8x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x16xf32>
    // i8 into i32; %p has 64 elements and a zero point of -7.
    // CHECK: tosa.matmul {{.*}}<flops = {matmul.i8 = 2048, vector.i8 = 64}, read = {weight = 2, activation = 320}, written = {activation = 512}, launches = 1>
    %1 = tosa.matmul %p, %q, %n, %z : (tensor<2x4x8xi8>, tensor<2x8x16xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x4x16xi32>
    return
  }
}
