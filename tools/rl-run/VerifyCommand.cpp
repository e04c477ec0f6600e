//===- VerifyCommand.cpp - kernels against ONNX's own answers -------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   rl-run verify FOLDER…
//
// Each folder, or folder of folders, holds `model.onnx` and data sets of inputs
// and outputs (`test_data_set_0/input_0.pb`) as ONNX's backend tests have them.
// Every model is lowered, compiled and run, in a process of its own; what it
// computes must be what the data set says.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "OwnProcess.h"
#include "Variation.h"
#include "mlir/IR/MLIRContext.h"
#include "roofline/Dialect/RL/RL.h"
#include "roofline/Import/ONNX/Import.h"
#include "roofline/Runtime/Compare.h"
#include "roofline/Runtime/ONNXTensors.h"
#include "roofline/Runtime/Program.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ManagedStatic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <map>

using namespace llvm;
using roofline::runtime::bitsAt;
using roofline::runtime::HostCompiler;
using roofline::runtime::ONNXWeights;
using roofline::runtime::Program;
using roofline::runtime::realAt;
using roofline::runtime::Tensor;
using roofline::runtime::Tolerance;
using roofline::runtime::ValueKinds;

namespace roofline {
namespace {

/// Inputs of up to so many elements may state shapes.
constexpr int64_t maxValueElements = 256;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Elements as `--value` takes them.
std::optional<std::string> valueText(const Tensor &tensor) {
  mlir::Type element = tensor.type().getElementType();
  if (tensor.elementCount() == 0 || tensor.elementCount() > maxValueElements ||
      !element.isIntOrFloat())
    return std::nullopt;
  std::string text;
  for (int64_t i = 0; i < tensor.elementCount(); ++i) {
    if (i)
      text += ',';
    if (auto real = dyn_cast<mlir::FloatType>(element)) {
      double number = realAt(tensor, real, i);
      text += std::isfinite(number) ? formatv("{0:e16}", number).str()
              : std::isnan(number)  ? "nan"
              : number < 0          ? "-inf"
                                    : "inf";
      continue;
    }
    unsigned width = element.getIntOrFloatBitWidth();
    APInt bits(width, bitsAt(tensor, i, runtime::storageBytes(element)), false,
               true);
    text += toString(bits, 10, !element.isUnsignedInteger() && width > 1);
  }
  return text;
}

//===----------------------------------------------------------------------===//
// One model
//===----------------------------------------------------------------------===//

struct DataSet {
  std::vector<Tensor> inputs, outputs;
};

class Case {
public:
  Case(StringRef folder, const Tolerance &tolerance, HostCompiler &compiler,
       mlir::MLIRContext &context)
      : folder(folder), tolerance(tolerance), compiler(compiler),
        context(context) {}

  Error run() {
    auto file = MemoryBuffer::getFile(folder + "/model.onnx");
    if (!file)
      return createStringError("no model.onnx");
    buffer = std::move(*file);
    Expected<DataSet> data = readData();
    if (!data)
      return data.takeError();
    // What states shapes must be known before the run. Which inputs do, the
    // importer finds out: with none of them given, the model isn't static.
    // Scalars and lists are tried first, since what is data shall stay it.
    Error error = attempt(*data, Told::Nothing);
    for (Told told : {Told::Lists, Told::All}) {
      if (!error)
        break;
      consumeError(std::move(error));
      error = attempt(*data, told);
    }
    return error;
  }

  /// Whether the importer computed all results, so that no kernel ran.
  bool isFolded() const { return folded; }

private:
  /// Which inputs' elements the importer is told.
  enum class Told { Nothing, Lists, All };

  Expected<std::vector<Tensor>> readTensors(StringRef kind,
                                            ArrayRef<StringRef> kinds) {
    std::vector<Tensor> tensors;
    for (unsigned i = 0;; ++i) {
      auto file = MemoryBuffer::getFile(folder + "/test_data_set_0/" + kind +
                                        "_" + Twine(i) + ".pb");
      if (!file)
        return tensors;
      if (i < kinds.size() && kinds[i] != "tensor")
        return createStringError(kind + " " + Twine(i) + " is of type " +
                                 kinds[i] + ": only tensors are run");
      Expected<Tensor> tensor =
          runtime::readTensorProto((*file)->getBuffer(), &context);
      if (!tensor)
        return tensor.takeError();
      tensors.push_back(std::move(*tensor));
    }
  }

