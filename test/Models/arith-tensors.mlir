// RUN: rl-opt %s --rl-count-cost | FileCheck %s
//
// arith and math on whole tensors: one operation an element. On scalars they
// are the host's: no row.

module {
  func.func @elements(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %n: index) -> index {
    // CHECK: arith.addf {{.*}}<flops = {vector.f32 = 32}, read = {activation = 256}, written = {activation = 128}, launches = 1>
    %0 = arith.addf %x, %y : tensor<4x8xf32>
    // CHECK: arith.divf {{.*}}<flops = {special.f32 = 32}
    %1 = arith.divf %0, %y : tensor<4x8xf32>
    // CHECK: math.exp {{.*}}<flops = {special.f32 = 32}, read = {activation = 128}, written = {activation = 128}, launches = 1>
    %2 = math.exp %1 : tensor<4x8xf32>
    // CHECK: math.fma {{.*}}<flops = {vector.f32 = 64}
    %3 = math.fma %0, %1, %2 : tensor<4x8xf32>
    // A comparison in its operands' type.
    // CHECK: arith.cmpf {{.*}}<flops = {vector.f32 = 32}, read = {activation = 256}, written = {activation = 32}, launches = 1>
    %4 = arith.cmpf ogt, %x, %y : tensor<4x8xf32>
    // CHECK: arith.select {{.*}}<flops = {vector.f32 = 32}, read = {activation = 288}, written = {activation = 128}, launches = 1>
    %5 = arith.select %4, %x, %y : tensor<4x8xi1>, tensor<4x8xf32>
    // CHECK: arith.truncf {{.*}}<flops = {vector.f32 = 32}, read = {activation = 128}, written = {activation = 64}, launches = 1>
    %6 = arith.truncf %5 : tensor<4x8xf32> to tensor<4x8xf16>
    // CHECK-NOT: rl.work
    // CHECK: return
    %m = arith.muli %n, %n : index
    return %m : index
  }
}
