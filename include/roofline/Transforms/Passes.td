//===- Passes.td - the passes around the analyses ----------*- tablegen -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TRANSFORMS_PASSES_TD
#define ROOFLINE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def BindDims : Pass<"rl-bind-dims", "::mlir::ModuleOp"> {
  let summary = "Give open dimensions their sizes";
  let description = [{
    Replaces dimension names by numbers wherever an expression mentions them: in
    `#rl.dims` encodings and attributes, and in stated `#rl.work`. For IR whose
    types have no names, `shapes` gives a function argument its whole shape; it
    is kept as the argument's `rl.dims`, so no type changes. `trips(LOOP)=N`
    says how often a loop runs whose trip count nothing tells (reports list
    those names with the unbound dimensions); it is kept as its `rl.trips`.

    A name that nothing mentions is an error that lists near matches.

    Example:

    ```mlir
    // rl-opt --rl-bind-dims='dims=batch=8'
    func.func @f(%x: tensor<?x4xf32, #rl.dims<["batch", 4]>>)
    // becomes
    func.func @f(%x: tensor<8x4xf32>)
    ```
  }];
  let options = [
    ListOption<"dims", "dims", "std::string",
               "NAME=N, also ARG[AXIS]=N for a dimension without a name, and "
               "trips(LOOP)=N">,
    ListOption<"shapes", "shapes", "std::string",
               "ARG=AxBxC, the shape of a function argument">
  ];
  let dependentDialects = ["::roofline::rl::RLDialect"];
}

def CountCost : Pass<"rl-count-cost", "::mlir::ModuleOp"> {
  let summary = "Count FLOPs and bytes of every op";
  let description = [{
    Puts `rl.work` on every op of the entry function (the single public one, or
    `entry`) that computes or moves something, and `rl.times` on those that a
    loop repeats. Ops of linalg, tosa, tensor, arith, math, memref and scf are
    counted through external models; an op that no model knows has its bytes
    counted and `flops = ?`. An op that carries a stated `rl.work` and has no
    model keeps it.

    With remarks enabled (`--remarks-filter=roofline`), each op's work is also
    emitted as an analysis remark. `print` sums the work on standard error.

    Example:

    ```mlir
    // rl-opt --rl-count-cost
    %0 = linalg.matmul {rl.work = #rl.work<flops = {matmul.f32 = 4096},
        read = {activation = 1536}, written = {activation = 1024}, launches = 1>} …
    ```
  }];
  let options = [
    Option<"entry", "entry", "std::string", "\"\"",
           "The function to count (default: the single public one)">,
    Option<"print", "print", "bool", "false",
           "Print the totals to standard error">
  ];
  let dependentDialects = ["::roofline::rl::RLDialect"];
}

def Place : Pass<"rl-place", "::mlir::ModuleOp"> {
  let summary = "Place every op on a device's roofline";
  let description = [{
    Puts `rl.placement` on every op with a row: its bound, what it exhausts
    first, intensity, attainable FLOP/s and predicted seconds. The device is a
    bundled one, a device file, or (with none given) the module's DLTI target
    (`dlti.target_system_spec`), else `h100-sxm`.
  }];
  let options = [
    Option<"device", "device", "std::string", "\"\"",
           "A bundled device's name or a device file">,
    Option<"entry", "entry", "std::string", "\"\"",
           "The function to place (default: the single public one)">,
    Option<"allowTF32", "allow-tf32", "bool", "false",
           "f32 products use the tf32 ceiling">
  ];
  let dependentDialects = ["::roofline::rl::RLDialect"];
}

def MarkFusion : Pass<"rl-mark-fusion", "::mlir::ModuleOp"> {
  let summary = "Mark groups of bandwidth-bound ops that could be one kernel";
  let description = [{
    Puts `rl.fusion_group` (a number) on the ops of each maximal convex group of
    bandwidth-bound elementwise ops, with the broadcasts, casts, reduction,
    softmax or norm that it can absorb and the contraction whose epilogue it
    can be; and `rl.fusion_groups` on the function: each group's kind, bytes and
    seconds saved, and what blocks it from growing.
  }];
  let options = [
    Option<"device", "device", "std::string", "\"\"",
           "A bundled device's name or a device file">,
    Option<"entry", "entry", "std::string", "\"\"",
           "The function to mark (default: the single public one)">
  ];
  let dependentDialects = ["::roofline::rl::RLDialect"];
}

def ApplyFusion : Pass<"rl-apply-fusion", "::mlir::ModuleOp"> {
  let summary = "Make one op of each marked group";
  let description = [{
    Each group that `rl-mark-fusion` marked becomes an `rl.fused`, one kernel
    that reads and writes what crosses the group's boundary alone. It goes by
    the names of its nodes, one behind the other; results keep theirs.

    Example:

    ```mlir
    %0 = rl.map "add"(%a, %b) {rl.fusion_group = 0} : …
    %1 = rl.map "relu"(%0) {rl.fusion_group = 0} : …
    // becomes
    %1 = rl.fused {
      %2 = rl.map "add"(%a, %b) : …
      %3 = rl.map "relu"(%2) : …
      rl.yield %3 : …
    } {rl.op_type = "Add+Relu"} : …
    ```
  }];
  let dependentDialects = ["::roofline::rl::RLDialect"];
}

def PrintReport : Pass<"rl-print-report", "::mlir::ModuleOp"> {
  let summary = "Print the roofline report";
  let description = [{
    Counts, places, marks fusion and prints the report (docs/report-format.md)
    to `output`, or to standard output. IR isn't changed.
  }];
  let options = [
    ListOption<"devices", "device", "std::string",
               "Bundled devices' names or device files">,
    Option<"entry", "entry", "std::string", "\"\"",
           "The function to report on (default: the single public one)">,
    Option<"format", "format", "std::string", "\"text\"",
           "text, json, csv, markdown or svg">,
    Option<"output", "output", "std::string", "\"-\"",
           "A file, written whole or not at all">,
    Option<"allowTF32", "allow-tf32", "bool", "false",
           "f32 products use the tf32 ceiling">
  ];
  let dependentDialects = ["::roofline::rl::RLDialect"];
}

#endif // ROOFLINE_TRANSFORMS_PASSES_TD
