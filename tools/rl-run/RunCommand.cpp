//===- RunCommand.cpp - a model on this machine ---------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "mlir/IR/MLIRContext.h"
#include "roofline/Analysis/CostAnalysis.h"
#include "roofline/Dialect/RL/RL.h"
#include "roofline/Import/ONNX/Import.h"
#include "roofline/Models/Register.h"
#include "roofline/Runtime/ONNXTensors.h"
#include "roofline/Runtime/Program.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <random>
#include <time.h>

using namespace llvm;
using roofline::runtime::HostCompiler;
using roofline::runtime::Program;
using roofline::runtime::Tensor;

namespace roofline {

static double now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

static Expected<Tensor> madeUp(mlir::RankedTensorType type, std::mt19937 &gen) {
  Expected<Tensor> tensor = Tensor::create(type);
  if (!tensor)
    return tensor;
  if (type.getElementType().isF32()) {
    std::uniform_real_distribution<float> d(-1, 1);
    float *data = reinterpret_cast<float *>(tensor->data());
    for (int64_t i = 0; i < tensor->elementCount(); ++i)
      data[i] = d(gen);
  }
  return tensor;
}

int runCommand(const std::string &model,
               std::vector<std::pair<std::string, int64_t>> dims,
               StringRef cacheFolder) {
  runtime::HostCompilerOptions compilerOptions;
  compilerOptions.cacheFolder = cacheFolder.str();
  auto compiler = cantFail(HostCompiler::create(compilerOptions));
  mlir::DialectRegistry registry;
  runtime::registerHostDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  auto buffer = MemoryBuffer::getFile(model);
  if (!buffer)
    return 1;
  ImportOptions options;
  options.executable = true;
  options.dims = dims;
  options.folder = sys::path::parent_path(model).str();
  auto imported = importONNX((*buffer)->getBuffer(), model, options, &context);
  if (!imported) {
    errs() << toString(imported.takeError()) << '\n';
    return 1;
  }
  mlir::func::FuncOp function;
  for (auto one : imported->module->getOps<mlir::func::FuncOp>())
    function = one;
  double start = now();
  auto program = Program::build(function, *compiler);
  if (!program) {
    errs() << toString(program.takeError()) << '\n';
    return 1;
  }
  errs() << "built in " << now() - start << " s\n";
  std::mt19937 gen(1);
  std::vector<Tensor> inputs;
  for (mlir::Type type : function.getArgumentTypes())
    inputs.push_back(cantFail(madeUp(cast<mlir::RankedTensorType>(type), gen)));
  auto weights = [&](StringRef, mlir::RankedTensorType type) {
    return madeUp(type, gen);
  };
  CostAnalysis costs(function.getOperation());
  DenseMap<mlir::Operation *, const Work *> work;
  for (const CostRow &row : costs.rows())
    work[row.op] = &row.work;
  std::vector<std::vector<double>> times(program->steps().size());
  for (int i = 0; i < 10; ++i) {
    program->observer = [&](size_t step, double seconds) {
      times[step].push_back(seconds);
    };
    auto results = program->run(inputs, weights);
    if (!results) {
      errs() << toString(results.takeError()) << '\n';
      return 1;
    }
  }
  double total = 0;
  for (auto [i, step] : enumerate(program->steps())) {
    if (step.isView)
      continue;
    llvm::sort(times[i]);
    double t = times[i][times[i].size() / 2];
    total += t;
    double flops = 0, bytes = 0;
    if (const Work *w = work.lookup(step.op)) {
      for (const auto &one : w->flops)
        if (auto n = one.count.asInt64())
          flops += double(*n);
      (void)bytes;
    }
    auto type = step.op->getAttrOfType<mlir::StringAttr>(rl::opTypeAttrName);
    outs() << format("%10.1f us %8.2f GFLOP/s  ", t * 1e6, flops / t * 1e-9)
           << (type ? type.getValue() : "?") << "  compile "
           << format("%.0f ms  ", step.kernel.compileSeconds * 1e3);
    for (mlir::Value v : step.operands)
      outs() << v.getType() << ' ';
    outs() << "-> " << step.results[0].getType() << '\n';
  }
  outs() << "total " << total * 1e3 << " ms\n";
  return 0;
}

} // namespace roofline
