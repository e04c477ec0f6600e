//===- ModelRun.h - what runs a model ---------------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers and compiles every op of a model, and measures each alone, then the
// fusion groups, then the whole.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TOOLS_RL_RUN_MODELRUN_H
#define ROOFLINE_TOOLS_RL_RUN_MODELRUN_H

#include "Results.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "roofline/Import/ONNX/Import.h"
#include "roofline/Runtime/RunModel.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace roofline {

/// A line on standard error, on a terminal only.
class ProgressLine {
public:
  ProgressLine();
  ~ProgressLine() { show(""); }
  void show(const llvm::Twine &text) const;

private:
  const bool isTerminal;
};

struct ModelRunOptions {
  runtime::RunOptions run; ///< its `interrupted` ends the whole run
  bool groups = true;      ///< measure fusion groups
  bool whole = true;       ///< measure the whole model
  /// Measure ops within runs of the whole, where those are measured.
  bool opsInRun = true;
  /// Measured beside the ops' kernels; may be null.
  runtime::KernelLibrary *library = nullptr;
  /// The device by whose bounds fusion groups are marked; empty: the default.
  std::string ceilings;

  bool interrupted() const {
    return run.measure.interrupted && run.measure.interrupted();
  }
};

class ModelRun {
public:
  /// `file` is the model's; its identifier is how messages call it, and where
  /// its weights' files are looked for.
  ModelRun(llvm::MemoryBufferRef file, runtime::HostCompiler &compiler,
           ModelRunOptions options);

  /// Prints warnings.
  llvm::Error import(const ImportOptions &given);

  RunResult run();

  /// Every op's kernel, then every group's, as object files.
  llvm::Error emitObjects(llvm::StringRef folder);

private:
  mlir::OwningOpRef<mlir::ModuleOp> fusedModule();
  void addLibrary(RunResult &result, OpResult &op, const runtime::Step &step);
  void measureOps(RunResult &result, const ProgressLine &progress);
  void takeOpsFromRun(RunResult &result, const runtime::ProgramTimes &times);
  void measureGroups(RunResult &result, const ProgressLine &progress);
  OpResult resultOf(const CostAnalysis &costs, NameTable &names,
                    const runtime::Step &step);
  /// Adds what was found. False where it was interrupted before anything was.
  bool measureOne(const CostAnalysis &costs, NameTable &names,
                  const runtime::Step &step, std::vector<OpResult> &results);
  /// Nothing where it can't be run, or was interrupted before the first sample.
  std::optional<runtime::ProgramTimes> measureWhole(RunResult &result);
  llvm::Expected<runtime::ProgramTimes> measureProgram();

  llvm::MemoryBufferRef file;
  runtime::HostCompiler &compiler;
  const ModelRunOptions options;
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  std::optional<CostAnalysis> costs;
  std::optional<NameTable> names;
  runtime::Program program;
};

} // namespace roofline

#endif // ROOFLINE_TOOLS_RL_RUN_MODELRUN_H
