// RUN: rl-opt %s --rl-bind-dims='dims=batch=8,past=3' | FileCheck %s
// RUN: rl-opt %s --rl-bind-dims='dims=x[0]=8,past=3' | FileCheck %s --check-prefixes=CHECK,PLACE
// RUN: rl-opt %s --rl-bind-dims='dims=arg0[0]=8,past=3' | FileCheck %s --check-prefixes=CHECK,PLACE
// RUN: rl-opt %s --rl-bind-dims='shapes=x=8x4 dims=past=3' | FileCheck %s --check-prefixes=CHECK,PLACE
// RUN: rl-opt %s --rl-bind-dims='dims=batch=8' | FileCheck %s --check-prefix=PART
//
// A name becomes a number wherever a formula mentions it: in types, attributes and
// stated work. A dimension may be given by its name, by an argument's name or
// number and axis, or with the argument's whole shape; its name is bound with it.
// With batch = 8 and past = 3: past + 1 = 4, 2·batch·past = 48; what is left open
// keeps its formula.

!x = tensor<?x4xf32, #rl.dims<["batch", 4]>>
!k = tensor<?x?xf32, #rl.dims<["batch", "past + 1"]>>
// CHECK: func.func @main(%arg0: tensor<8x4xf32> {
// PLACE-SAME: rl.dims = #rl.dims<[8, 4]>,
// CHECK-SAME: rl.name = "x"}, %arg1: tensor<8x4xf32>)
// PART: func.func @main(%arg0: tensor<8x4xf32> {rl.name = "x"}, %arg1: tensor<8x?xf32, #rl.dims<[8, "past + 1"]>>)
func.func @main(%x: !x {rl.name = "x"}, %k: !k) {
  // CHECK: rl.map "relu"(%arg0) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %0 = rl.map "relu"(%x) : (!x) -> !x
  // CHECK: rl.attention(%arg1) extents <[8, 1, 1, 1, 4, 4, 4]>
  // PART: rl.attention(%arg1) extents <[8, 1, 1, 1, "past + 1", 4, 4]>
  %1 = rl.attention(%k) extents <["batch", 1, 1, 1, "past + 1", 4, 4]> : (!k) -> !k
  // CHECK: rl.loop() trips <[11]> {
  // PART: rl.loop() trips <["past + 8"]> {
  rl.loop() trips <["past + batch"]> {
  ^bb0(%i: tensor<i64>):
    // CHECK: #rl.work<flops = {vector.f32 = 48}, read = {activation = ?}, written = {}, launches = 1>
    // PART: #rl.work<flops = {vector.f32 = "16*past"}, read = {activation = ?}, written = {}, launches = 1>
    %2 = rl.opaque "f"(%k) {rl.work = #rl.work<flops = {vector.f32 = "2*batch*past"}, read = {activation = ?}>} : (!k) -> !k
    rl.yield
  } : () -> ()
  return
}
