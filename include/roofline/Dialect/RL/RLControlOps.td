//===- RLControlOps.td - regions that run ------------------*- tablegen -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_DIALECT_RL_RLCONTROLOPS_TD
#define ROOFLINE_DIALECT_RL_RLCONTROLOPS_TD

include "roofline/Dialect/RL/RLBase.td"

def RL_YieldOp : RL_Op<"yield", [Pure, Terminator]> {
  let summary = "Ends a region with its results";
  let arguments = (ins Variadic<RL_Value>:$results);
  let assemblyFormat = "($results^ `:` type($results))? attr-dict";
  // An empty body would only declare the builder.
  let builders = [OpBuilder<(ins), [{ (void)odsState; }]>];
}

def RL_IfOp : RL_Op<"if", [
    RecursiveMemoryEffects, NoRegionArguments,
    SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<ControlOpInterface, ["getControlKind", "getTrips",
                                                   "getTakenRegion"]>]> {
  let summary = "One of two regions";
  let description = [{
    `taken` says which region runs (0 then, 1 else) where that is known; else
    the dearest is counted, at its upper bound.
  }];
  let arguments = (ins Optional<RL_Value>:$condition, OptionalAttr<I64Attr>:$taken);
  let results = (outs Variadic<RL_Value>:$outputs);
  let regions = (region SizedRegion<1>:$thenRegion, SizedRegion<1>:$elseRegion);
  let assemblyFormat = [{
    ($condition^ `:` type($condition))? (`taken` $taken^)? (`->` type($outputs)^)?
    $thenRegion `else` $elseRegion attr-dict
  }];
  let hasVerifier = 1;
}

def RL_LoopOp : RL_Op<"loop", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<ControlOpInterface, ["getControlKind", "getTrips",
        "getTakenRegion", "isTripCountUpperBound"]>]> {
  let summary = "A region that runs a number of times";
  let description = [{
    `trips` (`#rl.dims` with one entry) is how often; `upper_bound` that data
    may end it sooner. The region's arguments are the iteration number, then
    one per init: a carried value, or a slice of a scanned one.
  }];
  let arguments = (ins Variadic<RL_Value>:$inits, RL_DimsAttr:$trips,
                       UnitAttr:$upper_bound);
  let results = (outs Variadic<RL_Value>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inits `)` `trips` $trips (`upper_bound` $upper_bound^)? $body attr-dict
    `:` functional-type($inits, $outputs)
  }];
  let hasVerifier = 1;
}

def RL_FusedOp : RL_Op<"fused", [
    RecursiveMemoryEffects, NoRegionArguments,
    SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<CostOpInterface>]> {
  let summary = "One kernel that does what its region does";
  let description = [{
    FLOPs are the sum over the region's ops; only values from outside that the
    region uses are read, and only the op's results written. Composite ops that
    a function body defines are of this form.
  }];
  let results = (outs Variadic<RL_Value>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict (`:` type($outputs)^)?";
  let hasVerifier = 1;
}

#endif // ROOFLINE_DIALECT_RL_RLCONTROLOPS_TD
