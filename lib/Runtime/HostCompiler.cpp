//===- HostCompiler.cpp - kernels compiled for this machine ---------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/HostCompiler.h"
#include "LibraryFunctions.h"
#include "ParallelFor.h"
#include "Scratch.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "roofline/Conversion/Passes.h"
#include "roofline/Runtime/Threads.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"
#include <chrono>
#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace llvm;

namespace roofline::runtime {

constexpr StringLiteral kernelName = "kernel", packedName = "kernel_packed";

void registerHostDialects(mlir::DialectRegistry &registry) {
  registerConversionDialects(registry);
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
}

struct HostCompiler::Impl {
  HostCompilerOptions options;
  std::string cpu, features;
  std::unique_ptr<TargetMachine> target;
  std::unique_ptr<orc::LLJIT> jit;
  std::unique_ptr<ThreadPool> threads; ///< where there are several
  unsigned count = 0;
  /// Kernels that are the same in a model share their code: a layer's find it
  /// where the layer before left it.
  StringMap<HostKernel> loaded;

  Error start();
  unsigned vectorBits() const;
  bool hasRegisterTables() const;
  /// What tells a kernel's code from another's.
  std::string keyOf(mlir::ModuleOp kernel) const;
  std::string cachePath(StringRef key) const;
  Expected<std::unique_ptr<MemoryBuffer>> compileObject(mlir::ModuleOp kernel);
  mlir::LogicalResult lower(mlir::ModuleOp kernel);
  void optimize(Module &module);
  Expected<std::unique_ptr<MemoryBuffer>> emitObject(Module &module);
  Expected<HostKernel> load(std::unique_ptr<MemoryBuffer> object);
};

//===----------------------------------------------------------------------===//
// Target
//===----------------------------------------------------------------------===//

static std::string hostFeatures() {
  SmallVector<std::string> list;
  for (const auto &feature : sys::getHostCPUFeatures())
    list.push_back((feature.second ? "+" : "-") + feature.first().str());
  llvm::sort(list);
  // Cores that have 512-bit registers use them.
  list.push_back("-prefer-256-bit");
  return join(list, ",");
}

/// What a run returns is made anew by the next, and so are the kernels' blocks
/// that Scratch has no room for: memory that goes back to the system would be
/// paged in again each time.
static void keepFreedMemory() {
#ifdef __GLIBC__
  constexpr int most = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, most);
  mallopt(M_TRIM_THRESHOLD, most);
#endif
}

/// Whether this machine can run what is compiled for a CPU: code for another
/// would end the program.
static Error checkCpu(const Target &target, const Triple &triple,
                      StringRef cpu) {
  std::unique_ptr<MCSubtargetInfo> known(
      target.createMCSubtargetInfo(triple, "", ""));
  if (!known || !known->isCPUStringValid(cpu))
    return createStringError("LLVM knows no CPU '" + cpu + "'");
  if (!triple.isX86())
    return Error::success();
  if (X86::parseArchX86(cpu, /*Only64Bit=*/true) == X86::CK_None)
    return createStringError("'" + cpu + "' is no CPU of 64 bits");
  SmallVector<StringRef> needed;
  X86::getFeaturesForCPU(cpu, needed);
  StringMap<bool> here = sys::getHostCPUFeatures();
  for (StringRef feature : needed)
    if (auto it = here.find(feature); it != here.end() && !it->second)
      return createStringError("this machine can't run code for '" + cpu +
                               "': it has no " + feature);
  return Error::success();
}

Error HostCompiler::Impl::start() {
  keepFreedMemory();
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  bool isHost = options.cpu.empty();
  cpu = isHost ? sys::getHostCPUName().str() : options.cpu;
  features = isHost ? hostFeatures() : "";
  std::string error;
  Triple triple(sys::getProcessTriple());
  const Target *found = TargetRegistry::lookupTarget(triple, error);
  if (!found)
    return createStringError(error);
  if (!isHost)
    if (Error wrong = checkCpu(*found, triple, cpu))
      return wrong;
  target.reset(found->createTargetMachine(triple, cpu, features, {},
                                          Reloc::PIC_, std::nullopt,
                                          CodeGenOptLevel::Aggressive,
                                          /*JIT=*/true));
  if (!target)
    return createStringError("LLVM has no code generator for '" + cpu + "'");
  Expected<std::unique_ptr<orc::LLJIT>> created = orc::LLJITBuilder().create();
  if (!created)
    return created.takeError();
  jit = std::move(*created);
  if (options.threads.count > 1)
    threads = std::make_unique<ThreadPool>(unsigned(options.threads.count));
  return Error::success();
}

