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

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "Runs what Roofline predicts\n");
  if (verify) {
    std::vector<std::string> list(folders.begin(), folders.end());
    return roofline::verifyCommand(list, cacheFolder);
  }
  cl::PrintHelpMessage();
  return 2;
}
