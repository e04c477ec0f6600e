//===- CostContext.cpp - what a cost model may ask about values -----------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Interfaces/CostContext.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace roofline {

CostContext::~CostContext() = default;

/// Whether a value has bytes of its own: tensors and memrefs, and anything a
/// dialect puts in a tensor's place (sequences), but not scalars.
static bool isStored(Type type) { return !type.isIntOrIndexOrFloat(); }

std::optional<Expr> CostContext::numElements(Value value) const {
  // Most shapes are numbers, and this is asked most often.
  if (auto tensor = dyn_cast<RankedTensorType>(value.getType());
      tensor && tensor.hasStaticShape()) {
    Int count(1);
    for (int64_t size : tensor.getShape())
      count *= Int(size);
    return Expr(count);
  }
  std::optional<Dims> shape = dims(value);
  if (!shape)
    return std::nullopt;
  return roofline::numElements(*shape);
}

std::optional<Expr> CostContext::bytes(Value value) const {
  std::optional<Expr> count = numElements(value);
  if (!count)
    return std::nullopt;
  return packedBytes(*count, elementType(value.getType()));
}

void CostContext::readOperand(Work &work, Operation *op, unsigned index,
                              std::optional<Expr> bytes) const {
  Value operand = op->getOperand(index);
  if (!isStored(operand.getType()))
    return;
  for (unsigned i = 0; i < index; ++i)
    if (op->getOperand(i) == operand)
      return;
  work.read(index, std::move(bytes), role(operand));
}

void CostContext::readOperand(Work &work, Operation *op, unsigned index) const {
  readOperand(work, op, index, bytes(op->getOperand(index)));
}

void CostContext::readOperands(Work &work, Operation *op) const {
  // Each operand is compared with those before it; a concat of thousands isn't.
  constexpr unsigned few = 16;
  if (op->getNumOperands() <= few) {
    for (unsigned i = 0, e = op->getNumOperands(); i < e; ++i)
      readOperand(work, op, i);
    return;
  }
  llvm::SmallPtrSet<Value, 2 * few> seen;
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (isStored(operand.getType()) && seen.insert(operand).second)
      work.read(i, bytes(operand), role(operand));
}

void CostContext::writeResults(Work &work, Operation *op) const {
  for (OpResult result : op->getResults())
    if (isStored(result.getType()))
      work.write(result.getResultNumber(), bytes(result), role(result));
}

static ElementType ofInteger(IntegerType type) {
  bool isUnsigned = type.isUnsigned();
  switch (type.getWidth()) {
  case 1:
    return ElementType::Bool;
  case 2:
    return isUnsigned ? ElementType::U2 : ElementType::I2;
  case 4:
    return isUnsigned ? ElementType::U4 : ElementType::I4;
  case 8:
    return isUnsigned ? ElementType::U8 : ElementType::I8;
  case 16:
    return isUnsigned ? ElementType::U16 : ElementType::I16;
  case 32:
    return isUnsigned ? ElementType::U32 : ElementType::I32;
  case 64:
    return isUnsigned ? ElementType::U64 : ElementType::I64;
  }
  // An accumulator of odd width (TOSA's i48) counts as the next wider type.
  if (type.getWidth() < 64)
    return type.getWidth() < 8    ? ElementType::I8
           : type.getWidth() < 16 ? ElementType::I16
           : type.getWidth() < 32 ? ElementType::I32
                                  : ElementType::I64;
  return ElementType::Unknown;
}

static ElementType ofComplex(ComplexType type) {
  if (type.getElementType().isF32())
    return ElementType::C64;
  return type.getElementType().isF64() ? ElementType::C128
                                       : ElementType::Unknown;
}

ElementType elementType(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    type = shaped.getElementType();
  return TypeSwitch<Type, ElementType>(type)
      .Case<Float32Type>([](Type) { return ElementType::F32; })
      .Case<Float16Type>([](Type) { return ElementType::F16; })
      .Case<BFloat16Type>([](Type) { return ElementType::BF16; })
      .Case<Float64Type>([](Type) { return ElementType::F64; })
      .Case<IntegerType>(ofInteger)
      .Case<IndexType>([](Type) { return ElementType::Index; })
      .Case<FloatTF32Type>([](Type) { return ElementType::TF32; })
      .Case<Float8E4M3Type, Float8E4M3FNType, Float8E4M3FNUZType,
            Float8E4M3B11FNUZType, Float8E3M4Type>(
          [](Type) { return ElementType::F8E4M3; })
      .Case<Float8E5M2Type, Float8E5M2FNUZType>(
          [](Type) { return ElementType::F8E5M2; })
      .Case<Float8E8M0FNUType>([](Type) { return ElementType::F8E8M0; })
      .Case<Float6E2M3FNType>([](Type) { return ElementType::F6E2M3; })
      .Case<Float6E3M2FNType>([](Type) { return ElementType::F6E3M2; })
      .Case<Float4E2M1FNType>([](Type) { return ElementType::F4E2M1; })
      .Case<ComplexType>(ofComplex)
      .Default([](Type t) {
        return t.getDialect().getNamespace() == "rl" &&
                       t.getAbstractType().getName() == "rl.string"
                   ? ElementType::String
                   : ElementType::Unknown;
      });
}

} // namespace roofline