unsigned HostCompiler::Impl::vectorBits() const {
  const MCSubtargetInfo &info = *target->getMCSubtargetInfo();
  if (target->getTargetTriple().isX86()) {
    if (info.checkFeatures("+avx512f"))
      return 512;
    if (info.checkFeatures("+avx"))
      return 256;
  }
  return 128;
}

bool HostCompiler::Impl::hasRegisterTables() const {
  return target->getTargetTriple().isX86() &&
         target->getMCSubtargetInfo()->checkFeatures("+avx512f,+avx512dq");
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

mlir::LogicalResult HostCompiler::Impl::lower(mlir::ModuleOp kernel) {
  mlir::PassManager passes(kernel.getContext());
  passes.enableVerifier(false);
  HostPipelineOptions pipeline;
  pipeline.vectorBits = vectorBits();
  pipeline.hasRegisterTables = hasRegisterTables();
  pipeline.threads = options.threads;
  ConvertRLToLinalgOptions lowering;
  lowering.attentionByBlocks = options.attentionByBlocks;
  passes.addPass(createConvertRLToLinalg(lowering));
  buildHostPipeline(passes, pipeline);
  return passes.run(kernel);
}

/// `kernel_packed(ptr)`: loads the pointers and calls the kernel.
static void addPackedEntry(Module &module) {
  Function *kernel = module.getFunction(kernelName);
  LLVMContext &context = module.getContext();
  auto *pointer = PointerType::getUnqual(context);
  auto *type = FunctionType::get(Type::getVoidTy(context), {pointer},
                                 /*isVarArg=*/false);
  Function *packed =
      Function::Create(type, Function::ExternalLinkage, packedName, module);
  IRBuilder<> b(BasicBlock::Create(context, "", packed));
  SmallVector<llvm::Value *> arguments;
  for (unsigned i = 0; i < kernel->arg_size(); ++i)
    arguments.push_back(b.CreateLoad(
        pointer, b.CreateConstGEP1_32(pointer, packed->getArg(0), i)));
  b.CreateCall(kernel, arguments);
  b.CreateRetVoid();
}

void HostCompiler::Impl::optimize(Module &module) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder(target.get());
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2)
      .run(module, modules);
}

Expected<std::unique_ptr<MemoryBuffer>>
HostCompiler::Impl::emitObject(Module &module) {
  SmallVector<char, 0> bytes;
  raw_svector_ostream os(bytes);
  legacy::PassManager passes;
  if (target->addPassesToEmitFile(passes, os, nullptr,
                                  CodeGenFileType::ObjectFile))
    return createStringError("LLVM can't write objects for '" + cpu + "'");
  passes.run(module);
  return std::make_unique<SmallVectorMemoryBuffer>(std::move(bytes));
}