  Expected<DataSet> readData() {
    ValueKinds kinds = runtime::readValueKinds(buffer->getBuffer());
    Expected<std::vector<Tensor>> inputs = readTensors("input", kinds.inputs);
    if (!inputs)
      return inputs.takeError();
    Expected<std::vector<Tensor>> outputs =
        readTensors("output", kinds.outputs);
    if (!outputs)
      return outputs.takeError();
    return DataSet{std::move(*inputs), std::move(*outputs)};
  }

  Expected<ImportResult> import(const DataSet &data, Told told) {
    ImportOptions options;
    options.folder = folder.str();
    options.executable = true;
    if (told == Told::Nothing && names.empty() && !data.inputs.empty()) {
      Expected<ImportResult> first =
          importONNX(buffer->getBuffer(), "model.onnx", options, &context);
      if (!first)
        return first;
      findNames(*first->module);
      bool open = false;
      forEachFunction(*first->module, [&](mlir::func::FuncOp function) {
        open = llvm::any_of(function.getArgumentTypes(), [](mlir::Type type) {
          auto tensor = dyn_cast<mlir::RankedTensorType>(type);
          return !tensor || !tensor.hasStaticShape();
        });
      });
      if (!open)
        return first;
    }
    for (auto [name, tensor] : llvm::zip(names, data.inputs)) {
      options.shapes.emplace_back(
          name, std::vector<int64_t>(tensor.type().getShape()));
      if (options.shapes.back().second.empty())
        options.shapes.pop_back();
      bool wanted = told == Told::All ||
                    (told == Told::Lists && tensor.type().getRank() <= 1);
      if (std::optional<std::string> text = valueText(tensor); text && wanted)
        options.values.emplace_back(name, *text);
    }
    return importONNX(buffer->getBuffer(), "model.onnx", options, &context);
  }

  void forEachFunction(mlir::ModuleOp module,
                       function_ref<void(mlir::func::FuncOp)> visit) {
    for (auto function : module.getOps<mlir::func::FuncOp>())
      visit(function);
  }

  void findNames(mlir::ModuleOp module) {
    forEachFunction(module, [&](mlir::func::FuncOp function) {
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        if (auto name = function.getArgAttrOfType<mlir::StringAttr>(
                i, rl::nameAttrName))
          names.push_back(name.str());
    });
  }

  Error attempt(const DataSet &data, Told told) {
    Expected<ImportResult> imported = import(data, told);
    if (!imported)
      return imported.takeError();
    mlir::func::FuncOp function;
    forEachFunction(*imported->module,
                    [&](mlir::func::FuncOp one) { function = one; });
    Program program = Program::build(function, compiler);
    Expected<std::unique_ptr<ONNXWeights>> weights =
        ONNXWeights::read(buffer->getBuffer(), folder);
    if (!weights)
      return weights.takeError();
    Expected<std::vector<Tensor>> found = program.run(
        data.inputs,
        [&](StringRef name, mlir::RankedTensorType type) -> Expected<Tensor> {
          Expected<Tensor> tensor = (*weights)->load(name, type);
          if (tensor && !*tensor)
            return createStringError("weight '" + name + "' has no data");
          return tensor;
        });
    if (!found)
      return found.takeError();
    folded = program.steps().empty();
    if (found->size() != data.outputs.size())
      return createStringError("another number of results");
    for (auto [i, pair] : enumerate(zip(*found, data.outputs))) {
      std::string difference =
          compare(std::get<0>(pair), std::get<1>(pair), tolerance);
      if (!difference.empty())
        return createStringError("wrong result " + Twine(i) + ": " +
                                 difference);
    }
    return Error::success();
  }

