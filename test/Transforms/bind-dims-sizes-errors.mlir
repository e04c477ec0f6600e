// RUN: not rl-opt %s --rl-bind-dims='dims=past=3' 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: rl-opt %s --rl-bind-dims='dims=past=4' | FileCheck %s --check-prefix=EMPTY
// RUN: not rl-opt %s --rl-bind-dims='shapes=inpt=4' 2>&1 | FileCheck %s --check-prefix=NEAR
// RUN: not rl-opt %s --rl-bind-dims='shapes=frobnicate=4' 2>&1 | FileCheck %s --check-prefix=NAMES
//
// A size that comes out negative is an error, 0 is none; arguments have near
// matches too.

// SIZE: error: the size past - 4 comes to -1
// EMPTY: %arg0: tensor<0xf32>
// NEAR: error: no argument is called 'inpt'; did you mean input?
// NAMES: error: no argument is called 'frobnicate'; there are: input, arg1
func.func @main(%x: tensor<?xf32, #rl.dims<["past - 4"]>> {rl.name = "input"}, %y: tensor<4xf32>) {
  return
}
