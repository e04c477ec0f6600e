//===- CallParallel.cpp - calls that threads share ------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parallel.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "roofline/Conversion/Passes.h"

namespace roofline {
#define GEN_PASS_DEF_CALLPARALLEL
#include "roofline/Conversion/Passes.h.inc"
} // namespace roofline

using namespace mlir;
using namespace roofline::host;

namespace {

class CallParallel : public roofline::impl::CallParallelBase<CallParallel> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<std::pair<LLVM::CallOp, LLVM::LLVMFuncOp>> calls;
    for (auto caller : getOperation().getOps<LLVM::LLVMFuncOp>())
      caller.walk([&](LLVM::CallOp call) {
        std::optional<StringRef> name = call.getCallee();
        auto callee = name ? symbols.lookup<LLVM::LLVMFuncOp>(*name) : nullptr;
        if (callee && callee->hasAttr(parallelAttrName))
          calls.emplace_back(call, callee);
      });
    llvm::DenseMap<Operation *, LLVM::LLVMFuncOp> entries;
    for (auto [call, callee] : calls) {
      if (failed(checkCall(call, callee)))
        return signalPassFailure();
      LLVM::LLVMFuncOp &entry = entries[callee];
      if (!entry)
        entry = addEntry(callee, symbols);
      convert(call, callee, entry);
    }
  }

  static LogicalResult checkCall(LLVM::CallOp call, LLVM::LLVMFuncOp callee) {
    ValueRange operands = call.getArgOperands();
    if (operands.empty() || !operands.front().getType().isInteger(64))
      return call.emitError("a call of a function with ")
             << parallelAttrName
             << " needs a first operand, an i64: how many indices there are";
    if (callee.isExternal() || call.getNumResults() != 0)
      return call.emitError("a function with ")
             << parallelAttrName << " needs a body, and can't have results";
    return success();
  }

  /// What the entry takes from memory: all but the index.
  static LLVM::LLVMStructType contextOf(LLVM::LLVMFuncOp callee) {
    return LLVM::LLVMStructType::getLiteral(
        callee.getContext(), callee.getFunctionType().getParams().drop_front());
  }

  void convert(LLVM::CallOp call, LLVM::LLVMFuncOp callee,
               LLVM::LLVMFuncOp entry) {
    ValueRange captured = call.getArgOperands().drop_front();
    LLVM::LLVMStructType context = contextOf(callee);
    OpBuilder b(call);
    Location loc = call.getLoc();
    Value memory = onStack(call, context);
    for (auto [i, value] : llvm::enumerate(captured))
      LLVM::StoreOp::create(b, loc, value, fieldOf(b, loc, context, memory, i));
    Value body = LLVM::AddressOfOp::create(b, loc, entry);
    LLVM::CallOp::create(
        b, loc, parallelFor(),
        ValueRange{body, memory, call.getArgOperands().front()});
    call.erase();
  }

  static Value fieldOf(OpBuilder &b, Location loc, Type context, Value memory,
                       size_t field) {
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    return LLVM::GEPOp::create(b, loc, pointer, context, memory,
                               ArrayRef<LLVM::GEPArg>{0, int32_t(field)});
  }

  /// At the start of the caller: the call may be in a loop.
  static Value onStack(LLVM::CallOp call, Type context) {
    auto caller = call->getParentOfType<LLVM::LLVMFuncOp>();
    OpBuilder b(caller.getBody());
    Location loc = call.getLoc();
    Value one = LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(1));
    return LLVM::AllocaOp::create(
        b, loc, LLVM::LLVMPointerType::get(b.getContext()), context, one);
  }

  /// `entry(context, index)`, which calls the function with what is there.
  static LLVM::LLVMFuncOp addEntry(LLVM::LLVMFuncOp callee,
                                   SymbolTable &symbols) {
    callee.setLinkage(LLVM::Linkage::Internal);
    LLVM::LLVMStructType context = contextOf(callee);
    OpBuilder b(callee);
    Location loc = callee.getLoc();
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    auto type = LLVM::LLVMFunctionType::get(
        LLVM::LLVMVoidType::get(b.getContext()), {pointer, b.getI64Type()});
    auto entry =
        LLVM::LLVMFuncOp::create(b, loc, (callee.getName() + "_entry").str(),
                                 type, LLVM::Linkage::Internal);
    symbols.insert(entry);
    Block *block = entry.addEntryBlock(b);
    b.setInsertionPointToStart(block);
    SmallVector<Value> arguments = {block->getArgument(1)};
    ArrayRef<Type> fields = context.getBody();
    for (auto [i, field] : llvm::enumerate(fields))
      arguments.push_back(LLVM::LoadOp::create(
          b, loc, field, fieldOf(b, loc, context, block->getArgument(0), i)));
    LLVM::CallOp::create(b, loc, callee, arguments);
    LLVM::ReturnOp::create(b, loc, ValueRange());
    return entry;
  }

  LLVM::LLVMFuncOp parallelFor() {
    ModuleOp module = getOperation();
    if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(parallelForName))
      return known;
    OpBuilder b(module.getBody(), module.getBody()->begin());
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    auto type =
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()),
                                    {pointer, pointer, b.getI64Type()});
    return LLVM::LLVMFuncOp::create(b, module.getLoc(), parallelForName, type);
  }
};

} // namespace
