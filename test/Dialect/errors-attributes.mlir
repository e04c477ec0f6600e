// RUN: rl-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expected a size: an integer, a quoted formula, or ?}}
func.func @f(%x: tensor<?xf32, #rl.dims<[batch]>>) { return }

// -----

// expected-error@+1 {{column 3: expected a number, a name or '(', found the end}}
func.func @f(%x: tensor<?xf32, #rl.dims<["2*"]>>) { return }

// -----

// expected-error@+1 {{expected CLASS.TYPE as in matmul.f16, got matmul}}
func.func @f() attributes {a = #rl.work<flops = {matmul = 3}>} { return }

// -----

// expected-error@+1 {{expected CLASS.TYPE as in matmul.f16, got tensor.f16}}
func.func @f() attributes {a = #rl.work<flops = {tensor.f16 = 3}>} { return }

// -----

// expected-error@+1 {{unknown FLOPs are `flops = ?` as a whole}}
func.func @f() attributes {a = #rl.work<flops = {matmul.f16 = ?}>} { return }

// -----

// expected-error@+1 {{expected weight, activation or kv_cache, got weights}}
func.func @f() attributes {a = #rl.work<read = {weights = 3}>} { return }

// -----

// expected-error@+1 {{expected a size, not ?}}
func.func @f() attributes {a = #rl.work<launches = ?>} { return }

// -----

// expected-error@+1 {{unknown field launch}}
func.func @f() attributes {a = #rl.work<launch = 1>} { return }

// -----

// expected-error@+1 {{field given twice: launches}}
func.func @f() attributes {a = #rl.work<launches = 1, launches = 2>} { return }

// -----

// expected-error@+1 {{struct is missing required parameter: device}}
func.func @f() attributes {a = #rl.placement<bound = "memory">} { return }

// -----

// expected-error@+1 {{duplicate or unknown struct parameter name: vectors}}
func.func @f() attributes {a = #rl.body<vectors = 1>} { return }
