// RUN: not rl-opt %s --rl-print-report='format=xml' 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not rl-opt %s --rl-print-report='device=t4,h10' 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not rl-opt %s --rl-print-report='entry=h' 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not rl-opt %s --rl-print-report='output=%t.absent/report' 2>&1 | FileCheck %s --check-prefix=OUTPUT

// FORMAT: error: unknown report format 'xml': text, json, csv, markdown or svg
// DEVICE: error: unknown device 'h10'; did you mean {{.*}}?
// ENTRY: error: no function @h with a body; there are: @main
// OUTPUT: error: '{{.*}}.absent/report': No such file or directory
func.func @main(%x: tensor<64xf16>) {
  return
}
