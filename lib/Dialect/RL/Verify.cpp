//===- Verify.cpp - what rl ops must be -----------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Details.h"
#include "Equation.h"
#include "roofline/Dialect/RL/RL.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace roofline::rl {

//===----------------------------------------------------------------------===//
// Shared checks
//===----------------------------------------------------------------------===//

static LogicalResult verifyKind(Operation *op, StringRef kind,
                                ArrayRef<StringRef> known) {
  if (llvm::is_contained(known, kind))
    return success();
  return op->emitOpError() << "has the unknown kind \"" << kind
                           << "\"; known are " << llvm::join(known, ", ");
}

static LogicalResult verifyCounts(Operation *op, unsigned inputs,
                                  unsigned outputs) {
  if (op->getNumOperands() < inputs)
    return op->emitOpError() << "needs " << inputs << " input"
                             << (inputs == 1 ? "" : "s") << " at least";
  if (op->getNumResults() < outputs)
    return op->emitOpError() << "needs a result";
  return success();
}

static LogicalResult verifySizes(Operation *op, StringRef what, DimsAttr sizes,
                                 size_t count) {
  if (sizes.getSizes().size() == count)
    return success();
  return op->emitOpError() << what << " has " << sizes.getSizes().size()
                           << " sizes, not " << count;
}

/// The rank of a tensor, if it has one.
static std::optional<int64_t> rankOf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getRank();
  return std::nullopt;
}

