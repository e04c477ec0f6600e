//===- DimsAttrInterface.td - an encoding that names sizes -*- tablegen -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_INTERFACES_DIMSATTRINTERFACE_TD
#define ROOFLINE_INTERFACES_DIMSATTRINTERFACE_TD

include "mlir/IR/OpBase.td"

def DimsAttrInterface : AttrInterface<"DimsAttrInterface"> {
  let description = [{
    An attribute that gives sizes as expressions: as a tensor's encoding, those
    of its dimensions.
  }];
  let cppNamespace = "::roofline";
  let methods = [
    InterfaceMethod<"One size an entry; nothing where it isn't known.",
      "::llvm::ArrayRef<std::optional<::roofline::Expr>>", "getSizes">
  ];
}

#endif // ROOFLINE_INTERFACES_DIMSATTRINTERFACE_TD
