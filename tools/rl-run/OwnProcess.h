//===- OwnProcess.h - what may crash, in a process of its own ---*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TOOLS_RL_RUN_OWNPROCESS_H
#define ROOFLINE_TOOLS_RL_RUN_OWNPROCESS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <string>

namespace roofline {

/// What `function` returns, called in a copy of this process; an error that
/// says how the copy ended where it didn't end by itself, which it has
/// `seconds` for. The caller must have no other threads.
llvm::Expected<std::string>
runInOwnProcess(llvm::function_ref<std::string()> function, unsigned seconds);

} // namespace roofline

#endif // ROOFLINE_TOOLS_RL_RUN_OWNPROCESS_H
