// RUN: rl-opt %s --rl-print-report -o /dev/null | FileCheck %s --check-prefix=TEXT
// RUN: rl-opt %s --rl-print-report='device=a100-80gb,t4 format=csv' -o /dev/null | FileCheck %s --check-prefix=CSV
// RUN: rl-opt %s --rl-print-report='format=markdown output=%t.md' | FileCheck %s --check-prefix=IR
// RUN: FileCheck %s --check-prefix=MD < %t.md
// RUN: rl-opt %s --rl-print-report='format=json device=%S/Inputs/ridge-156.json' -o /dev/null | %python -c 'import json, sys; r = json.load(sys.stdin); print(r["device"]["name"], r["totals"]["flops"], r["totals"]["bytes_read"], r["totals"]["bytes_written"])' | FileCheck %s --check-prefix=JSON
// RUN: rl-opt %s --rl-print-report='format=svg' -o /dev/null | FileCheck %s --check-prefix=SVG
//
// The report as a pass, where IR goes on its way: 64 elements f16, 64 FLOPs, 128
// bytes in and out.

// TEXT: Roofline report: main
// TEXT: 1 of 1 op covered
// CSV: a100-80gb,0,%0,rl.map,{{.*}},64,
// CSV: t4,0,%0,rl.map,{{.*}},64,
// IR: rl.map "relu"(%arg0) :
// MD: # Roofline report: main
// JSON: ridge-156 64 128 128
// SVG: <svg {{.*}}
// SVG: </svg>
func.func @main(%x: tensor<64xf16>) {
  %0 = rl.map "relu"(%x) : (tensor<64xf16>) -> tensor<64xf16>
  return
}
