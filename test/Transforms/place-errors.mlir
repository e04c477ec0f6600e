// RUN: not rl-opt %s --rl-place='device=a100' 2>&1 | FileCheck %s --check-prefix=NEAR
// RUN: not rl-opt %s --rl-place='device=%t.absent.json' 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not rl-opt %s --rl-place='entry=h' 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: echo '{"name": "x"' > %t.json
// RUN: not rl-opt %s --rl-place='device=%t.json' 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: echo '{"name": "x", "peak": 3}' > %t.field.json
// RUN: not rl-opt %s --rl-place='device=%t.field.json' 2>&1 | FileCheck %s --check-prefix=FIELD

// NEAR: error: unknown device 'a100'; did you mean 'a100-40gb', 'a100-80gb'?
// FILE: error: cannot read the device file '{{.*}}.absent.json': No such file or directory
// ENTRY: error: no function @h with a body; there are: @main
// JSON: error: {{.*}}.json: not JSON: {{.*}}
// FIELD: error: {{.*}}.field.json: peak: unknown field; known are name, vendor, title, kind, compute, memory, launch
func.func @main(%x: tensor<8xf16>) {
  return
}
