//===- RLOps.td - the ops of rl ----------------------------*- tablegen -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_DIALECT_RL_RLOPS_TD
#define ROOFLINE_DIALECT_RL_RLOPS_TD

include "roofline/Dialect/RL/RLContractionOps.td"
include "roofline/Dialect/RL/RLPointwiseOps.td"
include "roofline/Dialect/RL/RLReductionOps.td"
include "roofline/Dialect/RL/RLMovementOps.td"
include "roofline/Dialect/RL/RLControlOps.td"

#endif // ROOFLINE_DIALECT_RL_RLOPS_TD
