//===- FusionRoles.cpp - what part an op can play in a kernel -------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fusion.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "roofline/Dialect/RL/RL.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace roofline::fusion {

//===----------------------------------------------------------------------===//
// Ops of other dialects, by name
//===----------------------------------------------------------------------===//

static bool isNamedElementwise(StringRef name) {
  static const llvm::StringSet<> names = {
      // tosa
      "tosa.abs", "tosa.add", "tosa.arithmetic_right_shift", "tosa.bitwise_and",
      "tosa.bitwise_not", "tosa.bitwise_or", "tosa.bitwise_xor", "tosa.cast",
      "tosa.ceil", "tosa.clamp", "tosa.clz", "tosa.cos", "tosa.equal",
      "tosa.erf", "tosa.exp", "tosa.floor", "tosa.greater",
      "tosa.greater_equal", "tosa.intdiv", "tosa.log", "tosa.logical_and",
      "tosa.logical_left_shift", "tosa.logical_not", "tosa.logical_or",
      "tosa.logical_right_shift", "tosa.logical_xor", "tosa.maximum",
      "tosa.minimum", "tosa.mul", "tosa.negate", "tosa.pow", "tosa.reciprocal",
      "tosa.rescale", "tosa.rsqrt", "tosa.select", "tosa.sigmoid", "tosa.sin",
      "tosa.sub", "tosa.tanh",
      // linalg
      "linalg.abs", "linalg.add", "linalg.broadcast", "linalg.ceil",
      "linalg.copy", "linalg.div", "linalg.div_unsigned", "linalg.erf",
      "linalg.exp", "linalg.floor", "linalg.log", "linalg.map", "linalg.max",
      "linalg.min", "linalg.mul", "linalg.negf", "linalg.powf",
      "linalg.reciprocal", "linalg.round", "linalg.rsqrt", "linalg.select",
      "linalg.sqrt", "linalg.square", "linalg.sub", "linalg.tanh"};
  return names.contains(name);
}

static bool isNamedReduction(StringRef name) {
  return name.starts_with("tosa.reduce_") || name == "tosa.argmax" ||
         name == "linalg.reduce";
}

//===----------------------------------------------------------------------===//
// Ops with indexing maps
//===----------------------------------------------------------------------===//

/// The maps of a linalg op that states them, operands first; none else.
static SmallVector<AffineMap> indexingMaps(Operation *op) {
  SmallVector<AffineMap> maps;
  auto attr = op->getAttrOfType<ArrayAttr>("indexing_maps");
  if (!attr || attr.size() != op->getNumOperands())
    return maps;
  for (Attribute map : attr)
    if (auto affine = dyn_cast<AffineMapAttr>(map))
      maps.push_back(affine.getValue());
  return maps.size() == attr.size() ? maps : SmallVector<AffineMap>();
}

/// Whether a region uses tensors from outside: a gather in disguise.
static bool capturesTensors(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        for (Value operand : inner.getOperands())
          if (isa<ShapedType>(operand.getType()))
            return true;
  return false;
}

/// A result whose map permutes all loops leaves none to reduce over.
static Part classifyByMaps(Operation *op) {
  SmallVector<AffineMap> maps = indexingMaps(op);
  unsigned results = op->getNumResults();
  if (maps.empty() || results == 0 || capturesTensors(op))
    return Part::None;
  ArrayRef<AffineMap> outs = ArrayRef<AffineMap>(maps).take_back(results);
  if (!llvm::all_equal(outs))
    return Part::None;
  AffineMap out = outs.front();
  if (out.isPermutation()) {
    // Each operand is read in place or broadcast: no windows, no strides.
    bool inPlace = llvm::all_of(maps, [](AffineMap map) {
      return map.isProjectedPermutation(/*allowZeroInResults=*/true);
    });
    return inPlace ? Part::Elementwise : Part::None;
  }
  bool reducesOne = results == 1 && maps.size() == 2 && maps[0].isIdentity() &&
                    out.isProjectedPermutation(/*allowZeroInResults=*/true);
  return reducesOne ? Part::Reduction : Part::None;
}

bool readsInOrder(Operation *op, unsigned operand) {
  SmallVector<AffineMap> maps = indexingMaps(op);
  if (maps.empty())
    return true;
  AffineMap out = maps.back();
  return out.isPermutation() ? maps[operand] == out
                             : maps[operand].isIdentity();
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

static Part classifyNorm(StringRef kind) {
  if (kind == "batch") // a scale and a shift, folded
    return Part::Elementwise;
  return kind == "local_response" ? Part::None : Part::Norm;
}

static Part classifyForeign(const CostRow &row) {
  Operation *op = row.op;
  StringRef name = op->getName().getStringRef();
  for (const Flops &flops : row.work.flops)
    if (flops.cls == ComputeClass::Matmul)
      return op->getNumResults() == 1 ? Part::Contraction : Part::None;
  if (isNamedElementwise(name))
    return capturesTensors(op) ? Part::None : Part::Elementwise;
  if (isNamedReduction(name))
    return op->getNumResults() == 1 ? Part::Reduction : Part::None;
  if (name == "linalg.softmax")
    return Part::Softmax;
  if (name == "linalg.generic" || name == "linalg.elementwise")
    return classifyByMaps(op);
  if (op->hasTrait<OpTrait::Elementwise>())
    return Part::Elementwise;
  return Part::None;
}

Part classify(const CostRow &row) {
  Operation *op = row.op;
  if (row.opaque || op->getNumResults() == 0 ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return Part::None;
  if (op->getName().getDialectNamespace() != "rl")
    return classifyForeign(row);
  return llvm::TypeSwitch<Operation *, Part>(op)
      .Case([](rl::MapOp map) {
        // A rotary embedding pairs elements that stand apart.
        return map.getKind() == "rotary_embedding" ? Part::None
                                                   : Part::Elementwise;
      })
      .Case([](rl::QuantizeOp quantize) {
        // A dynamic one needs the whole tensor's range first.
        return quantize.getKind() == "dynamic" ? Part::None : Part::Elementwise;
      })
      .Case([](rl::CopyOp copy) {
        return copy.getKind() == "expand" ? Part::Elementwise : Part::None;
      })
      .Case([](rl::NormOp norm) { return classifyNorm(norm.getKind()); })
      .Case([](rl::SoftmaxOp) { return Part::Softmax; })
      .Case([](rl::ReduceOp) { return Part::Reduction; })
      .Case([](rl::ContractOp contract) {
        return contract.getFactors().size() > 1 ? Part::Contraction
                                                : Part::None;
      })
      .Case([](rl::ConvOp) { return Part::Contraction; })
      .Default([](Operation *) { return Part::None; });
}

bool isTranspose(Operation *op) {
  if (auto copy = dyn_cast<rl::CopyOp>(op))
    return copy.getKind() == "transpose";
  StringRef name = op->getName().getStringRef();
  return name == "linalg.transpose" || name == "tosa.transpose";
}

} // namespace roofline::fusion
