// What rl-run measured, joined by index: a product of 2·64·64·64 FLOPs over
// 4·4·64·64 bytes (the accumulator is read, too) in 1 ms, then an addition and a
// product that one kernel did in 2 ms, whose time isn't split.
//
// RUN: %python %S/validate.py %roofline_src/schema/roofline-measured-1.schema.json %S/Inputs/measured.json | FileCheck %s --check-prefix=VALID
// RUN: rl-opt %s --report-format=json --device=a100-80gb --measured=%S/Inputs/measured.json -o %t.json 2> %t.err
// RUN: %python %S/validate.py %roofline_src/schema/roofline-report-1.schema.json %t.json | FileCheck %s --check-prefix=VALID
// VALID: 1 files, 0 problems
// RUN: FileCheck %s --input-file=%t.json
// CHECK: "index":0,{{.*}}"measured":{"seconds":0.001,"count":5,"min_seconds":9e-04,"p95_seconds":0.002,"p99_seconds":null,{{.*}}"flops_per_second":524288000,"bytes_per_second":65536000,{{.*}}"above_roof":null,"gap":null,"library":null,"covered_by":null,"event":"first","join":"index","inferred":false}
// CHECK: "index":1,{{.*}}"measured":{"seconds":null,"covered_by":0,"event":"two","join":"index","inferred":false}
// CHECK: "index":2,{{.*}}"measured":{"seconds":null,"covered_by":0,
// CHECK: "run_seconds":0.0035
// CHECK: "events_joined":2,"events_made":0,"events_unmatched":1,"rows_measured":3,"total_seconds":0.004,"claimed_seconds":0.003,"made_seconds":0,"unmatched_seconds":0.001,"claimed_share":0.75
// CHECK: {"id":0,"ops":[1,2],"event":"two","seconds":0.002,
// RUN: FileCheck %s --input-file=%t.err --check-prefix=WARNS
// WARNS: rl-opt: warning: measured: 1 event of 3 (1.00 ms, 25.0% of the time) joined no row of this report
// RUN: rl-opt %s --roofline-report --device=a100-80gb --measured=%S/Inputs/measured.json 2> /dev/null | FileCheck %s --check-prefix=TEXT
// TEXT: time measured ratio
// TEXT: in g0
// TEXT: Measured
// TEXT-NEXT: profile {{.*}}measured.json (roofline)
// TEXT-NEXT: environment competing_cpus: 1.4; cpu: made up; threads: 1
// TEXT-NEXT: joined 2 of 3 events, 3.00 ms of 4.00 ms (75.0%); 3 of 3 rows measured
// TEXT-NEXT: one run 3.50 ms measured,
func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.add ins(%0, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = linalg.matmul ins(%1, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}
