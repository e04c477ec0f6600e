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
  size_t firstAddress = 0; ///< of its operands' and results', in the program's
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
  void findAddresses();
  unsigned memoryOf(mlir::Value value);
  llvm::Error loadWeights(const WeightSource &weights);
  llvm::Error placeResults();
  llvm::Error renewReturned();
  llvm::Error create(unsigned memory, mlir::RankedTensorType type);
  void bind(unsigned memory, Tensor tensor);
  bool isRecycled(unsigned memory) const;
  bool isRenewed(unsigned memory) const;

  mlir::func::FuncOp function;
  std::vector<Step> stepList;
  std::vector<mlir::Operation *> weightOps;

  // What lies in memory has a number; a view has its operand's. Between two
  // kernels a run does no more than find the next one's addresses, which lie
  // side by side: what large operands drive out of the caches would have to
  // come again.

  /// Bytes that values look at, and the places that have their address.
  struct Memory {
    mlir::Value value; ///< the first that looks at them
    Tensor tensor;
    std::vector<unsigned> addresses;
    bool isReturned = false;
  };
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  std::vector<Memory> memories;
  std::vector<void *> addresses; ///< step by step, of operands, then results
  bool isPlaced = false; ///< results have their memory, which later runs reuse
  bool hasConstants = false; ///< computed
};

} // namespace roofline::runtime

#endif // ROOFLINE_RUNTIME_PROGRAM_H
