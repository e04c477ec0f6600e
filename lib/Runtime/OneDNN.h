//===- OneDNN.h - problems computed by oneDNN -------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part that is compiled with exceptions: it knows of problems alone, and
// lets none of oneDNN's exceptions out.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_RUNTIME_ONEDNN_H
#define ROOFLINE_LIB_RUNTIME_ONEDNN_H

#include "LibraryProblem.h"

namespace roofline::runtime::onednn {

std::string version();

/// From now on, for the calling thread. False where the threads can't be
/// chosen from here.
bool useThreads(unsigned count);

// Null where oneDNN has no implementation.

llvm::Expected<std::unique_ptr<OpKernel>>
compile(const ProductProblem &problem);
llvm::Expected<std::unique_ptr<OpKernel>> compile(const ConvProblem &problem);

} // namespace roofline::runtime::onednn

#endif // ROOFLINE_LIB_RUNTIME_ONEDNN_H
