// RUN: rl-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected string}}
func.func private @no_name() loc(#rl.node<>)

// -----

// expected-error @+1 {{expected 'in'}}
func.func private @no_file() loc(#rl.node<"a" -> "b">)

// -----

// expected-error @+1 {{invalid kind of attribute specified}}
func.func private @no_location() loc(#rl.node<"a" in "model.onnx">)

// -----

// expected-error @+1 {{expected integer value}}
func.func private @no_number() loc(#rl.node<"a" -> "b" at in loc(unknown)>)

// -----

// expected-error @+1 {{integer value too large}}
func.func private @not_a_position() loc(#rl.node<"a" -> "b" at 99999999999 in loc(unknown)>)
