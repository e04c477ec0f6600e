//===- InferContext.h - what a shape rule may do ----------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_IMPORT_ONNX_INFERCONTEXT_H
#define ROOFLINE_LIB_IMPORT_ONNX_INFERCONTEXT_H

#include "Rules.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace roofline::onnx_import {

using MaybeDims = llvm::SmallVector<MaybeDim, 4>;

class InferContext {
public:
  InferContext(Model &model, const ImportOptions &options)
      : model(model), options(options) {}

  Model &model;
  const ImportOptions &options;

  /// Folded tensors may have this many elements at most.
  static constexpr int64_t maxFoldedElements = 4096;
  /// Those of floats: fewer, so that no weights are kept.
  static constexpr int64_t maxFoldedFloats = 64;

  // --- Inputs ----------------------------------------------------------------

  /// The dims of a ranked tensor input; null where absent, unranked or no
  /// tensor.
  const MaybeDims *dims(const Node &node, unsigned input) const;
  /// The folded elements of an input; null where absent or not folded.
  const Constant *constant(const Node &node, unsigned input) const;
  /// The elements as integers; nothing where one isn't a known integer number.
  std::optional<llvm::SmallVector<int64_t, 4>>
  constantInts(const Node &node, unsigned input) const;
  /// The elements as expressions, each perhaps unknown; nothing where not
  /// folded.
  std::optional<MaybeDims> constantDims(const Node &node, unsigned input) const;

  // --- Outputs ---------------------------------------------------------------

  /// A tensor of known rank. `onnxElem` is an onnx::TensorProto::DataType.
  void setTensor(Node &node, unsigned output, int onnxElem,
                 llvm::ArrayRef<MaybeDim> dims) const;
  /// As above with the element type of input `like` (0 where that is unknown).
  void setTensorLike(Node &node, unsigned output, unsigned like,
                     llvm::ArrayRef<MaybeDim> dims) const;
  /// A tensor of unknown rank.
  void setUnranked(Node &node, unsigned output, int onnxElem) const;
  int elemOf(const Node &node, unsigned input) const;
  /// Says that the outputs' sizes are upper bounds, since data decides them.
  void setDataDependent(Node &node) const;
  void setConstant(Node &node, unsigned output,
                   std::vector<Scalar> elements) const;
  void warn(const Node &node, const llvm::Twine &message);

  // --- Arithmetic on shapes --------------------------------------------------

  /// NumPy broadcasting; an error names both sizes where they clash. A 1 yields
  /// to the other size; two different formulas give their maximum.
  llvm::Expected<MaybeDims>
  broadcast(const Node &node, llvm::ArrayRef<const MaybeDims *> shapes) const;
  /// A known axis made non-negative; an error where it is out of range.
  llvm::Expected<unsigned> axis(const Node &node, int64_t axis,
                                size_t rank) const;

  // --- The driver's own (InferSteps.h) ---------------------------------------

  /// The types of a sequence's elements, where all are known one by one.
  llvm::DenseMap<const Value *, std::vector<ValueType>> sequenceElements;
  uint64_t listedElements = 0; ///< in all of them, to bound their memory
  /// What the file declares of a value against what follows, in the order met;
  /// empty where the two came to agree after all.
  llvm::MapVector<const Value *, std::string> disagreements;
  /// In a graph that doesn't run (a branch not taken), nothing is held against
  /// the file.
  unsigned unneededDepth = 0;
  /// How many nodes were visited, and from when on a loop's body is visited
  /// once only: a body is otherwise seen again until its sizes settle, which
  /// multiplies where loops nest.
  uint64_t visits = 0, visitLimit = 0;
};

/// The product of dims; nothing where one is unknown.
MaybeDim product(llvm::ArrayRef<MaybeDim> dims);

} // namespace roofline::onnx_import

#endif // ROOFLINE_LIB_IMPORT_ONNX_INFERCONTEXT_H
