//===- Entry.cpp - the function that a pass works on ----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Transforms/Entry.h"
#include "mlir/IR/SymbolTable.h"
#include "roofline/Analysis/CostAnalysis.h"
#include "roofline/Analysis/DeviceFromIR.h"

using namespace mlir;

namespace roofline {

/// "@a, @b": the functions with a body, public ones alone if asked.
static std::string listFunctions(ModuleOp module, bool publicOnly) {
  std::string list;
  for (Operation &op : module.getBody()->getOperations()) {
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function || function.isExternal() ||
        (publicOnly && !function.isPublic()))
      continue;
    list += (list.empty() ? "@" : ", @") + function.getName().str();
  }
  return list;
}

llvm::Expected<FunctionOpInterface> findEntryNamed(ModuleOp module,
                                                   StringRef entry) {
  if (!entry.empty()) {
    entry.consume_front("@");
    auto function = dyn_cast_or_null<FunctionOpInterface>(
        SymbolTable::lookupSymbolIn(module, entry));
    if (function && !function.isExternal())
      return function;
    return llvm::createStringError(
        "no function @" + entry +
        " with a body; there are: " + listFunctions(module, false));
  }
  if (FunctionOpInterface function = CostAnalysis::findEntry(module))
    return function;
  std::string list = listFunctions(module, true);
  if (list.empty())
    return llvm::createStringError(
        "the module has no public function with a body");
  return llvm::createStringError("several public functions (" + list +
                                 "): choose one with --entry");
}

llvm::Expected<PlacementTarget>
findPlacementTarget(ModuleOp module, StringRef entry, StringRef device) {
  llvm::Expected<FunctionOpInterface> func = findEntryNamed(module, entry);
  if (!func)
    return func.takeError();
  llvm::Expected<Device> chosen = chooseDevice(device, module);
  if (!chosen)
    return chosen.takeError();
  return PlacementTarget{*func, std::move(*chosen)};
}

} // namespace roofline