static LogicalResult verifyWindow(Operation *op, size_t rank,
                                  ArrayRef<int64_t> strides,
                                  ArrayRef<int64_t> pads,
                                  ArrayRef<int64_t> dilations) {
  if (strides.size() != rank || dilations.size() != rank ||
      pads.size() != 2 * rank)
    return op->emitOpError()
           << "needs one stride and dilation and two pads for each of its "
           << rank << " spatial dimensions";
  auto positive = [](int64_t size) { return size > 0; };
  if (!llvm::all_of(strides, positive) || !llvm::all_of(dilations, positive))
    return op->emitOpError() << "strides and dilations are 1 and more";
  return success();
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

LogicalResult ContractOp::verify() {
  std::optional<Equation> equation = Equation::parse(getEquation());
  if (!equation)
    return emitOpError() << "equation \"" << getEquation()
                         << "\" isn't of the form \"mk,kn->mn\"";
  if (equation->factors.size() != getFactors().size())
    return emitOpError() << "equation has " << equation->factors.size()
                         << " factors, the op " << getFactors().size();
  if (getFactorTypes() && getFactorTypes()->size() != getFactors().size())
    return emitOpError() << "factor_types are as many as factors";
  std::string labels;
  int64_t sizes[128];
  std::fill(std::begin(sizes), std::end(sizes), 1);
  for (auto [i, factor] : llvm::enumerate(equation->factors)) {
    Type type = getFactorTypes()
                    ? cast<TypeAttr>((*getFactorTypes())[i]).getValue()
                    : getFactors()[i].getType();
    labels += factor;
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      continue;
    if (tensor.getRank() != static_cast<int64_t>(factor.size()))
      return emitOpError() << "factor " << i << " has rank " << tensor.getRank()
                           << ", its labels are \"" << factor << '"';
    for (auto [label, size] : llvm::zip(factor, tensor.getShape())) {
      int64_t &known = sizes[static_cast<unsigned char>(label)];
      if (ShapedType::isDynamic(size) || size == 1 || size == known)
        continue;
      if (known != 1)
        return emitOpError() << "label '" << label << "' has sizes " << known
                             << " and " << size;
      known = size;
    }
  }
  for (char label : equation->result)
    if (!StringRef(labels).contains(label))
      return emitOpError() << "no factor has the result's label '" << label
                           << '\'';
  std::optional<int64_t> rank = rankOf(getOutput().getType());
  if (rank && *rank != static_cast<int64_t>(equation->result.size()))
    return emitOpError() << "result has rank " << *rank << ", its labels are \""
                         << equation->result << '"';
  return success();
}

LogicalResult ConvOp::verify() {
  std::optional<int64_t> input = rankOf(getInput().getType());
  std::optional<int64_t> filter = rankOf(getFilter().getType());
  if (input && *input < 3)
    return emitOpError() << "input has rank " << *input
                         << "; it needs a batch, a channel and a spatial "
                            "dimension at least";
  if (input && filter && *input != *filter)
    return emitOpError() << "input has rank " << *input << ", filter "
                         << *filter;
  if (static_cast<int64_t>(getGroup()) < 1)
    return emitOpError() << "group is 1 and more";
  size_t spatial = input ? *input - 2 : getStrides().size();
  return verifyWindow(*this, spatial, getStrides(), getPads(), getDilations());
}

LogicalResult AttentionOp::verify() {
  if (failed(verifyCounts(*this, 1, 1)) ||
      failed(verifySizes(*this, "extents", getExtents(), 7)))
    return failure();
  auto areBelow = [](std::optional<ArrayRef<int64_t>> numbers, int64_t count) {
    return llvm::all_of(numbers.value_or(ArrayRef<int64_t>()),
                        [&](int64_t n) { return n >= 0 && n < count; });
  };
  if (!areBelow(getCacheOperands(), getNumOperands()))
    return emitOpError() << "cache_operands number operands it doesn't have";
  if (!areBelow(getCacheResults(), getNumResults()))
    return emitOpError() << "cache_results number results it doesn't have";
  if (getProjection())
    return verifySizes(*this, "projection", *getProjection(), 3);
  return success();
}

LogicalResult RecurrentOp::verify() {
  if (failed(verifyKind(*this, getKind(), {"lstm", "gru", "rnn"})) ||
      failed(verifyCounts(*this, 1, 1)))
    return failure();
  return verifySizes(*this, "extents", getExtents(), 5);
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

LogicalResult MapOp::verify() {
  if (failed(verifyCounts(*this, 1, 1)))
    return failure();
  if (!getBody() && !elementwiseCost(getKind(), getInputs().size()))
    return emitOpError() << "has the unknown kind \"" << getKind()
                         << "\" and no body that says what it costs";
  return success();
}

LogicalResult QuantizeOp::verify() {
  if (failed(verifyCounts(*this, 1, 1)))
    return failure();
  return verifyKind(*this, getKind(), {"quantize", "dequantize", "dynamic"});
}

LogicalResult ResizeOp::verify() {
  if (failed(verifyCounts(*this, 1, 1)))
    return failure();
  int64_t dims = getSampledDims();
  if (dims < 0 || dims > 16)
    return emitOpError() << "resizes " << dims << " dimensions; 0 to 16 can be";
  if (static_cast<int64_t>(getSamples()) < 1)
    return emitOpError() << "samples are 1 and more";
  return verifyKind(*this, getKind(), {"nearest", "linear", "cubic"});
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

LogicalResult ReduceOp::verify() {
  if (failed(verifyCounts(*this, 1, 1)))
    return failure();
  if (std::optional<int64_t> rank = rankOf(getInputs().front().getType()))
    for (int64_t axis : getAxes())
      if (axis < 0 || axis >= *rank)
        return emitOpError()
               << "axis " << axis << " is not in a tensor of rank " << *rank;
  return verifyKind(*this, getKind(),
                    {"sum", "max", "min", "prod", "mean", "argmax", "argmin",
                     "any", "all", "l1", "l2", "sum_square", "log_sum",
                     "log_sum_exp"});
}

LogicalResult CumulateOp::verify() {
  if (failed(verifyCounts(*this, 1, 1)))
    return failure();
  return verifyKind(*this, getKind(), {"sum", "prod"});
}

LogicalResult SoftmaxOp::verify() {
  if (failed(verifyCounts(*this, 1, 1)))
    return failure();
  std::optional<int64_t> rank = rankOf(getInputs().front().getType());
  int64_t axis = getAxis();
  if (rank && (axis < 0 || axis >= std::max<int64_t>(*rank, 1)))
    return emitOpError() << "axis " << axis << " is not in a tensor of rank "
                         << *rank;
  return verifyKind(*this, getKind(), {"softmax", "log_softmax", "hardmax"});
}

LogicalResult NormOp::verify() {
  if (failed(verifyCounts(*this, 1, 1)) ||
      failed(verifyKind(*this, getKind(),
                        {"layer", "rms", "instance", "group", "mean_variance",
                         "lp", "batch", "local_response"})))
    return failure();
  if (static_cast<int64_t>(getResiduals()) < 0 ||
      static_cast<int64_t>(getSize()) < 0)
    return emitOpError() << "residuals and size are 0 and more";
  if (getRow())
    return verifySizes(*this, "row", *getRow(), 1);
  return success();
}

LogicalResult PoolOp::verify() {
  if (failed(verifyCounts(*this, 1, 1)) ||
      failed(verifyKind(*this, getKind(), {"average", "max", "lp"})))
    return failure();
  for (int64_t size : getKernel())
    if (size < 1 || size > (int64_t(1) << 20))
      return emitOpError() << "kernel size " << size
                           << " is out of range (1 to 2^20)";
  return verifyWindow(*this, getKernel().size(), getStrides(), getPads(),
                      getDilations());
}

LogicalResult TopKOp::verify() {
  if (failed(verifyCounts(*this, 1, 1)))
    return failure();
  std::optional<int64_t> rank = rankOf(getInputs().front().getType());
  int64_t axis = getAxis();
  if (rank && (axis < 0 || axis >= std::max<int64_t>(*rank, 1)))
    return emitOpError() << "axis " << axis << " is not in a tensor of rank "
                         << *rank;
  return success();
}

LogicalResult FilterOp::verify() {
  if (failed(verifyCounts(*this, 1, 1)))
    return failure();
  return verifyKind(*this, getKind(), {"nonzero", "compress", "unique", "nms"});
}

LogicalResult FFTOp::verify() {
  if (failed(verifyCounts(*this, 1, 1)) ||
      failed(verifySizes(*this, "length", getLength(), 1)) ||
      failed(verifySizes(*this, "count", getCount(), 1)))
    return failure();
  return verifyKind(*this, getKind(), {"dft", "stft"});
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

LogicalResult ViewOp::verify() { return verifyCounts(*this, 1, 1); }
LogicalResult CopyOp::verify() { return verifyCounts(*this, 1, 1); }
LogicalResult GatherOp::verify() {
  if (failed(verifyCounts(*this, 1, 1)))
    return failure();
  return verifyKind(*this, getKind(), {"rows", "elements", "nd"});
}
LogicalResult ScatterOp::verify() {
  if (failed(verifyCounts(*this, 2, 1)))
    return failure();
  return verifyKind(*this, getKind(), {"none", "add", "mul", "min", "max"});
}
LogicalResult GenerateOp::verify() { return verifyCounts(*this, 0, 1); }
LogicalResult SequenceOp::verify() { return success(); }

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static LogicalResult verifyYield(Operation *op, Region &region) {
  Operation *yield = region.front().getTerminator();
  if (yield->getNumOperands() == op->getNumResults())
    return success();
  return op->emitOpError() << "has " << op->getNumResults()
                           << " results, a region yields "
                           << yield->getNumOperands();
}

LogicalResult IfOp::verify() {
  if (getTaken() && *getTaken() > 1)
    return emitOpError() << "takes region 0 or 1, not "
                         << static_cast<int64_t>(*getTaken());
  if (failed(verifyYield(*this, getThenRegion())))
    return failure();
  return verifyYield(*this, getElseRegion());
}

LogicalResult LoopOp::verify() {
  if (failed(verifySizes(*this, "trips", getTrips(), 1)))
    return failure();
  if (getBody().getNumArguments() != getInits().size() + 1)
    return emitOpError() << "has " << getInits().size()
                         << " inits; its region takes the iteration number and "
                            "one argument for each, not "
                         << getBody().getNumArguments();
  return verifyYield(*this, getBody());
}

LogicalResult FusedOp::verify() { return verifyYield(*this, getBody()); }

} // namespace roofline::rl
