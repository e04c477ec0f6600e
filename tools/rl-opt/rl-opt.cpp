//===- rl-opt.cpp - an mlir-opt that reads ONNX and reports ---------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   rl-opt model.onnx --roofline-report   the report
//   rl-opt model.onnx                     the model as rl IR
//   rl-opt file.mlir --rl-count-cost …    passes on IR, as mlir-opt runs them
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Dialects.h"
#include "Progress.h"
#include "ReportCommand.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "roofline/Dialect/RL/RL.h"
#include "roofline/Transforms/Passes.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#ifdef ROOFLINE_WITH_ONNX
#include "roofline/Import/ONNX/Import.h"
#endif

using namespace mlir;
using namespace roofline;

/// The status to end with once what was printed has reached its reader.
static int flushed(int status) {
  llvm::errs().flush();
  llvm::outs().flush();
  if (!llvm::outs().has_error())
    return status;
  printError("standard output: " + llvm::outs().error().message());
  llvm::outs().clear_error(); // else its destructor ends the program
  return status == exitOk ? exitFailure : status;
}

static int listDevices() {
  for (StringRef name : bundledDeviceNames()) {
    llvm::Expected<Device> device = findDevice(name);
    if (!device) {
      printError(llvm::toString(device.takeError()));
      return exitFailure;
    }
    llvm::outs() << llvm::left_justify(name, 16) << device->title << '\n';
  }
  return exitOk;
}

static bool isONNX(const CommandLine &command, llvm::MemoryBufferRef buffer) {
#ifdef ROOFLINE_WITH_ONNX
  return looksLikeONNX(buffer.getBuffer(), command.input);
#else
  return false;
#endif
}

#ifdef ROOFLINE_WITH_ONNX
/// "node 'x' (Op): " for an op that stands where a diagnostic says.
static std::string nodeAt(ModuleOp module, Location location) {
  StringRef name = rl::nodeName(location);
  if (name.empty())
    return "";
  std::string opType;
  module.walk([&](Operation *op) {
    auto attribute = op->getAttrOfType<StringAttr>(rl::opTypeAttrName);
    if (!attribute || op->getLoc() != location)
      return WalkResult::advance();
    opType = " (" + attribute.str() + ")";
    return WalkResult::interrupt();
  });
  return "node '" + name.str() + "'" + opType + ": ";
}

/// A model may still ask for what the dialect's ops can't be. The parser would
/// say so of a line of text that nobody sees; here the node has its name.
static bool verifyImported(const CommandLine &command, ModuleOp module) {
  bool reported = false;
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error && !reported)
          printError(command.displayName() + ": " +
                     nodeAt(module, diagnostic.getLocation()) +
                     diagnostic.str());
        reported |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
        return success();
      });
  return succeeded(verify(module));
}

/// The imported model as IR text, for mlir-opt's own machinery to go on with.
static std::unique_ptr<llvm::MemoryBuffer>
modelAsIR(const CommandLine &command, llvm::MemoryBufferRef buffer,
          DialectRegistry &registry, int &status) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadDialect<rl::RLDialect, func::FuncDialect>();
  Input input;
  status = importModel(command, buffer, context, input);
  if (status != exitOk)
    return nullptr;
  if (!verifyImported(command, *input.module)) {
    status = exitFailure;
    return nullptr;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  input.module->print(os, OpPrintingFlags().enableDebugInfo());
  return llvm::MemoryBuffer::getMemBufferCopy(text, command.displayName());
}
#endif

/// Whether the passes and their options are known, before anything is read.
static bool isPipelineValid(const MlirOptMainConfig &config,
                            DialectRegistry &registry) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  PassManager passes(&context);
  return succeeded(config.setupPassPipeline(passes));
}

