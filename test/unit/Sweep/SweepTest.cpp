//===- SweepTest.cpp - the sweep's models -------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without compiling or measuring any: what a sweep can be fitted to.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "roofline/Analysis/KernelFeatures.h"
#include "roofline/Import/ONNX/Import.h"
#include "roofline/Runtime/KernelSweep.h"
#include <gtest/gtest.h>
#include <set>

using namespace llvm;
using namespace roofline;

namespace {

/// The features of a model's rows that have a kernel.
std::vector<KernelFeatures> featuresOf(StringRef text) {
  mlir::DialectRegistry registry;
  runtime::registerHostDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  ImportOptions options;
  options.executable = true;
  Expected<ImportResult> imported =
      importONNX(text, "sweep.onnxtxt", options, &context);
  if (!imported) {
    ADD_FAILURE() << text.str() << toString(imported.takeError());
    return {};
  }
  std::vector<KernelFeatures> all;
  CostAnalysis costs(*imported->module->getOps<mlir::func::FuncOp>().begin());
  for (const CostRow &row : costs.rows())
    if (std::optional<KernelFeatures> features = kernelFeatures(row, 512))
      all.push_back(std::move(*features));
  return all;
}

TEST(Sweep, EachModelIsOneKernelWithFeatures) {
  // A unit's cost can be told from another's only by as many shapes.
  std::map<std::string, std::set<std::vector<double>>> shapes;
  for (const runtime::SweepModel &model : runtime::sweepModels()) {
    std::vector<KernelFeatures> all = featuresOf(model.text);
    ASSERT_EQ(all.size(), 1u) << model.text;
    for (const KernelFeatures::Part &part : all[0].parts) {
      std::vector<double> amounts;
      amounts.reserve(part.amounts.size());
      for (const auto &[unit, amount] : part.amounts)
        amounts.push_back(amount);
      shapes[part.kernel].insert(amounts);
    }
  }
  for (const char *kernel :
       {"product", "conv", "matvec", "matvec:dot", "depthwise",
        "depthwise:narrow", "depthwise:even:l2", "pool:max", "pad", "map:relu",
        "softmax:softmax", "norm:layer", "reduce:sum:inner", "reduce:max:outer",
        "copy:concat", "copy:slice", "transpose", "gather"}) {
    ASSERT_TRUE(shapes.count(kernel)) << kernel;
    EXPECT_GE(shapes[kernel].size(), shapes[kernel].begin()->size()) << kernel;
  }
}

// What a run's kernels cost alone is known.
TEST(Sweep, RunsAreOfKernelsThatAreMeasuredAlone) {
  std::set<std::string> alone;
  for (const runtime::SweepModel &model : runtime::sweepModels())
    for (const KernelFeatures &features : featuresOf(model.text))
      for (const KernelFeatures::Part &part : features.parts)
        alone.insert(part.kernel);
  ASSERT_FALSE(runtime::sweepRuns().empty());
  for (const runtime::SweepModel &run : runtime::sweepRuns()) {
    std::vector<KernelFeatures> all = featuresOf(run.text);
    EXPECT_GT(all.size(), 20u);
    for (const KernelFeatures &features : all)
      for (const KernelFeatures::Part &part : features.parts)
        EXPECT_TRUE(alone.count(part.kernel)) << part.kernel;
  }
}

} // namespace
