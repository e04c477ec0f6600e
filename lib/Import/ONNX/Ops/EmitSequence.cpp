//===- EmitSequence.cpp - sequences and optionals -------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitSupport.h"

using namespace llvm;

namespace roofline::onnx_import {

void registerSequenceEmit(RuleTable &table) {
#define SEQUENCE(OP, KIND)                                                     \
  table.emit(#OP, [](Node &n, EmitContext &c) {                                \
    emitKind<rl::SequenceOp>(n, c, KIND, c.dataInputs(n));                     \
  });
  SEQUENCE(SequenceConstruct, "construct")
  SEQUENCE(SequenceEmpty, "empty")
  SEQUENCE(SequenceAt, "at")
  SEQUENCE(SequenceInsert, "insert")
  SEQUENCE(SequenceErase, "erase")
  SEQUENCE(SequenceLength, "length")
  SEQUENCE(SplitToSequence, "split")
  SEQUENCE(ConcatFromSequence, "concat")
  SEQUENCE(Optional, "optional")
  SEQUENCE(OptionalGetElement, "get_element")
  SEQUENCE(OptionalHasElement, "has_element")
#undef SEQUENCE
}

} // namespace roofline::onnx_import
