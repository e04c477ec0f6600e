//===- HostCompiler.h - kernels compiled for this machine -------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A kernel is a module with one function `kernel` of rl ops (or of linalg on
// tensors). It is lowered, compiled for a CPU, and called with one pointer an
// argument and one a result. Objects are kept on disk under what they were made
// from, so a kernel is compiled once.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_RUNTIME_HOSTCOMPILER_H
#define ROOFLINE_RUNTIME_HOSTCOMPILER_H

#include "mlir/IR/BuiltinOps.h"
#include "roofline/Cost/HostThreads.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>

namespace roofline::runtime {

class ThreadPool;

/// What a context needs for kernels to be built, lowered and compiled in it.
void registerHostDialects(mlir::DialectRegistry &registry);

struct HostCompilerOptions {
  /// A CPU as LLVM names it ("x86-64-v3"); empty: this one.
  std::string cpu;
  /// Where objects are kept; empty: nowhere.
  std::string cacheFolder;
  /// That a kernel may use, the caller's among them. With more than one, the
  /// caller is kept on a CPU as long as the compiler lives.
  HostThreads threads;
  /// Attention keeps a block of its scores at a time, not all of them.
  bool attentionByBlocks = true;
};

/// Compiled code: `call` takes the addresses of the arguments, then of the
/// results. It must not be called by two threads at once where it uses several,
/// nor outlive its compiler.
class HostKernel {
public:
  using Function = void (*)(void **);
  void call(llvm::ArrayRef<void *> pointers) const {
    auto **addresses = const_cast<void **>(pointers.data());
    threads ? callOnThreads(addresses) : function(addresses);
  }
  double compileSeconds = 0; ///< 0 where it was there already
  Function function = nullptr;
  ThreadPool *threads = nullptr; ///< where it may use several

private:
  void callOnThreads(void **pointers) const;
};

class HostCompiler {
public:
  static llvm::Expected<std::unique_ptr<HostCompiler>>
  create(HostCompilerOptions options);
  ~HostCompiler();

  /// What kernels are compiled for.
  llvm::StringRef cpu() const;
  unsigned vectorBits() const;
  unsigned threads() const;
  /// Every thread is on a CPU of its own. So a single one is, too, to itself.
  bool threadsArePinned() const;

  /// Compiles the module's function `kernel`. The module is used up.
  llvm::Expected<HostKernel> compile(mlir::ModuleOp kernel);

  /// The object that `compile` would load: `kernel_packed` in it is
  /// HostKernel's function. The module is used up.
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
  compileObject(mlir::ModuleOp kernel);

private:
  HostCompiler();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace roofline::runtime

#endif // ROOFLINE_RUNTIME_HOSTCOMPILER_H
