// RUN: not rl-opt %s --rl-mark-fusion='device=a100-80g' 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not rl-opt %s --rl-mark-fusion='entry=h' 2>&1 | FileCheck %s --check-prefix=ENTRY

// DEVICE: error: unknown device 'a100-80g'; did you mean 'a100-80gb'?
// ENTRY: error: no function @h with a body; there are: @f
func.func @f(%x: tensor<8xf16>) -> tensor<8xf16> {
  return %x : tensor<8xf16>
}
