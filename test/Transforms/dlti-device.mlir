// RUN: split-file %s %t
// RUN: rl-opt %t/two.mlir --rl-place | FileCheck %s --check-prefix=PLACE
// RUN: rl-opt %t/two.mlir --roofline-report | FileCheck %s --check-prefix=REPORT
// RUN: rl-opt %t/two.mlir --roofline-report --device=a100-80gb | FileCheck %s --check-prefix=OTHER
// RUN: not rl-opt %t/negative.mlir --rl-place 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not rl-opt %t/field.mlir --roofline-report 2>&1 | FileCheck %s --check-prefix=FIELD
// RUN: rl-opt %t/none.mlir --roofline-report | FileCheck %s --check-prefix=DEFAULT
//
// The module's own device: of several, the first that has ceilings. A type under
// "peak_flops" is the ceiling of products and, where there is no "vector", of
// elementwise work, so the add (1024 FLOPs, 6144 bytes) has one; 312 TFLOP/s on 2.0 TB/s have their ridge
// at 156. --device goes before it; without either it is h100-sxm.

// PLACE: linalg.add {rl.placement = #rl.placement<device = "accelerator", bound = "memory", limiter = "dram"
// REPORT: device      accelerator
// REPORT: vector f16 312 TFLOP/s, dram 2.00 TB/s (40.0 GB), l2
// REPORT: Bound by DRAM bandwidth: 0.17 FLOP/byte is below the ridge of 156
// OTHER: device      a100-80gb
// NEGATIVE: error: dlti.target_system_spec: "bandwidth" is below 0 or no finite number
// FIELD: rl-opt: dlti.target_system_spec: level "dram" has the unknown field "size"; known are bandwidth, capacity
// DEFAULT: device      h100-sxm

//--- two.mlir
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
  "host" = #dlti.target_device_spec<"L1_cache_size_in_bytes" = 32768 : i32>,
  "accelerator" = #dlti.target_device_spec<
    "peak_flops" = #dlti.map<f16 = 312.0e12 : f64>,
    "memory" = #dlti.map<"l2" = #dlti.map<"bandwidth" = 5.0e12 : f64>,
                         "dram" = #dlti.map<"bandwidth" = 2.0e12 : f64,
                                            "capacity" = 40000000000 : i64>>,
    "launch_seconds" = 0.0 : f64>>} {
  func.func @f(%a: tensor<1024xf16>, %b: tensor<1024xf16>) -> tensor<1024xf16> {
    %e = tensor.empty() : tensor<1024xf16>
    %0 = linalg.add ins(%a, %b : tensor<1024xf16>, tensor<1024xf16>)
        outs(%e : tensor<1024xf16>) -> tensor<1024xf16>
    return %0 : tensor<1024xf16>
  }
}

//--- negative.mlir
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
  "a" = #dlti.target_device_spec<
    "peak_flops" = #dlti.map<f16 = 1.0e12 : f64>,
    "memory" = #dlti.map<"dram" = #dlti.map<"bandwidth" = -1 : i64>>>>} {
  func.func @f() { return }
}

//--- field.mlir
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
  "a" = #dlti.target_device_spec<
    "peak_flops" = #dlti.map<f16 = 1.0e12 : f64>,
    "memory" = #dlti.map<"dram" = #dlti.map<"size" = 1 : i64>>>>} {
  func.func @f() { return }
}

//--- none.mlir
func.func @f() { return }
