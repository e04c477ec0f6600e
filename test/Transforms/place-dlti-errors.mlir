// RUN: rl-opt %s -split-input-file --rl-place -verify-diagnostics

// expected-error@+1 {{dlti.target_system_spec: "launch_seconds" is below 0 or no finite number}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "mine" = #dlti.target_device_spec<"launch_seconds" = -1.0>>} {
  func.func @main() { return }
}

// -----

// expected-error@+1 {{dlti.target_system_spec: "f16" is no number}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "mine" = #dlti.target_device_spec<"peak_flops" = #dlti.map<f16 = "fast">>>} {
  func.func @main() { return }
}

// -----

// expected-error@+1 {{dlti.target_system_spec: "tensor" is no compute class: matmul, vector or special}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "mine" = #dlti.target_device_spec<"peak_flops" = #dlti.map<"tensor" = #dlti.map<f16 = 1.0>>>>} {
  func.func @main() { return }
}

// -----

// expected-error@+1 {{dlti.target_system_spec: level "dram" has no bandwidth}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "mine" = #dlti.target_device_spec<"memory" = #dlti.map<"dram" = #dlti.map<"capacity" = 1 : i64>>>>} {
  func.func @main() { return }
}

// -----

// expected-error@+1 {{dlti.target_system_spec: "memory" is no #dlti.map}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "mine" = #dlti.target_device_spec<"memory" = 3 : i64>>} {
  func.func @main() { return }
}
