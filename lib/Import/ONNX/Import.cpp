//===- Import.cpp - the steps of an import --------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DimNames.h"
#include "Graph.h"
#include <new>

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;

static Expected<ImportResult> runSteps(StringRef bytes, StringRef name,
                                       const ImportOptions &options,
                                       mlir::MLIRContext *context) {
  Model model;
  model.name = name.str();
  Expected<std::shared_ptr<onnx::ModelProto>> proto = readModel(bytes, name);
  if (!proto)
    return proto.takeError();
  model.proto = std::move(*proto);
  if (model.proto->graph().output().empty())
    return createStringError("the graph has no outputs, so there is nothing to "
                             "compute");
  if (Error error = resolve(model, options))
    return std::move(error);
  checkStoredData(model, options);
  countParameters(model);
  if (Error error = infer(model, options))
    return std::move(error);
  markLive(model);
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> module =
      emit(model, options, context);
  if (!module)
    return module.takeError();
  return ImportResult{std::move(*module), std::move(model.warnings)};
}

Expected<ImportResult> roofline::importONNX(StringRef bytes, StringRef name,
                                            const ImportOptions &options,
                                            mlir::MLIRContext *context) {
  // libonnx and the standard library throw; no caller expects it.
  try {
    return runSteps(bytes, name, options, context);
  } catch (const std::bad_alloc &) {
    return createStringError("out of memory");
  } catch (const std::exception &exception) {
    return createStringError(exception.what());
  }
}
