//===- Passes.td - from rl to what runs --------------------*- tablegen -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_CONVERSION_PASSES_TD
#define ROOFLINE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertRLToLinalg : Pass<"rl-convert-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Lower rl ops to linalg on tensors";
  let description = [{
    Replaces the functions of a module that was imported for execution (static
    shapes, `rl.onnx` on ops whose semantics goes beyond their cost) by
    functions of linalg, tensor, arith, math and scf on signless tensors.
    Weights whose elements aren't at hand become trailing arguments that carry
    their name (`rl.name`). An op that can't be lowered is an error that names
    its node and says what is missing.
  }];
  let options = [
    Option<"attentionByBlocks", "attention-by-blocks", "bool",
           /*default=*/"true",
           "Attention keeps one block of its scores at a time, not all of them">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::complex::ComplexDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::roofline::rl::RLDialect"];
}

def CopiesToLinalg : Pass<"rl-copies-to-linalg", "::mlir::func::FuncOp"> {
  let summary = "Copies of buffers as linalg ops";
  let description = [{
    `memref.copy` of parts of buffers would call into MLIR's runner library;
    as linalg ops copies become loops like everything else. A `linalg.map` that
    yields one value, as bufferisation writes a pad's border, is a `linalg.fill`.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def FuseElementwise : Pass<"rl-fuse-elementwise"> {
  let summary = "Fuse elementwise linalg ops into the ops that read them";
  let description = [{
    As upstream's `linalg-fuse-elementwise-ops`, but what is computed once for a
    row or a channel is not fused into what it is repeated for: a softmax takes
    one reciprocal a row.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def OwnFills : Pass<"rl-own-fills"> {
  let summary = "Give each use of a fill a fill of its own, and an empty tensor";
  let description = [{
    A fill that a loop starts from, and that an op in its body starts from in
    each trip, as CSE makes of two, can't be both in one buffer: each op that
    writes to a fill gets one of its own, where it is.

    Fills of one `tensor.empty`, as CSE makes of several of a kind, would be
    fills of one buffer at different times. `rl-host-loops` doesn't move loops
    past a fill of what they read: a softmax's maximum and sum would have to be
    loops over all rows each, instead of one over rows.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def HostLoops : Pass<"rl-host-loops", "::mlir::func::FuncOp"> {
  let summary = "Lower linalg on buffers to loops of vectors";
  let description = [{
    Each linalg op on buffers of static shape becomes a loop nest over
    addresses: products from packed operands with tiles in registers, anything
    else by vectors along one loop, reductions in registers. Loops are merged
    where all operands allow it, so that an elementwise op is one loop whatever
    its rank. Ops of other kinds are left for `convert-linalg-to-loops`.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", /*default=*/"512",
           "The width of the target's vector registers">,
    Option<"threads", "threads", "unsigned", /*default=*/"1",
           "How many threads share a loop nest, at most">,
    Option<"threadCycles", "thread-cycles", "double",
           /*default=*/"::roofline::HostThreads::defaultLeastCycles",
           "Cycles of work that a thread is worth having from">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def OutlineParallel : Pass<"rl-outline-parallel", "::mlir::ModuleOp"> {
  let summary = "Make functions of the bodies of parallel loops";
  let description = [{
    Each `scf.forall` over one index becomes a call of a function that has its
    body, marked with `rl.parallel`: the call stands for one call for each
    index, and its first operand is how many those are.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect"];
}

def CallParallel : Pass<"rl-call-parallel", "::mlir::ModuleOp"> {
  let summary = "Run functions that are marked as parallel on threads";
  let description = [{
    Calls of functions with `rl.parallel`, in the LLVM dialect, become calls of

        void rl_parallel_for(void (*body)(void *context, int64_t index),
                             void *context, int64_t count)

    which calls `body` for each index from 0 to `count` − 1, in any order and at
    the same time, and returns when all are done. The other operands are handed
    over in memory, at `context`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ResultsToArguments : Pass<"rl-results-to-arguments", "::mlir::ModuleOp"> {
  let summary = "Write results to buffers that the caller gives";
  let description = [{
    A function that returns buffers takes them as trailing arguments instead.
    What was allocated to be returned is written in place; anything else (an
    argument that is returned, a buffer that is returned twice) is copied.
    Functions must not be called within the module.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def ApproximateMath : Pass<"rl-approximate-math"> {
  let summary = "Replace functions on f32 by polynomials";
  let description = [{
    exp, log, erf, tanh, sin and cos of f32 and narrower types become
    polynomials that vectors can compute; the error is a few units in the last
    place. With `tables`, exp and erf of vectors of 16 f32 read tables that
    AVX-512 keeps in registers: shorter polynomials, and errors of at most 1.1
    and 2.5 units in the last place.
  }];
  let options = [
    Option<"tables", "tables", "bool", /*default=*/"false",
           "The target has AVX-512 (F and DQ)">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::vector::VectorDialect"];
}

#endif // ROOFLINE_CONVERSION_PASSES_TD
