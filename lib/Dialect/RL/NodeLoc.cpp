//===- NodeLoc.cpp - where an op comes from -------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NodeLocStorage.h"
#include "mlir/IR/OpImplementation.h"
#include "roofline/Dialect/RL/RL.h"

using namespace mlir;

namespace roofline::rl {

//===----------------------------------------------------------------------===//
// #rl.node<"name" -> "result", … at 12 in loc(…)>
//===----------------------------------------------------------------------===//

StringRef NodeLoc::getName() const { return getImpl()->name; }
ArrayRef<StringRef> NodeLoc::getResults() const { return getImpl()->results; }
std::optional<unsigned> NodeLoc::getPosition() const {
  return getImpl()->position;
}
LocationAttr NodeLoc::getFile() const { return getImpl()->file; }

Attribute NodeLoc::parse(AsmParser &parser, Type) {
  std::string name;
  SmallVector<std::string, 2> results;
  std::optional<unsigned> position;
  LocationAttr file;
  auto parseResult = [&] {
    return parser.parseString(&results.emplace_back());
  };
  if (parser.parseLess() || parser.parseString(&name))
    return {};
  if (succeeded(parser.parseOptionalArrow()) &&
      parser.parseCommaSeparatedList(parseResult))
    return {};
  if (succeeded(parser.parseOptionalKeyword("at")) &&
      parser.parseInteger(position.emplace()))
    return {};
  if (parser.parseKeyword("in") || parser.parseAttribute(file) ||
      parser.parseGreater())
    return {};
  return get(parser.getContext(), name,
             llvm::to_vector_of<StringRef, 2>(results), position, file);
}

void NodeLoc::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printString(getName());
  if (!getResults().empty())
    printer << " -> ";
  llvm::interleaveComma(getResults(), printer,
                        [&](StringRef result) { printer.printString(result); });
  if (std::optional<unsigned> position = getPosition())
    printer << " at " << *position;
  printer << " in " << getFile() << '>';
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

StringRef nodeName(Location loc) {
  StringRef name;
  auto read = [&](Location part) {
    if (auto node = dyn_cast<NodeLoc>(part))
      name = node.getName();
    else if (auto named = dyn_cast<NameLoc>(part))
      name = named.getName();
    return name.empty() ? WalkResult::advance() : WalkResult::interrupt();
  };
  // Nearly always the location itself; walking its parts takes much longer.
  if (!read(loc).wasInterrupted())
    loc->walk(read);
  return name;
}

std::optional<StringRef> resultName(OpResult result) {
  Location loc = result.getOwner()->getLoc();
  auto node = dyn_cast<NodeLoc>(loc);
  if (!node)
    node = loc->findInstanceOf<NodeLoc>();
  if (!node || result.getResultNumber() >= node.getResults().size())
    return std::nullopt;
  return node.getResults()[result.getResultNumber()];
}

} // namespace roofline::rl