Expected<std::unique_ptr<MemoryBuffer>>
HostCompiler::Impl::compileObject(mlir::ModuleOp kernel) {
  std::string message; // the first thing that went wrong
  mlir::ScopedDiagnosticHandler handler(
      kernel.getContext(), [&](mlir::Diagnostic &diagnostic) {
        if (message.empty() &&
            diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
          message = diagnostic.str();
        return mlir::success();
      });
  auto failed = [&](StringRef otherwise) {
    return createStringError(message.empty() ? otherwise.str() : message);
  };
  if (mlir::failed(lower(kernel)))
    return failed("lowering failed");
  LLVMContext context;
  std::unique_ptr<Module> module =
      mlir::translateModuleToLLVMIR(kernel, context, kernelName);
  if (!module || !module->getFunction(kernelName))
    return failed("the lowered kernel isn't LLVM IR");
  module->setTargetTriple(target->getTargetTriple());
  module->setDataLayout(target->createDataLayout());
  for (Function &function : *module) {
    function.addFnAttr("target-cpu", cpu);
    function.addFnAttr("target-features", features);
    function.addFnAttr("prefer-vector-width", "512");
  }
  addPackedEntry(*module);
  optimize(*module);
  return emitObject(*module);
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

/// What compiles: another build of this program may lower the same kernel in
/// another way.
static const std::string &programId() {
  static const std::string id = []() -> std::string {
    sys::fs::file_status status;
    std::string path = sys::fs::getMainExecutable(
        nullptr, reinterpret_cast<void *>(&programId));
    if (path.empty() || sys::fs::status(path, status))
      return "";
    auto time = status.getLastModificationTime().time_since_epoch().count();
    return std::to_string(status.getSize()) + "-" + std::to_string(time);
  }();
  return id;
}

std::string HostCompiler::Impl::keyOf(mlir::ModuleOp kernel) const {
  std::string text;
  raw_string_ostream os(text);
  os << programId() << '\n' << cpu << '\n' << features << '\n';
  os << options.threads.count << ' ' << options.threads.leastCycles << '\n';
  os << "attention-by-blocks=" << options.attentionByBlocks << '\n';
  kernel->print(os, mlir::OpPrintingFlags().useLocalScope());
  std::array<uint8_t, 32> hash = SHA256::hash(arrayRefFromStringRef(text));
  return toHex(hash, /*LowerCase=*/true);
}

std::string HostCompiler::Impl::cachePath(StringRef key) const {
  if (options.cacheFolder.empty())
    return "";
  SmallString<128> path(options.cacheFolder);
  sys::path::append(path, key + ".o");
  return std::string(path);
}

/// Null where there is none.
static std::unique_ptr<MemoryBuffer> readFile(StringRef path) {
  auto file = MemoryBuffer::getFile(path);
  return file ? std::move(*file) : nullptr;
}

static void keep(StringRef path, MemoryBufferRef object) {
  // What can't be kept is compiled again.
  if (sys::fs::create_directories(sys::path::parent_path(path)))
    return;
  consumeError(writeToOutput(path, [&](raw_ostream &os) {
    os << object.getBuffer();
    return Error::success();
  }));
}

Expected<HostKernel>
HostCompiler::Impl::load(std::unique_ptr<MemoryBuffer> object) {
  Expected<orc::JITDylib &> library =
      jit->createJITDylib("kernel" + std::to_string(count++));
  if (!library)
    return library.takeError();
  auto symbols = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit->getDataLayout().getGlobalPrefix());
  if (!symbols)
    return symbols.takeError();
  orc::SymbolMap ours;
  auto define = [&](StringRef name, auto *function) {
    ours[jit->mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(function),
                                        JITSymbolFlags::Exported |
                                            JITSymbolFlags::Callable};
  };
  // LLVM makes one of malloc and memset.
  define("calloc", scratchCalloc);
  define("malloc", scratchMalloc);
  define("free", scratchFree);
  // Given, since a program that is linked statically has no symbols to find.
  define(parallelForName, parallelFor);
  for (const LibraryFunction &function : libraryFunctions())
    define(function.name, function.address);
  if (Error error = library->define(orc::absoluteSymbols(std::move(ours))))
    return std::move(error);
  library->addGenerator(std::move(*symbols));
  if (Error error = jit->addObjectFile(*library, std::move(object)))
    return std::move(error);
  Expected<orc::ExecutorAddr> address = jit->lookup(*library, packedName);
  if (!address)
    return address.takeError();
  HostKernel kernel;
  kernel.function = address->toPtr<HostKernel::Function>();
  kernel.threads = threads.get();
  return kernel;
}

//===----------------------------------------------------------------------===//
// HostCompiler
//===----------------------------------------------------------------------===//

HostCompiler::HostCompiler() : impl(std::make_unique<Impl>()) {}
HostCompiler::~HostCompiler() = default;

StringRef HostCompiler::cpu() const { return impl->cpu; }
unsigned HostCompiler::vectorBits() const { return impl->vectorBits(); }
unsigned HostCompiler::threads() const {
  return impl->threads ? impl->threads->size() : 1;
}
bool HostCompiler::threadsArePinned() const {
  return !impl->threads || impl->threads->isPinned();
}

Expected<std::unique_ptr<HostCompiler>>
HostCompiler::create(HostCompilerOptions options) {
  std::unique_ptr<HostCompiler> compiler(new HostCompiler);
  compiler->impl->options = std::move(options);
  if (Error error = compiler->impl->start())
    return std::move(error);
  return compiler;
}

Expected<std::unique_ptr<MemoryBuffer>>
HostCompiler::compileObject(mlir::ModuleOp kernel) {
  return impl->compileObject(kernel);
}

Expected<HostKernel> HostCompiler::compile(mlir::ModuleOp kernel) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
  std::string key = impl->keyOf(kernel), path = impl->cachePath(key);
  if (auto known = impl->loaded.find(key); known != impl->loaded.end())
    return known->second;
  if (auto kept = path.empty() ? nullptr : readFile(path)) {
    Expected<HostKernel> loaded = impl->load(std::move(kept));
    if (loaded)
      return impl->loaded[key] = *loaded;
    consumeError(loaded.takeError()); // damaged: compiled again
  }
  Expected<std::unique_ptr<MemoryBuffer>> object = impl->compileObject(kernel);
  if (!object)
    return object.takeError();
  if (!path.empty())
    keep(path, **object);
  Expected<HostKernel> loaded = impl->load(std::move(*object));
  if (!loaded)
    return loaded;
  impl->loaded[key] = *loaded;
  loaded->compileSeconds =
      std::chrono::duration<double>(Clock::now() - start).count();
  return loaded;
}

} // namespace roofline::runtime
