//===- BindDims.cpp - give open dimensions their sizes --------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/AttrTypeSubElements.h"
#include "roofline/Analysis/CostAnalysis.h"
#include "roofline/Cost/Device.h"
#include "roofline/Dialect/RL/RL.h"
#include "roofline/Models/Register.h"
#include "roofline/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <set>

using namespace mlir;

namespace roofline {
#define GEN_PASS_DEF_BINDDIMS
#include "roofline/Transforms/Passes.h.inc"

namespace {
using Bindings = std::map<std::string, Expr, std::less<>>;

Expr substitute(const Expr &expr, const Bindings &bindings) {
  if (expr.isConstant())
    return expr;
  return expr.substitute([&](StringRef name) -> std::optional<Expr> {
    auto it = bindings.find(name);
    if (it == bindings.end())
      return std::nullopt;
    return it->second;
  });
}

rl::DimsAttr bindSizes(rl::DimsAttr sizes, const Bindings &bindings) {
  SmallVector<std::optional<Expr>> bound;
  for (const std::optional<Expr> &size : sizes.getSizes())
    bound.push_back(size ? std::optional(substitute(*size, bindings)) : size);
  return rl::DimsAttr::get(sizes.getContext(), bound);
}

/// A type whose named dimensions became numbers has them in its shape.
RankedTensorType bindType(RankedTensorType type, const Bindings &bindings) {
  auto sizes = dyn_cast_or_null<rl::DimsAttr>(type.getEncoding());
  if (!sizes)
    return type;
  rl::DimsAttr bound = bindSizes(sizes, bindings);
  SmallVector<int64_t> shape(type.getShape());
  for (auto [dim, size] : llvm::zip(shape, bound.getSizes()))
    if (ShapedType::isDynamic(dim) && size)
      if (std::optional<int64_t> number = size->asInt64();
          number && *number >= 0)
        dim = *number;
  bool isOpen = llvm::any_of(shape, ShapedType::isDynamic);
  return RankedTensorType::get(shape, type.getElementType(),
                               isOpen ? bound : rl::DimsAttr());
}

rl::WorkAttr bindWork(rl::WorkAttr attr, const Bindings &bindings) {
  Work work = attr.getWork();
  for (Flops &flops : work.flops)
    flops.count = substitute(flops.count, bindings);
  for (Traffic &traffic : work.traffic)
    if (traffic.bytes)
      traffic.bytes = substitute(*traffic.bytes, bindings);
  work.launches = substitute(work.launches, bindings);
  if (work.flopsCausal)
    work.flopsCausal = substitute(*work.flopsCausal, bindings);
  return rl::WorkAttr::get(attr.getContext(), work);
}

class BindDimsPass : public impl::BindDimsBase<BindDimsPass> {
public:
  using BindDimsBase::BindDimsBase;

  void runOnOperation() override {
    if (failed(parseDims()) || failed(bindArguments()))
      return signalPassFailure();
    bindTrips();
    if (failed(checkNames()) || failed(checkSizes()))
      return signalPassFailure();
    replaceEverywhere();
  }

  // A plugin's host hasn't heard of the external models, which say what loops.
  void getDependentDialects(DialectRegistry &registry) const override {
    BindDimsBase::getDependentDialects(registry);
    registerModels(registry);
  }

private:
  /// At the module's place, without its text: a model's is long.
  InFlightDiagnostic error() { return emitError(getOperation().getLoc()); }

  LogicalResult parseDims() {
    for (const std::string &text : dims) {
      auto [name, number] = StringRef(text).rsplit('=');
      int64_t size;
      if (name.empty() || number.getAsInteger(10, size) || size < 0)
        return error() << "'" << text << "' is not NAME=N with N from 0 on";
      bindings[name.str()] = Expr(size);
    }
    return success();
  }

  /// The entry functions' arguments by their names: `arg0`, and the model's.
  FailureOr<std::pair<FunctionOpInterface, unsigned>>
  findArgument(StringRef name) {
    name.consume_front("%");
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      for (BlockArgument argument : function.getArguments()) {
        unsigned number = argument.getArgNumber();
        auto given =
            function.getArgAttrOfType<StringAttr>(number, rl::nameAttrName);
        if ((given && given.getValue() == name) ||
            name == "arg" + std::to_string(number))
          if (function.isPublic())
            return std::pair(function, number);
      }
    return failure();
  }

