//===- RL.h - the rl dialect ------------------------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_DIALECT_RL_RL_H
#define ROOFLINE_DIALECT_RL_RL_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "roofline/Cost/Work.h"
#include "roofline/Interfaces/CostOpInterface.h"
#include "roofline/Interfaces/DimsAttrInterface.h"

#include "roofline/Dialect/RL/RLDialect.h.inc"

namespace roofline::rl {
namespace detail {
struct DimsAttrStorage;
struct WorkAttrStorage;
} // namespace detail

/// Discardable attributes that any op may carry.
constexpr llvm::StringLiteral opTypeAttrName = "rl.op_type";
constexpr llvm::StringLiteral domainAttrName = "rl.domain";
/// On an op with a region: the names of the region's arguments.
constexpr llvm::StringLiteral argumentNamesAttrName = "rl.argument_names";
constexpr llvm::StringLiteral scopeAttrName = "rl.scope";
constexpr llvm::StringLiteral workAttrName = "rl.work";
/// How often `rl-count-cost` found an op to run (`#rl.dims` with one entry).
constexpr llvm::StringLiteral timesAttrName = "rl.times";
/// On a loop whose trip count nothing tells: how often its region runs
/// (`#rl.dims` with one entry).
constexpr llvm::StringLiteral tripsAttrName = "rl.trips";
constexpr llvm::StringLiteral placementAttrName = "rl.placement";
/// On an op: a size was taken at its upper bound, since data decides it.
constexpr llvm::StringLiteral dataDependentAttrName = "rl.data_dependent";
/// The number of the fusion group that an op is in, and on its function what
/// each group saves: put there by `rl-mark-fusion`.
constexpr llvm::StringLiteral fusionGroupAttrName = "rl.fusion_group";
constexpr llvm::StringLiteral fusionGroupsAttrName = "rl.fusion_groups";
/// On an op imported for execution: what its node in the model says. A
/// dictionary of `operands` (which of the node's operands each operand is),
/// `results` (likewise), `constants` (by the operand's number, of those that
/// are known and whose elements no operand here carries), `attributes` and
/// `opset`. A fused op has no operands: `captures` says for each of the node's
/// which of the values its region uses it is, in the order of
/// getUsedValuesDefinedAbove, or -1.
constexpr llvm::StringLiteral onnxAttrName = "rl.onnx";
/// On a weight or a fill: its elements.
constexpr llvm::StringLiteral valueAttrName = "rl.value";
/// On a function's argument: its name in the model; its dimensions; its role.
constexpr llvm::StringLiteral nameAttrName = "rl.name";
constexpr llvm::StringLiteral dimsAttrName = "rl.dims";
constexpr llvm::StringLiteral roleAttrName = "rl.role";
/// On the module: what the model file says of itself (ModelInfo below).
constexpr llvm::StringLiteral modelAttrName = "rl.model";
} // namespace roofline::rl

#define GET_TYPEDEF_CLASSES
#include "roofline/Dialect/RL/RLTypes.h.inc"

namespace roofline::rl::detail {
struct NodeLocAttrStorage; // lib/Dialect/RL/NodeLocStorage.h
} // namespace roofline::rl::detail

#define GET_ATTRDEF_CLASSES
#include "roofline/Dialect/RL/RLAttributes.h.inc"

#define GET_OP_CLASSES
#include "roofline/Dialect/RL/RLOps.h.inc"

namespace roofline::rl {

/// The name of the node at a location, of `#rl.node` or of a NameLoc; "" where
/// it has none.
llvm::StringRef nodeName(mlir::Location loc);

/// What `#rl.node` calls an op's result; nothing where it says nothing.
std::optional<llvm::StringRef> resultName(mlir::OpResult result);

/// The number that all elements are; nothing for null, for elements that differ
/// and for such that aren't real.
std::optional<double> splatNumber(mlir::DenseElementsAttr elements);
/// The same for a constant (`rl.value`); nothing for other values.
std::optional<double> splatNumber(mlir::Value value);
/// The nearest f64.
double toDouble(llvm::APFloat number);

} // namespace roofline::rl

#endif // ROOFLINE_DIALECT_RL_RL_H
