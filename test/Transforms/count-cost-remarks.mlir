// RUN: rl-opt %s --rl-count-cost --remarks-filter=roofline --remark-format=yaml --remarks-output-file=%t.yaml -o /dev/null
// RUN: FileCheck %s < %t.yaml
//
// Each op's work is an analysis remark that stock flags collect. 2·batch·8·4
// FLOPs; read 4·8·batch + 4·32, written 4·4·batch; the second op 2·32 bytes f16.

// CHECK:      --- !Analysis
// CHECK-NEXT: Pass:            roofline
// CHECK-NEXT: Name:            Work
// CHECK:      Function:        main
// CHECK-NEXT: Args:
// CHECK-NEXT:   - Op:              MatMul
// CHECK-NEXT:   - Flops:           '64*batch'
// CHECK-NEXT:   - BytesRead:       '32*batch + 128'
// CHECK-NEXT:   - BytesWritten:    '16*batch'
// CHECK:      - Op:              rl.map
// CHECK-NEXT:   - Flops:           '32'
// CHECK-NEXT:   - BytesRead:       '64'
// CHECK-NEXT:   - BytesWritten:    '64'
// CHECK:      - Op:              rl.opaque
// CHECK-NEXT:   - Flops:           unknown
!x = tensor<?x8xf32, #rl.dims<["batch", 8]>>
!y = tensor<?x4xf32, #rl.dims<["batch", 4]>>
func.func @main(%x: !x, %w: tensor<8x4xf32>, %h: tensor<32xf16>) {
  %0 = rl.contract "mk,kn->mn"(%x, %w) {rl.op_type = "MatMul"} : (!x, tensor<8x4xf32>) -> !y
  %1 = rl.map "relu"(%h) : (tensor<32xf16>) -> tensor<32xf16>
  %2 = rl.opaque "f"(%h) : (tensor<32xf16>) -> tensor<32xf16>
  return
}