  /// `ARG=AxBxC` and `ARG[AXIS]=N` become the argument's rl.dims.
  LogicalResult bindArguments() {
    for (const std::string &text : shapes) {
      auto [name, shape] = StringRef(text).rsplit('=');
      auto found = findArgument(name);
      if (failed(found))
        return unknownName("argument", name, argumentNames());
      SmallVector<std::optional<Expr>> sizes;
      SmallVector<StringRef> parts;
      if (!shape.empty())
        shape.split(parts, 'x');
      for (StringRef part : parts) {
        int64_t size;
        if (part.getAsInteger(10, size) || size < 0)
          return error() << "'" << text << "' is not ARG=AxBxC";
        sizes.push_back(Expr(size));
      }
      if (failed(setSizes(found->first, found->second, sizes)))
        return failure();
    }
    for (auto it = bindings.begin(); it != bindings.end();) {
      StringRef name = it->first;
      auto [argument, rest] = name.rsplit('[');
      unsigned axis;
      FailureOr<std::pair<FunctionOpInterface, unsigned>> found = failure();
      if (rest.consume_back("]") && !rest.getAsInteger(10, axis))
        found = findArgument(argument);
      if (failed(found) || known().count(it->first)) {
        ++it;
        continue;
      }
      Type type = found->first.getArgument(found->second).getType();
      std::optional<SymbolMap::MaybeDims> dims = SymbolMap::dimsOfType(type);
      if (!dims || axis >= dims->size())
        return noSuchDimension(found->second, type);
      SmallVector<std::optional<Expr>> sizes(axis + 1);
      sizes[axis] = it->second;
      if (failed(setSizes(found->first, found->second, sizes)))
        return failure();
      it = bindings.erase(it);
    }
    return success();
  }

  /// The names that findArgument knows.
  std::vector<std::string> argumentNames() {
    std::vector<std::string> names;
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      for (unsigned i = 0, e = function.getNumArguments();
           i < e && function.isPublic(); ++i) {
        auto given = function.getArgAttrOfType<StringAttr>(i, rl::nameAttrName);
        names.push_back(given ? given.str() : "arg" + std::to_string(i));
      }
    return names;
  }

  /// Says that nothing has a name, and which names are near it.
  LogicalResult unknownName(StringRef what, StringRef name,
                            ArrayRef<std::string> there) {
    InFlightDiagnostic message = error() << "no " << what << " is called '"
                                         << name << "'";
    SmallVector<StringRef> names(there.begin(), there.end());
    std::vector<std::string> near = nearMatches(name, names);
    if (!near.empty())
      message << "; did you mean " << llvm::join(near, ", ") << "?";
    else if (!names.empty())
      message << "; there are: " << llvm::join(names, ", ");
    return message;
  }

  /// `trips(LOOP)=N` becomes the loop's rl.trips, where no attribute mentions
  /// that name: the analysis made it up.
  void bindTrips() {
    auto isOpen = [&](const auto &binding) {
      return StringRef(binding.first).starts_with("trips(") &&
             !known().count(binding.first);
    };
    if (llvm::none_of(bindings, isOpen))
      return;
    for (auto function : getOperation().getOps<FunctionOpInterface>()) {
      CostAnalysis costs(function);
      for (const auto &[name, op] : costs.openTripCounts()) {
        knownNames->insert(name);
        if (auto given = bindings.find(name); given != bindings.end())
          op->setAttr(rl::tripsAttrName,
                      rl::DimsAttr::get(&getContext(), {given->second}));
      }
    }
  }

  LogicalResult noSuchDimension(unsigned argument, Type type) {
    return error() << "argument " << argument << " of type " << type
                   << " has no such dimension";
  }

