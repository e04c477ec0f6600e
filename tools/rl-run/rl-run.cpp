//===- rl-run.cpp - measures what rl-opt predicts -------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   rl-run calibrate -o host.json   the host's ceilings, as a device file
//   rl-run model.onnx               a model's kernels, measured
//   rl-run verify FOLDER            kernels against ONNX's own answers
//
// Each command is a file of its own, with options of its own; this one picks.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace roofline;

namespace {
struct Command {
  StringLiteral name;
  StringLiteral summary;
  int (*run)(int argc, char **argv);
};
} // namespace

static constexpr Command commands[] = {
    {"calibrate", "measure the host's ceilings and write a device file",
     calibrateCommand},
#ifdef ROOFLINE_WITH_ONNX
    {"fit", "measure what kernels take and add it to a device file",
     fitCommand},
    {"verify", "run kernels against ONNX's test data", verifyCommand},
#endif
};

static void printHelp(raw_ostream &os) {
  os << "Roofline: measures what rl-opt predicts.\n\n"
        "USAGE: rl-run MODEL [options]\n       rl-run COMMAND [options]\n\n"
        "COMMANDS:\n";
  for (const Command &command : commands)
    os << "  " << command.name << "  " << command.summary << '\n';
  os << "\nrl-run COMMAND --help tells more.\n";
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  if (argc < 2) {
    printHelp(errs());
    return exitUsage;
  }
  StringRef first = argv[1];
  if (first == "--help" || first == "-help" || first == "-h") {
    printHelp(outs());
    return exitOk;
  }
  if (first == "--version") {
    outs() << "Roofline " ROOFLINE_VERSION "\n";
    return exitOk;
  }
  for (const Command &command : commands)
    if (first == command.name)
      return command.run(argc, argv);
#ifdef ROOFLINE_WITH_ONNX
  if (first == "-" || first.starts_with("-") || sys::fs::exists(first) ||
      first.contains('.'))
    return runCommand(argc, argv);
#endif
  errs() << "rl-run: unknown command '" << first << "'; known are";
  for (const Command &command : commands)
    errs() << ' ' << command.name;
  errs() << " (rl-run --help tells more)\n";
  return exitUsage;
}
