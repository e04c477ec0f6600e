// RUN: rl-opt %s --split-input-file --rl-place | FileCheck %s
// RUN: rl-opt %s --split-input-file --rl-place='device=a100-80gb' | FileCheck %s --check-prefix=NAMED
//
// A module's own target is the device, unless one is asked for. 2 FLOP/byte are the
// ridge of 2e11 FLOP/s over 1e11 B/s. 1024·512 elements f16 are 1048576 bytes.
//   relu     0.25 FLOP/byte: 2·1048576/1e11 + 1 ns = 20.97252 us; 2.5e10 attainable
//   product  256 · 256 · 256: 2·256³ = 33554432 FLOPs at 2e11: 167.77216 us + 1 ns

// CHECK: rl.map {{.*}}#rl.placement<device = "mine", bound = "memory", limiter = "dram", intensity = 2.500000e-01 : f64, attainable = 2.500000e+10 : f64, seconds = 2.09725{{[0-9]*}}E-5 : f64>
// CHECK: rl.contract {{.*}}#rl.placement<device = "mine", bound = "compute", limiter = "matmul:f16", intensity = {{.*}}, attainable = 2.000000e+11 : f64, seconds = 1.67773{{[0-9]*}}E-4 : f64>
// NAMED: device = "a100-80gb"
// NAMED: device = "a100-80gb"
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "mine" = #dlti.target_device_spec<
      "peak_flops" = #dlti.map<f16 = 2.0e11, "vector" = #dlti.map<f16 = 1.0e11>>,
      "memory" = #dlti.map<"dram" = #dlti.map<"bandwidth" = 1.0e11, "capacity" = 1000000000 : i64>>,
      "launch_seconds" = 1.0e-9>>} {
  func.func @main(%x: tensor<1024x512xf16>, %a: tensor<256x256xf16>, %b: tensor<256x256xf16>) {
    %0 = rl.map "relu"(%x) : (tensor<1024x512xf16>) -> tensor<1024x512xf16>
    %1 = rl.contract "mk,kn->mn"(%a, %b) : (tensor<256x256xf16>, tensor<256x256xf16>) -> tensor<256x256xf16>
    return
  }
}

// -----

// A target that says nothing of rates is no device: the default.
// CHECK: device = "h100-sxm"
// NAMED: device = "a100-80gb"
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "cpu" = #dlti.target_device_spec<"L1_cache_size_in_bytes" = 4096 : i32>>} {
  func.func @main(%x: tensor<8xf16>) {
    %0 = rl.map "relu"(%x) : (tensor<8xf16>) -> tensor<8xf16>
    return
  }
}
