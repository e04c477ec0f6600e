// RUN: rl-opt %s --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: rl-opt %s --emit-bytecode -o %t.mlirbc && rl-opt %t.mlirbc --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: rl-opt %s --roofline-report --report-format=json | FileCheck %s --check-prefix=JSON
//
// The location of an op, of whatever dialect, gives a report the node's name and
// the results'; where it is part of another one, as an inliner leaves it, too.

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: math.exp %{{.*}} loc(#rl.node<"node \22a\22" -> "h" at 12 in loc("model.onnx":1:2)>)
  %0 = math.exp %x : tensor<4xf32> loc(#rl.node<"node \22a\22" -> "h" at 12 in loc("model.onnx":1:2)>)
  // CHECK: math.sqrt %{{.*}} loc(callsite(#rl.node<"b" in loc(unknown)> at unknown))
  %1 = math.sqrt %0 : tensor<4xf32> loc(callsite(#rl.node<"b" in loc(unknown)> at unknown))
  return %1 : tensor<4xf32>
}

// JSON: "name":"node \"a\"","op_type":"math.exp"{{.*}}"outputs":[{"name":"h",
// JSON: "name":"b","op_type":"math.sqrt"{{.*}}"inputs":[{"name":"h",{{.*}}"outputs":[{"name":"%1",
