// RUN: rl-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{a size is 0 or more, not -1}}
func.func @f(%x: tensor<?xf32, #rl.dims<[-1]>>) { return }

// -----

// expected-error@+1 {{a size is 0 or more, not -2}}
func.func @f(%x: tensor<?xf32, #rl.dims<["1 - 3"]>>) { return }

// -----

// expected-error@+1 {{a size is 0 or more, not -3}}
func.func @f() attributes {a = #rl.work<read = {weight = -3}>} { return }
