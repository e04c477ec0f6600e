//===- Lowering.h - what a lowering rule may do -----------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rule turns one rl op into linalg on tensors. Operands are numbered as the
// node in the model numbers them (`rl.onnx`), or as the op does where it
// carries no node. All tensors that a rule sees and builds have static shapes
// and signless elements; what the sign or the original type was, `elementType`
// tells.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_RLTOLINALG_LOWERING_H
#define ROOFLINE_LIB_CONVERSION_RLTOLINALG_LOWERING_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IRMapping.h"
#include "roofline/Dialect/RL/RL.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace roofline::lowering {

using Ints = llvm::SmallVector<int64_t, 4>;
using Values = llvm::SmallVector<mlir::Value, 2>;

/// A type as lowered code has it: static, signless, without encoding; null
/// where there is none such.
mlir::RankedTensorType loweredType(mlir::Type type);
mlir::Type loweredElement(mlir::Type element);

/// A value by name and type, for errors: "X tensor<2x3xf32>", "no X".
std::string described(llvm::StringRef name, mlir::Value value);

/// What the pass's options say.
struct LoweringOptions {
  /// Attention keeps a block of its scores, not all of them.
  bool attentionByBlocks = true;
};

class Lowering {
public:
  Lowering(mlir::OpBuilder &b, mlir::Operation *op, mlir::IRMapping &values,
           const LoweringOptions &options);

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Operation *op;
  const LoweringOptions &options;

  // --- Operands
  // ---------------------------------------------------------------

  /// The lowered tensor, null where the node has no such operand or it only
  /// states a shape.
  mlir::Value operand(unsigned i) const;
  /// One more than the highest operand that is there.
  unsigned numOperands() const;
  /// The operands that are there, in order.
  Values operands() const;
  mlir::RankedTensorType operandType(unsigned i) const;
  /// What a value of the model became, null where it wasn't lowered.
  mlir::Value lowered(mlir::Value value) const {
    return values.lookupOrNull(value);
  }
  /// The operand's element type in the model: `ui8` where the tensor has `i8`.
  mlir::Type elementType(unsigned i) const;
  bool isUnsigned(unsigned i) const;
  /// The elements of an operand that is a constant, else null.
  mlir::DenseElementsAttr constant(unsigned i) const;
  std::optional<Ints> constantInts(unsigned i) const;
  std::optional<llvm::SmallVector<double, 4>> constantReals(unsigned i) const;

  // --- Attributes of the node
  // ---------------------------------------------------

  mlir::Attribute attribute(llvm::StringRef name) const;
  int64_t integer(llvm::StringRef name, int64_t otherwise) const;
  double real(llvm::StringRef name, double otherwise) const;
  llvm::StringRef text(llvm::StringRef name, llvm::StringRef otherwise) const;
  std::optional<Ints> integers(llvm::StringRef name) const;
  /// The version of the op's domain; a large number where nothing tells.
  int64_t opset() const;
  /// The op's type in the model, its `kind` without.
  llvm::StringRef opType() const;
  llvm::StringRef kind() const;
  /// Whether the op is one of onnxruntime's.
  bool isMicrosoft() const;

  // --- Results
  // --------------------------------------------------------------------

  unsigned numResults() const { return op->getNumResults(); }
  /// Null where the type can't be lowered.
  mlir::RankedTensorType resultType(unsigned i = 0) const;
  mlir::Type resultElement(unsigned i = 0) const;
  /// Which of the node's outputs a result is.
  unsigned resultNumber(unsigned i) const;

  // --- Regions
  // --------------------------------------------------------------------

  /// Lowers the ops of a region at the insertion point; what it yields.
  /// `arguments` stand for the region's.
  llvm::FailureOr<Values> lowerRegion(mlir::Region &region,
                                      mlir::ValueRange arguments);

  /// The first operands under the names given, for `unsupported`:
  /// "X tensor<2x3xf32>, no bias". Those without a name are left out.
  std::string operandList(llvm::ArrayRef<llvm::StringRef> names) const;

  /// Says why the op isn't lowered.
  mlir::LogicalResult unsupported(const llvm::Twine &why) const;

private:
  std::optional<unsigned> position(unsigned i) const;
  /// The value of the model that is the node's operand `i`, null where there is
  /// none.
  mlir::Value source(unsigned i) const;
  mlir::DictionaryAttr node;
  mlir::IRMapping &values;
  /// Of a fused op: what its region uses.
  llvm::SetVector<mlir::Value> captured;
};

/// Builds what replaces the op: one value per result.
using Rule = llvm::FailureOr<Values> (*)(Lowering &);

/// Rules by the op's name ("rl.map"), or name and kind ("rl.copy:slice"), or
/// name and type in the model ("rl.resize:GridSample"); what says more comes
/// first. Each file of rules has one function that adds its own;
/// Rules.cpp lists them.
using RuleTable = llvm::StringMap<Rule>;
const RuleTable &rules();

/// The lowering of one op, recursively of its region; says why not.
llvm::FailureOr<Values> lowerOp(mlir::OpBuilder &b, mlir::Operation *op,
                                mlir::IRMapping &values,
                                const LoweringOptions &options);

} // namespace roofline::lowering

#endif // ROOFLINE_LIB_CONVERSION_RLTOLINALG_LOWERING_H
