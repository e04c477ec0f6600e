//===- rl-run.cpp - measure, execute, compare -----------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace llvm;

static cl::SubCommand verify("verify", "Run kernels against ONNX's test data");
static cl::list<std::string> folders(cl::Positional, cl::OneOrMore,
                                     cl::desc("FOLDER..."), cl::sub(verify));
static cl::opt<std::string>
    cacheFolder("cache", cl::desc("Where objects are kept"), cl::sub(verify));

static cl::opt<std::string> model(cl::Positional, cl::desc("MODEL"));
static cl::list<std::string> dims("dim", cl::desc("NAME=N"));
static cl::opt<std::string> kernelCache("kernel-cache", cl::desc("FOLDER"));

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "Runs what Roofline predicts\n");
  if (verify) {
    std::vector<std::string> list(folders.begin(), folders.end());
    return roofline::verifyCommand(list, cacheFolder);
  }
  if (!model.empty()) {
    std::vector<std::pair<std::string, int64_t>> list;
    for (StringRef dim : dims) {
      auto [name, size] = dim.rsplit('=');
      int64_t n = 0;
      (void)size.getAsInteger(10, n);
      list.emplace_back(name.str(), n);
    }
    return roofline::runCommand(model, list, kernelCache);
  }
  cl::PrintHelpMessage();
  return 2;
}
