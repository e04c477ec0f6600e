//===- Loops.cpp - types through Loop, Scan, SequenceMap ------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value carried around a loop has one type in the body. A dimension that the
// body changes is unknown there; which those are shows when the body has been
// seen once, so a body may be visited several times, each with fewer sizes
// known. Once InferContext::visitLimit is passed a body is visited once only,
// and what it carries and changes has no known shape.
//
//===----------------------------------------------------------------------===//

#include "ControlFlow.h"
#include "DimNames.h"

using namespace llvm;

namespace roofline::onnx_import {
namespace {

std::shared_ptr<const Constant> integerConstant(int64_t number) {
  return std::make_shared<const Constant>(Constant{{Scalar(Expr(number))}});
}

ValueType scalarType(int onnxElem) {
  ValueType type;
  type.kind = ValueType::Tensor;
  type.onnxElem = onnxElem;
  type.elem = elementTypeOf(onnxElem);
  type.ranked = true;
  return type;
}

/// The value an Identity chain hands on.
const Value *behindIdentity(const Value *value) {
  while (value && value->producer && value->producer->opType() == "Identity" &&
         value->producer->domain().empty() && value->producer->input(0))
    value = value->producer->input(0);
  return value;
}

//===----------------------------------------------------------------------===//
// Bodies that run several times
//===----------------------------------------------------------------------===//

void setUnranked(ValueType &type) {
  type.ranked = false;
  type.dims.clear();
}

/// A value carried from one trip to the next.
struct Carried {
  const Value *initial;
  Value *in;        ///< the body's input
  const Value *out; ///< the body's output
  bool unchanged;   ///< the body hands it on as it is
};

using CarriedList = SmallVector<Carried, 4>;

bool isNumber(const std::optional<Expr> &expr, int64_t number) {
  return expr && expr->isConstant() && expr->constant() == number;
}

/// Gives the body's carried inputs the types of the first trip.
void enterBody(CarriedList &carried, bool once, bool pessimistic) {
  for (Carried &c : carried) {
    if (!c.initial)
      continue;
    c.in->type = c.initial->type;
    c.in->dataDependent = c.initial->dataDependent;
    c.in->constant = c.unchanged || once ? c.initial->constant : nullptr;
    if (pessimistic && !c.unchanged && !once) {
      setUnranked(c.in->type);
      c.in->type.length.reset();
    }
  }
}

/// Takes from the carried inputs what the body changes; false where nothing.
bool widenCarried(CarriedList &carried) {
  bool changed = false;
  for (Carried &c : carried) {
    if (c.unchanged || !c.out)
      continue;
    bool differ = false;
    ValueType common = commonType(c.in->type, c.out->type, differ);
    bool taints = c.out->dataDependent && !c.in->dataDependent;
    // An unknown dimension stays unknown whatever the body makes of it.
    bool same = common.kind == c.in->type.kind &&
                common.ranked == c.in->type.ranked &&
                common.length == c.in->type.length &&
                sameDims(common.dims, c.in->type.dims);
    if (same && !taints)
      continue;
    int elem = c.in->type.onnxElem;
    c.in->type = std::move(common);
    c.in->type.onnxElem = elem;
    c.in->type.elem = elementTypeOf(elem);
    c.in->dataDependent |= c.out->dataDependent;
    changed = true;
  }
  return changed;
}

/// Infers a body until the carried types settle. Each visit takes at least one
/// size away, so it ends.
Error inferBody(Graph &body, CarriedList &carried,
                const std::optional<Expr> &trips, InferContext &ctx) {
  bool once = isNumber(trips, 1), never = isNumber(trips, 0);
  bool pessimistic = ctx.visits > ctx.visitLimit;
  enterBody(carried, once, pessimistic);
  if (never) {
    inferUnneeded(body, ctx);
    return Error::success();
  }
  while (true) {
    size_t warnings = ctx.model.warnings.size();
    if (Error error = inferGraph(body, ctx))
      return error;
    if (once || pessimistic || !widenCarried(carried))
      return Error::success();
    ctx.model.warnings.resize(warnings); // they come again
    if (ctx.visits > ctx.visitLimit) {
      pessimistic = true;
      enterBody(carried, once, pessimistic);
    }
  }
}

/// The type of a carried value after the last trip.
void leaveBody(const Carried &carried, const std::optional<Expr> &trips,
               bool upperBound, Value &output) {
  if (isNumber(trips, 0) || carried.unchanged) {
    if (carried.initial)
      copyKnown(output, *carried.initial);
    return;
  }
  if (!carried.out)
    return;
  output.type = carried.out->type;
  output.dataDependent = carried.out->dataDependent;
  if (isNumber(trips, 1))
    output.constant = carried.out->constant;
  // Where it may not run at all, the first value may come out.
  bool runs = trips && trips->isConstant() && !upperBound;
  bool differ = false;
  if (!runs && carried.initial)
    output.type = commonType(output.type, carried.initial->type, differ);
}

/// What a body collects over its trips.
void setScanOutput(Value &output, const Value *element,
                   const std::optional<Expr> &trips, bool upperBound,
                   int64_t axis = 0) {
  if (!element || element->type.kind != ValueType::Tensor)
    return;
  output.type = element->type;
  output.dataDependent = element->dataDependent || upperBound;
  int64_t rank = int64_t(output.type.dims.size()) + 1;
  if (axis < 0)
    axis += rank;
  if (output.type.ranked && axis >= 0 && axis < rank)
    output.type.dims.insert(output.type.dims.begin() + axis, trips);
  else
    setUnranked(output.type);
}

/// A name for a trip count that nothing in the model gives.
Expr tripsSymbol(const Node &node, InferContext &ctx) {
  std::string label(node.name);
  if (label.empty())
    for (const Value *output : node.outputs)
      if (output) {
        label = std::string(output->name);
        break;
      }
  return ctx.model.dimNames->named("trips(" + label + ")");
}

Graph *onlySubgraph(const Node &node) {
  return node.subgraphs.size() == 1 ? node.subgraphs.front().get() : nullptr;
}

const Value *graphOutput(const Graph &graph, size_t i) {
  return i < graph.outputs.size() ? graph.outputs[i] : nullptr;
}

//===----------------------------------------------------------------------===//
// Loop
//===----------------------------------------------------------------------===//

/// Counts above this stand for "until the condition says so".
constexpr int64_t endless = INT32_MAX;

/// The trip count that a Loop's first operand gives; nothing where it gives
/// none.
std::optional<Expr> statedTrips(const Node &node) {
  const Scalar *scalar = scalarConstant(node.input(0));
  const Expr *expr = scalar ? asExpr(*scalar) : nullptr;
  if (!expr)
    return std::nullopt;
  if (expr->asSymbol())
    return *expr;
  return Expr::max(*expr, Expr(0));
}

/// Trips as far as they are known before the body was seen.
void setTripsBefore(Node &node) {
  std::optional<Expr> stated = statedTrips(node);
  std::optional<bool> enters =
      node.input(1) ? knownCondition(node.input(1)) : std::optional<bool>(true);
  if (enters == false)
    node.trips = Expr(0);
  else if (stated && stated->isConstant() && stated->isZero())
    node.trips = Expr(0);
  else if (stated && stated->isConstant() && stated->constant() == 1 && enters)
    node.trips = stated;
}

/// Trips from the count and the condition that the body computes.
void setTripsAfter(Node &node, const Graph &body, InferContext &ctx) {
  std::optional<Expr> stated = statedTrips(node);
  bool enters = !node.input(1) || knownCondition(node.input(1)) == true;
  std::optional<bool> goesOn = knownCondition(graphOutput(body, 0));
  if (goesOn == false && enters)
    stated = stated ? Expr::min(*stated, Expr(1)) : Expr(1);
  bool exact = enters && goesOn.has_value();
  if (stated && !exact && stated->isConstant() && stated->constant() >= endless)
    stated = std::nullopt;
  if (!stated) {
    node.trips = tripsSymbol(node, ctx);
    node.tripsUpperBound = false;
    return;
  }
  node.trips = stated;
  const Value *count = node.input(0);
  node.tripsUpperBound = !exact || (count && count->dataDependent);
}

} // namespace

Error inferLoop(Node &node, InferContext &ctx) {
  Graph *body = onlySubgraph(node);
  size_t numCarried = node.inputs.size() > 2 ? node.inputs.size() - 2 : 0;
  if (!body || body->inputs.size() != numCarried + 2 ||
      body->outputs.size() < numCarried + 1)
    return nodeError(node, "the body's inputs and outputs don't match the "
                           "Loop's operands");
  setTripsBefore(node);
  Value &iteration = *body->inputs[0], &condition = *body->inputs[1];
  iteration.type = scalarType(onnx::TensorProto::INT64);
  iteration.constant = isNumber(node.trips, 1) ? integerConstant(0) : nullptr;
  // Whenever the body runs, its condition was true.
  condition.type = scalarType(onnx::TensorProto::BOOL);
  condition.constant = integerConstant(1);

  CarriedList carried;
  for (size_t i = 0; i < numCarried; ++i) {
    Value *in = body->inputs[i + 2];
    const Value *out = graphOutput(*body, i + 1);
    carried.push_back({node.input(i + 2), in, out, behindIdentity(out) == in});
  }
  if (Error error = inferBody(*body, carried, node.trips, ctx))
    return error;
  if (!node.trips)
    setTripsAfter(node, *body, ctx);

  for (auto [i, output] : enumerate(node.outputs)) {
    if (!output)
      continue;
    if (i < numCarried)
      leaveBody(carried[i], node.trips, node.tripsUpperBound, *output);
    else
      setScanOutput(*output, graphOutput(*body, i + 1), node.trips,
                    node.tripsUpperBound);
  }
  return Error::success();
}

namespace {

//===----------------------------------------------------------------------===//
// Scan
//===----------------------------------------------------------------------===//

/// How a Scan's operands are laid out. Version 8 has the optional lengths of
/// the sequences first, and a batch dimension in front of everything.
struct ScanLayout {
  unsigned firstOperand;
  unsigned batchDims;
  size_t numStates, numScanned;
};

int64_t listEntry(const Node &node, StringRef attribute, size_t i) {
  auto list = node.attributeInts(attribute);
  return list && i < list->size() ? (*list)[i] : 0;
}

/// The type of one slice of a scanned operand; its length along the axis goes
/// to `length` where that isn't known yet.
ValueType sliceType(const ValueType &whole, int64_t axis, unsigned batchDims,
                    MaybeDim &length) {
  ValueType slice = whole;
  if (!whole.ranked)
    return slice;
  int64_t rank = int64_t(whole.dims.size());
  axis = axis < 0 ? axis + rank : axis + batchDims;
  if (axis < batchDims || axis >= rank) {
    setUnranked(slice);
    return slice;
  }
  // Operands of one Scan have the same length: a number says most.
  const MaybeDim &size = whole.dims[axis];
  if (size && (!length || (size->isConstant() && !length->isConstant())))
    length = size;
  slice.dims.erase(slice.dims.begin() + axis);
  if (batchDims)
    slice.dims.erase(slice.dims.begin());
  return slice;
}

ValueType withoutBatch(ValueType type, unsigned batchDims) {
  if (batchDims && type.ranked && !type.dims.empty())
    type.dims.erase(type.dims.begin());
  return type;
}

void addBatch(ValueType &type, unsigned batchDims, const MaybeDim &batch) {
  if (batchDims && type.ranked)
    type.dims.insert(type.dims.begin(), batch);
}

} // namespace

Error inferScan(Node &node, InferContext &ctx) {
  Graph *body = onlySubgraph(node);
  unsigned old = node.opsetVersion < 9 ? 1 : 0;
  ScanLayout layout{old, old, 0, 0};
  int64_t numScanned = node.attributeInt("num_scan_inputs", 0);
  int64_t numOperands = int64_t(node.inputs.size()) - old;
  if (!body || numScanned < 1 || numScanned > numOperands ||
      int64_t(body->inputs.size()) != numOperands ||
      int64_t(body->outputs.size()) < numOperands - numScanned)
    return nodeError(node, "the body's inputs and outputs don't match the "
                           "Scan's operands");
  layout.numScanned = size_t(numScanned);
  layout.numStates = size_t(numOperands - numScanned);

  MaybeDim length, batch;
  for (size_t i = 0; i < layout.numScanned; ++i) {
    const Value *operand =
        node.input(layout.firstOperand + layout.numStates + i);
    Value &element = *body->inputs[layout.numStates + i];
    if (!operand)
      continue;
    element.constant = nullptr;
    element.dataDependent = operand->dataDependent;
    element.type = sliceType(operand->type,
                             old ? 0 : listEntry(node, "scan_input_axes", i),
                             layout.batchDims, length);
    if (old && operand->type.ranked && !operand->type.dims.empty())
      batch = operand->type.dims.front();
  }
  node.trips = length ? *length : tripsSymbol(node, ctx);
  if (old && batch)
    *node.trips *= *batch;

  // Version 8's states lose their batch dimension in the body.
  std::deque<Value> states;
  CarriedList carried;
  for (size_t i = 0; i < layout.numStates; ++i) {
    const Value *initial = node.input(layout.firstOperand + i);
    if (initial && old) {
      Value &state = states.emplace_back();
      copyKnown(state, *initial);
      state.type = withoutBatch(state.type, old);
      initial = &state;
    }
    Value *in = body->inputs[i];
    const Value *out = graphOutput(*body, i);
    carried.push_back({initial, in, out, behindIdentity(out) == in});
  }
  if (Error error = inferBody(*body, carried, node.trips, ctx))
    return error;

  for (auto [i, output] : enumerate(node.outputs)) {
    if (!output)
      continue;
    if (i < layout.numStates)
      leaveBody(carried[i], node.trips, false, *output);
    else
      setScanOutput(
          *output, graphOutput(*body, i), length ? length : node.trips, false,
          old ? 0 : listEntry(node, "scan_output_axes", i - layout.numStates));
    addBatch(output->type, layout.batchDims, batch);
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// SequenceMap
//===----------------------------------------------------------------------===//

Error inferSequenceMap(Node &node, InferContext &ctx) {
  Graph *body = onlySubgraph(node);
  if (!body || body->inputs.size() != node.inputs.size())
    return nodeError(node, "the body's inputs don't match the operands");
  std::optional<Expr> length;
  for (auto [i, operand] : enumerate(node.inputs)) {
    if (!operand)
      continue;
    Value &in = *body->inputs[i];
    copyKnown(in, *operand);
    if (operand->type.kind != ValueType::Sequence)
      continue;
    in.type.kind = ValueType::Tensor;
    in.type.length.reset();
    in.constant = nullptr;
    if (!length)
      length = operand->type.length;
  }
  node.trips = length ? *length : tripsSymbol(node, ctx);
  if (isNumber(node.trips, 0))
    inferUnneeded(*body, ctx);
  else if (Error error = inferGraph(*body, ctx))
    return error;
  for (auto [i, output] : enumerate(node.outputs)) {
    const Value *element = graphOutput(*body, i);
    if (!output || !element)
      continue;
    output->type = element->type;
    output->type.kind = ValueType::Sequence;
    output->type.length = node.trips;
    output->dataDependent = element->dataDependent;
  }
  return Error::success();
}

} // namespace roofline::onnx_import
