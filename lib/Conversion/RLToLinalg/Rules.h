//===- Rules.h - where rules are listed -------------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_CONVERSION_RLTOLINALG_RULES_H
#define ROOFLINE_LIB_CONVERSION_RLTOLINALG_RULES_H

#include "Lowering.h"

namespace roofline::lowering {

// One function a file of rules: X(Family) declares and calls addFamilyRules.
#define ROOFLINE_LOWERING_FAMILIES(X)                                          \
  X(Attention)                                                                 \
  X(Constant)                                                                  \
  X(Contract)                                                                  \
  X(Control)                                                                   \
  X(Conv)                                                                      \
  X(DeformConv)                                                                \
  X(Embedding)                                                                 \
  X(Fourier)                                                                   \
  X(Generate)                                                                  \
  X(Indexing)                                                                  \
  X(Layout)                                                                    \
  X(Map)                                                                       \
  X(MultiHeadAttention)                                                        \
  X(Norm)                                                                      \
  X(Pool)                                                                      \
  X(Quantize)                                                                  \
  X(QuantizedMap)                                                              \
  X(Recurrent)                                                                 \
  X(Reduce)                                                                    \
  X(Resize)                                                                    \
  X(Rotary)                                                                    \
  X(Sample)                                                                    \
  X(Select)                                                                    \
  X(Slice)                                                                     \
  X(Softmax)                                                                   \
  X(View)

#define DECLARE(FAMILY) void add##FAMILY##Rules(RuleTable &table);
ROOFLINE_LOWERING_FAMILIES(DECLARE)
#undef DECLARE

} // namespace roofline::lowering

#endif // ROOFLINE_LIB_CONVERSION_RLTOLINALG_RULES_H
