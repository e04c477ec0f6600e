//===- Lowering.cpp - what a lowering rule may do -------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace roofline::lowering {

Type loweredElement(Type element) {
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerType::get(element.getContext(), integer.getWidth());
  if (isa<FloatType, ComplexType>(element))
    return element;
  return {};
}

RankedTensorType loweredType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return {};
  Type element = loweredElement(tensor.getElementType());
  return element ? RankedTensorType::get(tensor.getShape(), element)
                 : RankedTensorType();
}

Lowering::Lowering(OpBuilder &b, Operation *op, IRMapping &values,
                   const LoweringOptions &options)
    : b(b), loc(op->getLoc()), op(op), options(options),
      node(op->getAttrOfType<DictionaryAttr>(rl::onnxAttrName)),
      values(values) {
  if (isa<rl::FusedOp>(op))
    getUsedValuesDefinedAbove(op->getRegions(), captured);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// The op's operand that is the node's operand `i`.
std::optional<unsigned> Lowering::position(unsigned i) const {
  if (!node)
    return i < op->getNumOperands() ? std::optional(i) : std::nullopt;
  auto numbers = node.getAs<DenseI64ArrayAttr>("operands");
  if (!numbers)
    return std::nullopt;
  for (auto [position, number] : llvm::enumerate(numbers.asArrayRef()))
    if (number == int64_t(i) && position < op->getNumOperands())
      return position;
  return std::nullopt;
}

Value Lowering::source(unsigned i) const {
  if (auto captures = node ? node.getAs<DenseI64ArrayAttr>("captures")
                           : DenseI64ArrayAttr()) {
    bool isThere = i < captures.size() && captures[i] >= 0 &&
                   captures[i] < int64_t(captured.size());
    return isThere ? captured[captures[i]] : Value();
  }
  std::optional<unsigned> at = position(i);
  return at ? op->getOperand(*at) : Value();
}

Value Lowering::operand(unsigned i) const {
  Value value = source(i);
  return value ? values.lookupOrNull(value) : Value();
}

unsigned Lowering::numOperands() const {
  if (!node)
    return op->getNumOperands();
  unsigned count = 0;
  if (auto numbers = node.getAs<DenseI64ArrayAttr>("operands"))
    for (int64_t number : numbers.asArrayRef())
      count = std::max<unsigned>(count, number + 1);
  if (auto captures = node.getAs<DenseI64ArrayAttr>("captures"))
    count = captures.size();
  return count;
}

Values Lowering::operands() const {
  Values present;
  for (unsigned i = 0, n = numOperands(); i < n; ++i)
    if (Value value = operand(i))
      present.push_back(value);
  return present;
}

RankedTensorType Lowering::operandType(unsigned i) const {
  Value value = operand(i);
  return value ? dyn_cast<RankedTensorType>(value.getType())
               : RankedTensorType();
}

Type Lowering::elementType(unsigned i) const {
  Value value = source(i);
  return value ? getElementTypeOrSelf(value.getType()) : Type();
}

static bool isUnsignedType(Type type) {
  return type && (type.isUnsignedInteger() || type.isInteger(1));
}

bool Lowering::isUnsigned(unsigned i) const {
  return isUnsignedType(elementType(i));
}

DenseElementsAttr Lowering::constant(unsigned i) const {
  if (Value value = source(i)) {
    Operation *producer = value.getDefiningOp();
    if (producer && producer->hasAttr(rl::valueAttrName))
      return producer->getAttrOfType<DenseElementsAttr>(rl::valueAttrName);
  }
  auto constants =
      node ? node.getAs<DictionaryAttr>("constants") : DictionaryAttr();
  return constants ? constants.getAs<DenseElementsAttr>(std::to_string(i))
                   : DenseElementsAttr();
}

std::optional<Ints> Lowering::constantInts(unsigned i) const {
  DenseElementsAttr elements = constant(i);
  if (!elements || !elements.getElementType().isInteger())
    return std::nullopt;
  Ints result;
  for (const APInt &element : elements.getValues<APInt>())
    result.push_back(element.getBitWidth() == 1 || isUnsigned(i)
                         ? int64_t(element.getZExtValue())
                         : element.getSExtValue());
  return result;
}

std::optional<SmallVector<double, 4>>
Lowering::constantReals(unsigned i) const {
  DenseElementsAttr elements = constant(i);
  if (!elements || !isa<FloatType>(elements.getElementType()))
    return std::nullopt;
  SmallVector<double, 4> result;
  for (const APFloat &element : elements.getValues<APFloat>())
    result.push_back(rl::toDouble(element));
  return result;
}

//===----------------------------------------------------------------------===//
// Attributes of the node
//===----------------------------------------------------------------------===//

Attribute Lowering::attribute(StringRef name) const {
  auto attributes =
      node ? node.getAs<DictionaryAttr>("attributes") : DictionaryAttr();
  return attributes ? attributes.get(name) : Attribute();
}

int64_t Lowering::integer(StringRef name, int64_t otherwise) const {
  auto value = dyn_cast_or_null<IntegerAttr>(attribute(name));
  return value ? value.getInt() : otherwise;
}

double Lowering::real(StringRef name, double otherwise) const {
  auto value = dyn_cast_or_null<FloatAttr>(attribute(name));
  return value ? value.getValueAsDouble() : otherwise;
}

StringRef Lowering::text(StringRef name, StringRef otherwise) const {
  auto value = dyn_cast_or_null<StringAttr>(attribute(name));
  return value ? value.getValue() : otherwise;
}

std::optional<Ints> Lowering::integers(StringRef name) const {
  auto value = dyn_cast_or_null<DenseI64ArrayAttr>(attribute(name));
  return value ? std::optional(Ints(value.asArrayRef())) : std::nullopt;
}

int64_t Lowering::opset() const {
  auto value = node ? node.getAs<IntegerAttr>("opset") : IntegerAttr();
  return value && value.getInt() > 0 ? value.getInt() : 1 << 20;
}

StringRef Lowering::kind() const {
  auto value = op->getAttrOfType<StringAttr>("kind");
  return value ? value.getValue() : StringRef();
}

StringRef Lowering::opType() const {
  auto value = op->getAttrOfType<StringAttr>(rl::opTypeAttrName);
  return value ? value.getValue() : kind();
}

bool Lowering::isMicrosoft() const {
  auto domain = op->getAttrOfType<StringAttr>(rl::domainAttrName);
  return domain && domain.getValue() == "com.microsoft";
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

RankedTensorType Lowering::resultType(unsigned i) const {
  return i < numResults() ? loweredType(op->getResult(i).getType())
                          : RankedTensorType();
}

Type Lowering::resultElement(unsigned i) const {
  return getElementTypeOrSelf(op->getResult(i).getType());
}

unsigned Lowering::resultNumber(unsigned i) const {
  auto numbers =
      node ? node.getAs<DenseI64ArrayAttr>("results") : DenseI64ArrayAttr();
  return numbers && i < numbers.size() ? numbers[i] : i;
}

std::string described(StringRef name, Value value) {
  if (!value)
    return ("no " + name).str();
  std::string text;
  llvm::raw_string_ostream(text) << name << " " << value.getType();
  return text;
}

std::string Lowering::operandList(ArrayRef<StringRef> names) const {
  SmallVector<std::string> parts;
  for (auto [i, name] : llvm::enumerate(names))
    if (!name.empty())
      parts.push_back(described(name, operand(i)));
  return llvm::join(parts, ", ");
}

LogicalResult Lowering::unsupported(const Twine &why) const {
  return op->emitError("can't be lowered: ") << why;
}

} // namespace roofline::lowering