/// Everything that isn't a report: IR in, passes, IR out.
static int runPasses(const CommandLine &command,
                     std::unique_ptr<llvm::MemoryBuffer> buffer,
                     DialectRegistry &registry) {
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (!isPipelineValid(config, registry))
    return exitUsage;
  if (!command.bindings.empty() && !isONNX(command, *buffer)) {
    printError("--dim, --shape and --value bind a model's sizes, or with "
               "--roofline-report those of a report; on IR that is "
               "--rl-bind-dims='dims=NAME=N shapes=ARG=AxB'");
    return exitUsage;
  }
#ifdef ROOFLINE_WITH_ONNX
  if (isONNX(command, *buffer)) {
    int status;
    buffer = modelAsIR(command, *buffer, registry, status);
    if (!buffer)
      return status;
  }
#endif
  LogicalResult result = success();
  llvm::Error error =
      llvm::writeToOutput(command.output, [&](llvm::raw_ostream &os) {
        std::unique_ptr<llvm::MemoryBuffer> copy =
            llvm::MemoryBuffer::getMemBufferCopy(buffer->getBuffer(),
                                                 command.displayName());
        result = MlirOptMain(os, std::move(copy), registry, config);
        return failed(result) ? llvm::createStringError("failed")
                              : llvm::Error::success();
      });
  bool wrote = !error;
  std::string message = llvm::toString(std::move(error));
  if (wrote)
    return exitOk;
  if (succeeded(result))
    printError(message); // which names the file
  return exitFailure;
}

static int report(const CommandLine &command, llvm::MemoryBufferRef buffer,
                  DialectRegistry &registry) {
  Progress progress(3);
  progress.begin("reading");
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  Input input;
  int status;
#ifdef ROOFLINE_WITH_ONNX
  if (isONNX(command, buffer))
    status = importModel(command, buffer, context, input, &progress);
  else
#endif
    status = readModule(command, buffer, context, input);
  if (status == exitOk)
    status = printReport(command, input, progress);
  progress.end();
  // Taking the module, its context and the report apart would cost as much as
  // a good part of making them, for memory that the system takes back anyway.
  std::_Exit(flushed(status));
}

/// A short run's system time is that of the pages it touches, and much of a
/// long one's time is spent on finding small pages. Memory that was freed is
/// used again rather than given back and asked for anew, and the heap's first
/// part, the whole of it for graphs of up to 300 000 ops, is made of large
/// pages where the system has them. What isn't touched costs nothing.
static void tuneHeap() {
#if defined(__GLIBC__) && !LLVM_ADDRESS_SANITIZER_BUILD
  constexpr size_t largePage = size_t(2) << 20;
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 1 << 25); // the most that it takes
  auto *heap = static_cast<char *>(sbrk(0));
  // Less where a limit is set on what a process may ask for.
  for (size_t first = size_t(1) << 30; first >= 16 * largePage; first /= 4) {
    mallopt(M_TOP_PAD, first);
    // More than is left makes the heap grow; volatile, or the compiler leaves
    // an allocation that nothing uses out.
    void *volatile grown = malloc(largePage);
    if (!grown)
      continue;
    auto address = reinterpret_cast<uintptr_t>(heap);
    size_t before = llvm::alignTo(address, largePage) - address;
    madvise(heap + before, first, MADV_HUGEPAGE);
    free(grown);
    // What lies before the first large page stays untouched.
    grown = malloc(before);
    break;
  }
  mallopt(M_TOP_PAD, 1 << 22);
#endif
}

/// Reads the input and does what was asked.
static int run(const CommandLine &command, DialectRegistry &registry) {
  if (command.listDevices)
    return listDevices();
  if (!command.measured.empty() && !command.hasInput)
    return printProfile(command);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldListPasses() || config.shouldShowDialects())
    return runPasses(command, llvm::MemoryBuffer::getMemBuffer(""), registry);
  if (!command.hasInput && llvm::sys::Process::StandardInIsUserInput()) {
    printError("no input: give a model or a file of IR, or - for standard "
               "input (rl-opt --help tells more)");
    return exitUsage;
  }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFileOrSTDIN(command.input, /*IsText=*/false,
                                         /*RequiresNullTerminator=*/false);
  if (!buffer) {
    printError(command.displayName() + ": " + buffer.getError().message());
    return exitFailure;
  }
  if (command.report)
    return report(command, **buffer, registry);
  return runPasses(command, std::move(*buffer), registry);
}

int main(int argc, char **argv) {
  tuneHeap();
  llvm::InitLLVM init(argc, argv);
  DialectRegistry registry;
  registerDialects(registry);
  registerPasses();
  registerTransformsPasses();
  std::optional<CommandLine> command = parseCommandLine(argc, argv, registry);
  return flushed(command ? run(*command, registry) : exitUsage);
}
