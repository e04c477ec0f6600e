//===- CostOpInterface.td - how an op states its cost ------*- tablegen -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_INTERFACES_COSTOPINTERFACE_TD
#define ROOFLINE_INTERFACES_COSTOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def CostOpInterface : OpInterface<"CostOpInterface"> {
  let description = [{
    An op that can state the work of one execution: operations by compute class
    and element type, bytes by tensor and role, kernels launched.

    An op without this interface is *opaque*: its operands' and results' bytes
    are counted, its FLOPs are unknown, and every total says so. An op that has
    the interface but can't tell (a size that isn't known) leaves the field
    unknown; it never guesses 0.

    Sizes are exact expressions in dimension names, so a work is a formula until
    the dimensions are bound.
  }];
  let cppNamespace = "::roofline";
  let methods = [
    InterfaceMethod<[{
      The work of one execution of the op, its regions' control flow aside:
      an op that only runs its regions (`ControlOpInterface`) has none.
      `context` knows shapes, roles and integers.
    }], "::roofline::Work", "getWork", (ins "const ::roofline::CostContext &":$context)>
  ];
}

def SymbolicOpInterface : OpInterface<"SymbolicOpInterface"> {
  let description = [{
    An op whose results' dimensions or integer values follow from its operands'.
    Visited in order of execution, before any cost is asked for. Ops without it
    have what their result types say.
  }];
  let cppNamespace = "::roofline";
  let methods = [
    InterfaceMethod<[{
      Adds what is known of the op's results (and of its regions' arguments) to
      `symbols`.
    }], "void", "inferSymbols", (ins "::roofline::SymbolMap &":$symbols)>
  ];
}

def ControlOpInterface : OpInterface<"ControlOpInterface"> {
  let description = [{
    An op that runs its regions: once, a number of times, or one of several.
    Its own work is zero; the rows of its body carry the trip count.
  }];
  let cppNamespace = "::roofline";
  let methods = [
    InterfaceMethod<[{
      Whether one region of several runs (`Branch`), or every region `getTrips`
      times (`Loop`; a plain scope is a loop of one trip).
    }], "::roofline::ControlKind", "getControlKind">,
    InterfaceMethod<[{
      How often the regions of a loop run; nothing where it isn't known.
    }], "std::optional<::roofline::Expr>", "getTrips",
      (ins "const ::roofline::CostContext &":$context)>,
    InterfaceMethod<[{
      Which region of a branch runs; nothing where data decides.
    }], "std::optional<unsigned>", "getTakenRegion",
      (ins "const ::roofline::CostContext &":$context)>,
    InterfaceMethod<[{
      Whether `getTrips` is an upper bound, since data may end the loop early.
    }], "bool", "isTripCountUpperBound", (ins), [{}], [{ return false; }]>
  ];
}

#endif // ROOFLINE_INTERFACES_COSTOPINTERFACE_TD
