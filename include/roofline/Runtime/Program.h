//===- Program.h - a model as kernels to run --------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A function of rl, imported for execution, as a list of steps: one kernel an
// op, views without one. Steps can be run one by one, so that each can be
// timed.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_RUNTIME_PROGRAM_H
#define ROOFLINE_RUNTIME_PROGRAM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "roofline/Runtime/HostCompiler.h"
#include "roofline/Runtime/Tensor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>
#include <map>
#include <vector>

namespace roofline::runtime {

/// An op as a module of its own with one function `kernel` of its operands;
/// small constants come along.
struct OutlinedKernel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  llvm::SmallVector<mlir::Value> operands;
};
OutlinedKernel outlineKernel(mlir::Operation *op);

/// The elements of a constant that is part of the kernels which read it; an
/// empty tensor where the value is another operand.
llvm::Expected<Tensor> inlineConstant(mlir::Value value);

/// Whether an op is to run as a kernel; constants and plain views aren't.
bool needsKernel(mlir::Operation *op);

struct Step {
  mlir::Operation *op;
  llvm::SmallVector<mlir::Value> operands, results;
  bool isView = false;
  bool isConstant = false; ///< computed by the first run and kept
  HostKernel kernel;
  std::string error; ///< why there is no kernel
  /// What is read for the last time here.
  llvm::SmallVector<mlir::Value> dying;
};

/// Gives a weight its elements.
using WeightSource = std::function<llvm::Expected<Tensor>(
    llvm::StringRef name, mlir::RankedTensorType type)>;

class Program {
public:
  /// Compiles every op of the function; an op that can't be has an error that
  /// names it. `progress` is told each op before its turn, and stops the build
  /// by returning false. Where `wanted` is given, other ops get no kernel.
  static Program
  build(mlir::func::FuncOp function, HostCompiler &compiler,
        llvm::function_ref<bool(mlir::Operation *)> progress = nullptr,
        llvm::function_ref<bool(mlir::Operation *)> wanted = nullptr);

  /// The first op's that has no kernel; success where all have.
  llvm::Error firstError() const;

  /// Results of one run. Weights are loaded once and kept. The wall time of
  /// each step's kernel is added to `stepSeconds`, where there are such.
  llvm::Expected<std::vector<Tensor>>
  run(llvm::ArrayRef<Tensor> inputs, const WeightSource &weights,
      llvm::MutableArrayRef<double> stepSeconds = {});

  const std::vector<Step> &steps() const { return stepList; }
  unsigned kernelCount() const;

private:
  void addStep(mlir::Operation *op, HostCompiler &compiler);
  void findLastUses();
  llvm::Error runStep(const Step &step, double *seconds);
  llvm::Error loadWeights(const WeightSource &weights);

  mlir::func::FuncOp function;
  std::vector<Step> stepList;
  std::vector<mlir::Operation *> weightOps;
  llvm::Expected<Tensor> resultTensor(mlir::RankedTensorType type);
  void release(mlir::Value value);

  llvm::DenseMap<mlir::Value, Tensor> values;
  /// Memory of tensors that were read for the last time, by size: the next of
  /// that size takes it, so that a second run allocates nothing.
  std::map<size_t, std::vector<Tensor>> spare;
};

} // namespace roofline::runtime

#endif // ROOFLINE_RUNTIME_PROGRAM_H