  /// Adds what is given to what is known of an argument's sizes.
  LogicalResult setSizes(FunctionOpInterface function, unsigned number,
                         SmallVector<std::optional<Expr>> sizes) {
    Type type = function.getArgument(number).getType();
    std::optional<SymbolMap::MaybeDims> stated = SymbolMap::dimsOfType(type);
    if (!stated || sizes.size() > stated->size())
      return noSuchDimension(number, type);
    sizes.resize(stated->size());
    if (auto old =
            function.getArgAttrOfType<rl::DimsAttr>(number, rl::dimsAttrName))
      for (auto [size, before] : llvm::zip(sizes, old.getSizes()))
        if (!size)
          size = before;
    for (auto [axis, size] : llvm::enumerate(sizes)) {
      std::optional<Expr> &fixed = (*stated)[axis];
      if (!size)
        size = fixed;
      else if (fixed && fixed->isConstant() && *fixed != *size)
        return error() << "dimension " << axis << " of argument " << number
                       << " is " << fixed->str() << ", not " << size->str();
      else if (std::optional<StringRef> name =
                   fixed ? fixed->asSymbol() : std::nullopt) {
        Expr &bound = bindings.insert({name->str(), *size}).first->second;
        if (bound != *size)
          return error() << "dimension '" << *name << "' is given as "
                         << bound.str() << " and as " << size->str();
      }
    }
    function.setArgAttr(number, rl::dimsAttrName,
                        rl::DimsAttr::get(&getContext(), sizes));
    return success();
  }

  /// Visits every attribute and type in the module.
  void walkAll(AttrTypeWalker &walker) {
    getOperation()->walk([&](Operation *op) {
      walker.walk(op->getAttrDictionary()); // properties included
      for (Type type : op->getResultTypes())
        walker.walk(type);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Type type : block.getArgumentTypes())
            walker.walk(type);
    });
  }

  /// Every name that an expression in the module mentions.
  const std::set<std::string> &known() {
    if (knownNames)
      return *knownNames;
    knownNames.emplace();
    AttrTypeWalker walker;
    walker.addWalk([&](rl::DimsAttr sizes) {
      for (const std::optional<Expr> &size : sizes.getSizes())
        if (size)
          size->collectSymbols(*knownNames);
    });
    walker.addWalk([&](rl::WorkAttr attr) {
      for (const Flops &flops : attr.getWork().flops)
        flops.count.collectSymbols(*knownNames);
      for (const Traffic &traffic : attr.getWork().traffic)
        if (traffic.bytes)
          traffic.bytes->collectSymbols(*knownNames);
      attr.getWork().launches.collectSymbols(*knownNames);
      if (attr.getWork().flopsCausal)
        attr.getWork().flopsCausal->collectSymbols(*knownNames);
    });
    walkAll(walker);
    return *knownNames;
  }

  LogicalResult checkNames() {
    for (const auto &binding : bindings) {
      if (known().count(binding.first))
        continue;
      std::vector<std::string> there(known().begin(), known().end());
      return unknownName("dimension", binding.first, there);
    }
    return success();
  }

  /// No size may come out negative.
  LogicalResult checkSizes() {
    std::string wrong;
    AttrTypeWalker walker;
    walker.addWalk([&](rl::DimsAttr sizes) {
      for (const std::optional<Expr> &size : sizes.getSizes()) {
        if (!size)
          continue;
        Expr bound = substitute(*size, bindings);
        if (bound.isConstant() && bound.constant() < 0)
          wrong = "the size " + size->str() + " comes to " + bound.str();
      }
    });
    walkAll(walker);
    if (wrong.empty())
      return success();
    return getOperation().emitError() << wrong;
  }

  void replaceEverywhere() {
    AttrTypeReplacer replacer;
    replacer.addReplacement(
        [&](RankedTensorType type) -> std::pair<Type, WalkResult> {
          return {bindType(type, bindings), WalkResult::skip()};
        });
    replacer.addReplacement(
        [&](rl::DimsAttr sizes) { return bindSizes(sizes, bindings); });
    replacer.addReplacement(
        [&](rl::WorkAttr work) { return bindWork(work, bindings); });
    replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
  }

  Bindings bindings;
  std::optional<std::set<std::string>> knownNames;
};
} // namespace
} // namespace roofline
