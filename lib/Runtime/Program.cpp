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
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <map>

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
  program.findAddresses();
  return program;
}

unsigned Program::memoryOf(Value value) {
  auto [it, isNew] = numbers.try_emplace(value, memories.size());
  if (isNew) {
    memories.emplace_back();
    memories.back().value = value;
  }
  return it->second;
}

/// Where kernels' addresses come from.
void Program::findAddresses() {
  for (Step &step : stepList) {
    if (step.isView) {
      unsigned memory = memoryOf(step.operands[0]);
      numbers[step.results[0]] = memory;
      continue;
    }
    step.firstAddress = addresses.size();
    for (ValueRange values :
         {ValueRange(step.operands), ValueRange(step.results)})
      for (Value value : values) {
        memories[memoryOf(value)].addresses.push_back(addresses.size());
        addresses.push_back(nullptr);
      }
  }
  for (Value value : function.front().getTerminator()->getOperands())
    memories[memoryOf(value)].isReturned = true;
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
    unsigned memory = memoryOf(value);
    if (memories[memory].tensor || value.use_empty() ||
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
    bind(memory, std::move(*tensor));
  }
  return Error::success();
}

void Program::bind(unsigned memory, Tensor tensor) {
  for (unsigned place : memories[memory].addresses)
    addresses[place] = tensor.data();
  memories[memory].tensor = std::move(tensor);
}

Error Program::create(unsigned memory, RankedTensorType type) {
  Expected<Tensor> tensor = Tensor::create(type);
  if (!tensor)
    return tensor.takeError();
  bind(memory, std::move(*tensor));
  return Error::success();
}

/// A run's own: what the caller gives is the caller's, weights and constants
/// stay.
static bool isOfRun(Value value) {
  Operation *op = value.getDefiningOp();
  return op && !isa<rl::WeightOp, rl::FillOp>(op);
}

/// Whether another result may take it when it was read for the last time.
bool Program::isRecycled(unsigned memory) const {
  return isOfRun(memories[memory].value) && !memories[memory].isReturned;
}

/// Whether the caller gets it.
bool Program::isRenewed(unsigned memory) const {
  return isOfRun(memories[memory].value) && memories[memory].isReturned;
}

/// Memory for all results but those that are returned. The next of a size takes
/// what was read for the last time.
Error Program::placeResults() {
  std::map<size_t, std::vector<Tensor>> spare;    // by size
  std::vector<unsigned> live(memories.size(), 0); // values that look at it
  for (Step &step : stepList) {
    for (Value result : step.results) {
      unsigned memory = memoryOf(result);
      ++live[memory];
      if (step.isView || isRenewed(memory))
        continue;
      auto type = cast<RankedTensorType>(result.getType());
      auto bytes = size_t(storageBytes(type.getElementType())) *
                   size_t(std::max<int64_t>(type.getNumElements(), 0));
      std::vector<Tensor> &free = spare[bytes];
      // What isn't computed again must stay.
      if (step.isConstant || free.empty()) {
        if (Error error = create(memory, type))
          return errorAt(step.op, std::move(error));
        continue;
      }
      bind(memory, free.back().viewedAs(type));
      free.pop_back();
    }
    for (Value value : step.dying) {
      unsigned memory = memoryOf(value);
      if (!isRecycled(memory))
        continue;
      --live[memory];
      if (live[memory] == 0)
        spare[memories[memory].tensor.byteSize()].push_back(
            memories[memory].tensor);
    }
  }
  return Error::success();
}

/// What the run before returned is the caller's, if it still has it.
Error Program::renewReturned() {
  for (unsigned number = 0; number < memories.size(); ++number) {
    const Memory &memory = memories[number];
    if (!isRenewed(number) || (memory.tensor && memory.tensor.isUnshared()))
      continue;
    auto type = cast<RankedTensorType>(memory.value.getType());
    if (Error error = create(number, type))
      return errorAt(memory.value.getDefiningOp(), std::move(error));
  }
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
    bind(memoryOf(argument), input);
  llvm::scope_exit release([&] { // they are the caller's
    for (BlockArgument argument : function.getArguments())
      memories[memoryOf(argument)].tensor = Tensor();
  });
  if (Error error = loadWeights(weights))
    return std::move(error);
  if (!isPlaced)
    if (Error error = placeResults())
      return std::move(error);
  isPlaced = true;
  if (Error error = renewReturned())
    return std::move(error);
  if (llvm::is_contained(addresses, nullptr))
    return llvm::createStringError("internal: an operand has no memory");
  for (auto [i, step] : llvm::enumerate(stepList)) {
    if (step.isView || (step.isConstant && hasConstants))
      continue;
    ArrayRef<void *> own = ArrayRef(addresses).slice(
        step.firstAddress, step.operands.size() + step.results.size());
    double start = stepSeconds.empty() ? 0 : wallSeconds();
    step.kernel.call(own);
    if (!stepSeconds.empty())
      stepSeconds[i] += wallSeconds() - start;
  }
  hasConstants = true;
  std::vector<Tensor> results;
  for (Value result : function.front().getTerminator()->getOperands()) {
    const Tensor &tensor = memories[memoryOf(result)].tensor;
    results.push_back(
        tensor.viewedAs(cast<RankedTensorType>(result.getType())));
  }
  return results;
}

} // namespace roofline::runtime
