// RUN: rl-opt %s --rl-count-cost='print=true' 2>&1 | FileCheck %s
//
// A body's work stands for one trip, rl.times says how many: 5, a named number,
// both for a loop in a loop; `trips(NODE)` where nothing names it.
//   FLOPs 4·5 + 4·n + 4·5·n + 4·trips(walk), bytes 8 times that

// CHECK: @main: 24*n + 4*`trips(walk)` + 20 FLOPs, 192*n + 32*`trips(walk)` + 160 bytes
!v = tensor<4xf32>
module {
  func.func @main(%x: !v) {
    // CHECK: rl.map "relu"{{.*}}{rl.times = #rl.dims<[5]>, rl.work = #rl.work<flops = {vector.f32 = 4}, read = {activation = 16}, written = {activation = 16}, launches = 1>
    %0 = rl.loop(%x) trips <[5]> {
    ^bb0(%i: tensor<i64>, %h: !v):
      %a = rl.map "relu"(%h) : (!v) -> !v
      rl.yield %a : !v
    } : (!v) -> !v
    // CHECK: rl.map "neg"{{.*}}rl.times = #rl.dims<["n"]>
    // CHECK: rl.map "abs"{{.*}}rl.times = #rl.dims<["5*n"]>
    %1 = rl.loop(%x) trips <["n"]> {
    ^bb0(%i: tensor<i64>, %h: !v):
      %a = rl.map "neg"(%h) : (!v) -> !v
      %b = rl.loop(%a) trips <[5]> {
      ^bb0(%j: tensor<i64>, %k: !v):
        %c = rl.map "abs"(%k) : (!v) -> !v
        rl.yield %c : !v
      } : (!v) -> !v
      rl.yield %b : !v
    } : (!v) -> !v
    // CHECK: rl.map "sign"{{.*}}rl.times = #rl.dims<["`trips(walk)`"]>
    %2 = rl.loop(%x) trips <[?]> {
    ^bb0(%i: tensor<i64>, %h: !v):
      %a = rl.map "sign"(%h) : (!v) -> !v
      rl.yield %a : !v
    } : (!v) -> !v loc("walk")
    return
  }
}
