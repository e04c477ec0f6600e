// RUN: rl-opt --version | FileCheck %s --check-prefix=VERSION
// RUN: rl-opt --help | FileCheck %s --check-prefix=HELP
// RUN: rl-opt --list-passes | FileCheck %s --check-prefix=PASSES
// RUN: rl-opt %s --report-format=csv | FileCheck %s --check-prefix=CSV
// RUN: rl-opt -- %s | FileCheck %s --check-prefix=IR
// RUN: rl-opt %s --roofline-report --top=5 --top=1 | FileCheck %s --check-prefix=TOP
//
// Help begins with the tool's own options and leaves out those of LLVM's code
// generators; a format asks for the report by itself; of a repeated value the
// last counts.

// VERSION: Roofline {{[0-9]+\.[0-9]+\.[0-9]+}} (MLIR 22.
// HELP: OPTIONS:
// HELP-EMPTY:
// HELP-NEXT: Analysis options:
// HELP: --roofline-report
// HELP: General options:
// HELP-NOT: amdgpu
// HELP: --rl-count-cost
// PASSES: --rl-bind-dims
// CSV: # roofline-report/1
// IR: func.func @f
// TOP: Heaviest ops by time (1 of 2)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = math.exp %x : tensor<8xf32>
  %1 = math.log %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}
