// RUN: not rl-opt %s --rl-bind-dims='dims=bacth=8' 2>&1 | FileCheck %s --check-prefix=NEAR
// RUN: not rl-opt %s --rl-bind-dims='dims=frobnicate=8' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not rl-opt %s --rl-bind-dims='dims=w[0]=8' 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: not rl-opt %s --rl-bind-dims='dims=batch=-1' 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not rl-opt %s --rl-bind-dims='dims=batch=eight' 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not rl-opt %s --rl-bind-dims='dims=batch' 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not rl-opt %s --rl-bind-dims='dims=x[7]=8' 2>&1 | FileCheck %s --check-prefix=AXIS
// RUN: not rl-opt %s --rl-bind-dims='dims=x[1]=5' 2>&1 | FileCheck %s --check-prefix=FIXED
// RUN: not rl-opt %s --rl-bind-dims='shapes=x=8x5' 2>&1 | FileCheck %s --check-prefix=FIXED
// RUN: not rl-opt %s --rl-bind-dims='shapes=x=8x4x4' 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not rl-opt %s --rl-bind-dims='shapes=x=8xfour' 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not rl-opt %s --rl-bind-dims='shapes=z=8x4' 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// NEAR: error: no dimension is called 'bacth'; did you mean batch?
// NONE: error: no dimension is called 'frobnicate'; there are: batch
// ARGUMENT: error: no dimension is called 'w[0]'; there are: batch
// NEGATIVE: error: 'batch=-1' is not NAME=N with N from 0 on
// WORD: error: 'batch=eight' is not NAME=N with N from 0 on
// NOTHING: error: 'batch' is not NAME=N with N from 0 on
// AXIS: error: argument 0 of type {{.*}} has no such dimension
// FIXED: error: dimension 1 of argument 0 is 4, not 5
// RANK: error: argument 0 of type {{.*}} has no such dimension
// SHAPE: error: 'x=8xfour' is not ARG=AxBxC
// UNKNOWN: error: no argument is called 'z'
func.func @main(%x: tensor<?x4xf32, #rl.dims<["batch", 4]>> {rl.name = "x"}) {
  return
}
