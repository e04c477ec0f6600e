//===- Program.cpp - a model as kernels to run ----------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/Program.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "roofline/Dialect/RL/RL.h"
#include "roofline/Runtime/Timing.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using llvm::Error;
using llvm::Expected;

namespace roofline::runtime {

/// Constants of up to so many elements are part of the kernel that reads them.
constexpr int64_t maxInlineElements = 64;

//===----------------------------------------------------------------------===//
// Outlining
//===----------------------------------------------------------------------===//

static bool isInlineConstant(Value value) {
  Operation *producer = value.getDefiningOp();
  if (!producer || !isa<rl::WeightOp, rl::FillOp>(producer))
    return false;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return producer->hasAttr(rl::valueAttrName) && type &&
         type.hasStaticShape() && type.getNumElements() <= maxInlineElements;
}

/// What an op reads from outside, its regions included, in order.
static llvm::SetVector<Value> usedValues(Operation *op) {
  llvm::SetVector<Value> used;
  used.insert(op->operand_begin(), op->operand_end());
  for (Region &region : op->getRegions())
    getUsedValuesDefinedAbove(region, region, used);
  return used;
}

/// Same computations are the same kernel whatever the model calls them.
static void dropNames(Operation *op) {
  op->walk([](Operation *inner) {
    SmallVector<StringRef> kept = {rl::opTypeAttrName, rl::domainAttrName,
                                   rl::onnxAttrName, rl::valueAttrName};
    for (NamedAttribute attribute :
         llvm::to_vector(inner->getDiscardableAttrs()))
      if (!llvm::is_contained(kept, attribute.getName().getValue()))
        inner->removeDiscardableAttr(attribute.getName());
    inner->setLoc(UnknownLoc::get(inner->getContext()));
    if (auto weight = dyn_cast<rl::WeightOp>(inner))
      weight.setName("constant");
  });
}

OutlinedKernel outlineKernel(Operation *op) {
  OutlinedKernel kernel;
  OpBuilder b(op->getContext());
  Location loc = b.getUnknownLoc();
  kernel.module = ModuleOp::create(loc);
  llvm::SetVector<Value> used = usedValues(op);
  SmallVector<Type> types;
  for (Value value : used)
    if (!isInlineConstant(value)) {
      kernel.operands.push_back(value);
      types.push_back(value.getType());
    }
  b.setInsertionPointToEnd(kernel.module->getBody());
  auto function = func::FuncOp::create(
      b, loc, "kernel", b.getFunctionType(types, op->getResultTypes()));
  b.setInsertionPointToEnd(function.addEntryBlock());
  IRMapping mapping;
  mapping.map(ArrayRef<Value>(kernel.operands),
              function.getBody().getArguments());
  for (Value value : used)
    if (isInlineConstant(value))
      mapping.map(value, b.clone(*value.getDefiningOp())->getResult(0));
  Operation *clone = b.clone(*op, mapping);
  func::ReturnOp::create(b, loc, clone->getResults());
  dropNames(*kernel.module);
  return kernel;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

static std::string describe(Operation *op) {
  std::string text;
  if (StringRef name = rl::nodeName(op->getLoc()); !name.empty())
    text = "node '" + name.str() + "'";
  auto type = op->getAttrOfType<StringAttr>(rl::opTypeAttrName);
  std::string kind = type ? type.str() : op->getName().getStringRef().str();
  return text.empty() ? kind : text + " (" + kind + ")";
}

static Error errorAt(Operation *op, Error error) {
  return llvm::createStringError(describe(op) + ": " +
                                 llvm::toString(std::move(error)));
}

/// A view that changes neither bytes nor their types needs no kernel.
static bool isPlainView(Operation *op) {
  if (!isa<rl::ViewOp>(op) || op->getNumResults() != 1)
    return false;
  auto from = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto to = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return from && to && from.hasStaticShape() && to.hasStaticShape() &&
         from.getElementType() == to.getElementType() &&
         from.getNumElements() == to.getNumElements();
}

void Program::addStep(Operation *op, HostCompiler &compiler) {
  Step step;
  step.op = op;
  step.results = llvm::to_vector(ValueRange(op->getResults()));
  step.isConstant = isa<rl::FillOp>(op);
  if (isPlainView(op)) {
    step.isView = true;
    step.operands.push_back(op->getOperand(0));
  } else {
    OutlinedKernel outlined = outlineKernel(op);
    step.operands = std::move(outlined.operands);
    Expected<HostKernel> kernel = compiler.compile(*outlined.module);
    if (kernel)
      step.kernel = *kernel;
    else
      step.error = llvm::toString(errorAt(op, kernel.takeError()));
  }
  stepList.push_back(std::move(step));
}

void Program::findLastUses() {
  llvm::SmallPtrSet<void *, 16> seen;
  for (Value result : function.front().getTerminator()->getOperands())
    seen.insert(result.getAsOpaquePointer());
  for (Step &step : llvm::reverse(stepList)) {
    for (Value value : step.operands)
      if (seen.insert(value.getAsOpaquePointer()).second)
        step.dying.push_back(value);
    for (Value value : step.results)
      if (seen.insert(value.getAsOpaquePointer()).second)
        step.dying.push_back(value); // nobody reads it
  }
}

/// What has no kernel: weights and constants.
static bool isConstant(Operation &op) {
  return isa<rl::WeightOp>(op) ||
         (isa<rl::FillOp>(op) &&
          (op.use_empty() || op.hasAttr(rl::valueAttrName)));
}

bool needsKernel(Operation *op) {
  return !op->hasTrait<OpTrait::IsTerminator>() && !isConstant(*op) &&
         !isPlainView(op);
}

Program Program::build(func::FuncOp function, HostCompiler &compiler,
                       llvm::function_ref<bool(Operation *)> progress,
                       llvm::function_ref<bool(Operation *)> wanted) {
  Program program;
  program.function = function;
  for (Operation &op : function.front().without_terminator()) {
    if (isConstant(op)) {
      program.weightOps.push_back(&op);
      continue;
    }
    if (wanted && !wanted(&op))
      continue;
    if (progress && !progress(&op))
      break;
    program.addStep(&op, compiler);
  }
  program.findLastUses();
  return program;
}

Error Program::firstError() const {
  for (const Step &step : stepList)
    if (!step.error.empty())
      return llvm::createStringError(step.error);
  return Error::success();
}

unsigned Program::kernelCount() const {
  return llvm::count_if(stepList, [](const Step &s) { return !s.isView; });
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// The elements of an attribute, as kernels take them.
static Expected<Tensor> fromAttribute(DenseElementsAttr elements,
                                      RankedTensorType type) {
  Expected<Tensor> tensor = Tensor::create(type);
  if (!tensor)
    return tensor;
  unsigned size = storageBytes(type.getElementType());
  char *out = tensor->data();
  auto store = [&](const APInt &bits) {
    for (unsigned byte = 0; byte < size; ++byte)
      out[byte] = char(bits.extractBitsAsZExtValue(
          std::min(8u, bits.getBitWidth() - 8 * byte), 8 * byte));
    out += size;
  };
  if (isa<FloatType>(elements.getElementType()))
    for (const APFloat &element : elements.getValues<APFloat>())
      store(element.bitcastToAPInt());
  else
    for (const APInt &element : elements.getValues<APInt>())
      store(element);
  return tensor;
}

Expected<Tensor> inlineConstant(Value value) {
  if (!isInlineConstant(value))
    return Tensor();
  auto elements = value.getDefiningOp()->getAttrOfType<DenseElementsAttr>(
      rl::valueAttrName);
  if (!elements)
    return llvm::createStringError("a constant without elements");
  return fromAttribute(elements, cast<RankedTensorType>(value.getType()));
}

Error Program::loadWeights(const WeightSource &weights) {
  for (Operation *op : weightOps) {
    Value value = op->getResult(0);
    if (values.contains(value) || value.use_empty() ||
        (isInlineConstant(value) &&
         !llvm::is_contained(function.front().getTerminator()->getOperands(),
                             value) &&
         llvm::none_of(stepList, [&](const Step &step) {
           return llvm::is_contained(step.operands, value);
         })))
      continue;
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return errorAt(op, llvm::createStringError("a weight that is no tensor"));
    auto elements = op->getAttrOfType<DenseElementsAttr>(rl::valueAttrName);
    auto weight = dyn_cast<rl::WeightOp>(op);
    Expected<Tensor> tensor =
        elements ? fromAttribute(elements, type)
                 : weights(weight ? weight.getName() : "", type);
    if (!tensor)
      return errorAt(op, tensor.takeError());
    values[value] = std::move(*tensor);
  }
  return Error::success();
}

Expected<Tensor> Program::resultTensor(RankedTensorType type) {
  uint64_t bytes = uint64_t(storageBytes(type.getElementType())) *
                   uint64_t(std::max<int64_t>(type.getNumElements(), 0));
  auto it = spare.find(bytes);
  if (it == spare.end() || it->second.empty())
    return Tensor::create(type);
  Tensor tensor = it->second.back().viewedAs(type);
  it->second.pop_back();
  return tensor;
}

void Program::release(Value value) {
  if (value.getDefiningOp<rl::WeightOp>() || value.getDefiningOp<rl::FillOp>())
    return; // kept for the next run
  auto it = values.find(value);
  if (it == values.end())
    return;
  // What the caller gave or gets is the caller's.
  if (!isa<BlockArgument>(value) && it->second.isUnshared())
    spare[it->second.byteSize()].push_back(it->second);
  values.erase(it);
}

Error Program::runStep(const Step &step, double *seconds) {
  if (step.isView) {
    auto type = cast<RankedTensorType>(step.results[0].getType());
    values[step.results[0]] = values.lookup(step.operands[0]).viewedAs(type);
    return Error::success();
  }
  SmallVector<void *> pointers;
  for (Value operand : step.operands) {
    auto it = values.find(operand);
    if (it == values.end())
      return errorAt(step.op,
                     llvm::createStringError("internal: an operand was freed"));
    pointers.push_back(it->second.data());
  }
  for (Value result : step.results) {
    Expected<Tensor> tensor =
        resultTensor(cast<RankedTensorType>(result.getType()));
    if (!tensor)
      return errorAt(step.op, tensor.takeError());
    pointers.push_back(tensor->data());
    values[result] = std::move(*tensor);
  }
  double start = seconds ? wallSeconds() : 0;
  step.kernel.call(pointers);
  if (seconds)
    *seconds += wallSeconds() - start;
  return Error::success();
}

Expected<std::vector<Tensor>>
Program::run(ArrayRef<Tensor> inputs, const WeightSource &weights,
             MutableArrayRef<double> stepSeconds) {
  if (inputs.size() != function.getNumArguments())
    return llvm::createStringError(
        "the model has " + llvm::Twine(function.getNumArguments()) +
        " inputs, " + llvm::Twine(inputs.size()) + " are given");
  if (Error error = firstError())
    return std::move(error);
  for (auto [argument, input] : llvm::zip(function.getArguments(), inputs))
    values[argument] = input;
  if (Error error = loadWeights(weights))
    return std::move(error);
  for (auto [i, step] : llvm::enumerate(stepList)) {
    if (step.isConstant && values.contains(step.results[0]))
      continue;
    if (Error error =
            runStep(step, stepSeconds.empty() ? nullptr : &stepSeconds[i]))
      return std::move(error);
    for (Value value : step.dying)
      release(value);
  }
  std::vector<Tensor> results;
  ValueRange returned = function.front().getTerminator()->getOperands();
  for (Value result : returned)
    results.push_back(values.lookup(result));
  // The caller's now: the next run must not write to them.
  for (Value result : returned)
    if (isa_and_nonnull<rl::RLDialect>(
            result.getDefiningOp() ? result.getDefiningOp()->getDialect()
                                   : nullptr) &&
        !result.getDefiningOp<rl::WeightOp>() &&
        !result.getDefiningOp<rl::FillOp>())
      values.erase(result);
  return results;
}

} // namespace roofline::runtime