  StringRef folder;
  Tolerance tolerance;
  HostCompiler &compiler;
  mlir::MLIRContext &context;
  std::unique_ptr<MemoryBuffer> buffer;
  std::vector<std::string> names;
  bool folded = false;
};

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

std::vector<std::string> findCases(ArrayRef<std::string> folders) {
  std::vector<std::string> cases;
  for (const std::string &folder : folders) {
    if (sys::fs::exists(folder + "/model.onnx")) {
      cases.push_back(folder);
      continue;
    }
    std::error_code error;
    for (sys::fs::directory_iterator it(folder, error), end;
         it != end && !error; it.increment(error))
      if (sys::fs::exists(it->path() + "/model.onnx"))
        cases.push_back(it->path());
  }
  llvm::sort(cases);
  return cases;
}

} // namespace

static cl::SubCommand subcommand("verify",
                                 "Run kernels against ONNX's test data");

namespace {
struct Options {
  cl::list<std::string> folders{cl::Positional, cl::OneOrMore,
                                cl::desc("FOLDER..."), cl::sub(subcommand)};
  cl::opt<std::string> cache{
      "kernel-cache", cl::sub(subcommand), cl::value_desc("folder"),
      cl::desc("Where compiled kernels are kept (default: nowhere)")};
  cl::opt<double> relative{
      "rtol", cl::sub(subcommand), cl::init(Tolerance().relative),
      cl::desc("How far a result may be off, as part of it (default: 1e-3)")};
  cl::opt<double> absolute{
      "atol", cl::sub(subcommand), cl::init(Tolerance().absolute),
      cl::desc("How far besides, absolutely (default: 1e-7)")};
  cl::opt<unsigned> threads{
      "threads", cl::sub(subcommand), cl::init(1), cl::value_desc("n"),
      cl::desc("How many threads share a kernel, however small it is (default: "
               "1)")};
  cl::opt<unsigned> maxSeconds{
      "max-seconds", cl::sub(subcommand), cl::init(120), cl::value_desc("s"),
      cl::desc("A folder's model fails that takes longer (default: 120)")};
  cl::opt<bool> allScores{
      "all-scores", cl::sub(subcommand),
      cl::desc("Attention keeps all its scores in memory (default: a block of "
               "them at a time)")};
};
} // namespace

static ManagedStatic<Options> options;

namespace {
struct Outcome {
  bool passed = false, folded = false;
  std::string problem;
};
} // namespace

static Outcome verify(StringRef folder, const Tolerance &tolerance) {
  runtime::HostCompilerOptions settings;
  settings.cacheFolder = options->cache;
  settings.threads.count = options->threads;
  settings.attentionByBlocks = !options->allScores;
  settings.threads.leastCycles = 0; // tests are small
  Expected<std::unique_ptr<HostCompiler>> compiler =
      HostCompiler::create(settings);
  if (!compiler)
    return {false, false, toString(compiler.takeError())};
  mlir::DialectRegistry registry;
  runtime::registerHostDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &) {
    return mlir::success(); // errors come as llvm::Error
  });
  Case test(folder, tolerance, **compiler, context);
  if (Error error = test.run())
    return {false, false, toString(std::move(error))};
  return {true, test.isFolded(), ""};
}

/// A kernel that crashes, or never ends, is that folder's failure.
static Outcome verifyAlone(StringRef folder, const Tolerance &tolerance) {
  Expected<std::string> text = runInOwnProcess(
      [&] {
        Outcome outcome = verify(folder, tolerance);
        std::string flags{outcome.passed ? '1' : '0',
                          outcome.folded ? '1' : '0'};
        return flags + outcome.problem;
      },
      options->maxSeconds);
  if (!text)
    return {false, false, toString(text.takeError())};
  if (text->size() < 2)
    return {false, false, "its process said nothing"};
  return {text->at(0) == '1', text->at(1) == '1', text->substr(2)};
}

int verifyCommand(int argc, char **argv) {
  (void)*options;
  if (!cl::ParseCommandLineOptions(
          argc, argv, "Runs models with ONNX's test data\n", &errs()))
    return exitUsage;
  Tolerance tolerance{options->relative, options->absolute};
  if (!(tolerance.relative >= 0) || !(tolerance.absolute >= 0)) {
    errs() << "rl-run verify: --rtol and --atol take numbers from 0\n";
    return exitUsage;
  }
  if (Error error = checkThreads(options->threads,
                                 "--threads=" + Twine(options->threads))) {
    errs() << "rl-run verify: " << toString(std::move(error)) << '\n';
    return exitUsage;
  }
  if (options->maxSeconds < 1) {
    errs() << "rl-run verify: --max-seconds=0: at least 1\n";
    return exitUsage;
  }
  std::vector<std::string> cases = findCases(options->folders);
  if (cases.empty()) {
    errs() << "rl-run verify: no folder with a model.onnx is there\n";
    return exitFailure;
  }
  unsigned passed = 0, folded = 0, failed = 0;
  for (const std::string &folder : cases) {
    Outcome outcome = verifyAlone(folder, tolerance);
    passed += outcome.passed;
    failed += !outcome.passed;
    folded += outcome.folded;
    outs() << (outcome.passed ? "pass " : "FAIL ")
           << sys::path::filename(folder);
    if (!outcome.passed)
      outs() << ": " << outcome.problem;
    outs() << (outcome.folded ? " (folded: no kernel ran)\n" : "\n");
    outs().flush();
  }
  outs() << passed << " passed (" << folded << " folded), " << failed
         << " failed\n";
  return failed ? exitFailure : exitOk;
}

} // namespace roofline
