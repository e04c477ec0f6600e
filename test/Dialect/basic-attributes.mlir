// RUN: rl-opt %s | rl-opt | FileCheck %s
// RUN: rl-opt %s --emit-bytecode -o %t.mlirbc && rl-opt %t.mlirbc | FileCheck %s
//
// Attributes and types come back in one spelling: sums in one order, numbers as
// numbers however large, fields of #rl.work in their own order.

// CHECK-LABEL: func.func @dims
// CHECK-SAME: tensor<?x8xf32, #rl.dims<["batch", 8]>>
// CHECK-SAME: tensor<?x?x?xf32, #rl.dims<["ceildiv(height, 2)", ?, 18446744073709551616]>>
// CHECK-SAME: tensor<?x?xf32, #rl.dims<["ceildiv(a, 2) + min(b, 3)", "max(b^2, mod(a, 4))"]>>
// CHECK-SAME: tensor<?xf32, #rl.dims<["x[0] + 1"]>>
// CHECK-SAME: tensor<?xf32, #rl.dims<[6]>>
func.func @dims(%a: tensor<?x8xf32, #rl.dims<["batch", 8]>>,
                %b: tensor<?x?x?xf32, #rl.dims<["1 + floordiv(height - 1, 2)", ?, 18446744073709551616]>>,
                %c: tensor<?x?xf32, #rl.dims<["min(3, b) + ceildiv(a, 2)", "max(mod(a, 4), b*b)"]>>,
                %d: tensor<?xf32, #rl.dims<["1 + x[0]"]>>,
                %e: tensor<?xf32, #rl.dims<["2*3"]>>) {
  return
}

// CHECK-LABEL: func.func @work
// CHECK-SAME: a = #rl.work<flops = {matmul.f16 = "2*batch", vector.f16 = 64}, read = {weight = 2048, activation = "128*batch"}, written = {kv_cache = ?}, launches = 2, causal = 5, data_dependent>
// CHECK-SAME: b = #rl.work<flops = ?, read = {}, written = {}, launches = 1>
// CHECK-SAME: c = #rl.work<flops = {}, read = {}, written = {}, launches = 1>
// CHECK-SAME: d = #rl.placement<device = "d", bound = "memory", limiter = "dram", intensity = 5.000000e-01 : f64, attainable = 1.000000e+12 : f64, seconds = 1.000000e+00 : f64>
// CHECK-SAME: e = #rl.placement<device = "d", bound = "none">
// CHECK-SAME: f = #rl.body<vector = 1>, g = #rl.body<vector = 1, special = 2>
func.func @work() attributes {
    a = #rl.work<data_dependent, causal = 5, launches = 2, written = {kv_cache = ?},
                 read = {activation = "batch*128", weight = 2048}, flops = {matmul.f16 = "batch*2", vector.f16 = 64}>,
    b = #rl.work<flops = ?>, c = #rl.work<>,
    d = #rl.placement<device = "d", bound = "memory", limiter = "dram", intensity = 0.5, attainable = 1.0e12, seconds = 1.0>,
    e = #rl.placement<device = "d", bound = "none">,
    f = #rl.body<vector = 1>, g = #rl.body<special = 2, vector = 1>} {
  return
}

// CHECK-LABEL: func.func @types
// CHECK-SAME: !rl.sequence<tensor<?xf32>>, %{{.*}}: !rl.optional<tensor<2x!rl.string>>, %{{.*}}: tensor<3x!rl.unknown>
func.func @types(%a: !rl.sequence<tensor<?xf32>>, %b: !rl.optional<tensor<2x!rl.string>>, %c: tensor<3x!rl.unknown>) {
  return
}
