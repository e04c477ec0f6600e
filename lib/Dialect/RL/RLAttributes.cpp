//===- RLAttributes.cpp - attributes of rl --------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Details.h"
#include "NodeLocStorage.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "roofline/Dialect/RL/RL.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

//===----------------------------------------------------------------------===//
// Expressions in attributes: a plain number, a quoted formula, or `?`
//===----------------------------------------------------------------------===//

namespace roofline::rl {

static ParseResult parseSize(AsmParser &parser, std::optional<Expr> &size) {
  if (succeeded(parser.parseOptionalQuestion()))
    return success();
  std::string text;
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalString(&text))) {
    llvm::Expected<Expr> expr = Expr::parse(text);
    if (!expr)
      return parser.emitError(loc, llvm::toString(expr.takeError()));
    size = *expr;
  } else {
    APInt number;
    OptionalParseResult parsed = parser.parseOptionalInteger(number);
    if (!parsed.has_value())
      return parser.emitError(loc, "expected a size: an integer, a quoted "
                                   "formula, or ?");
    if (failed(*parsed))
      return failure();
    size = Expr(Int(number));
  }
  if (size->isConstant() && size->constant() < 0)
    return parser.emitError(loc, "a size is 0 or more, not ") << size->str();
  return success();
}

static void printSize(AsmPrinter &printer, const std::optional<Expr> &size) {
  if (!size)
    printer << '?';
  else if (std::optional<int64_t> small = size->asInt64())
    printer << *small;
  else if (size->isConstant())
    printer << toString(size->constant());
  else
    printer.printString(size->str());
}

//===----------------------------------------------------------------------===//
// #rl.body
//===----------------------------------------------------------------------===//

LogicalResult BodyAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t vector, int64_t special) {
  if (vector < 0 || special < 0)
    return emitError() << "operations per element are 0 and more";
  return success();
}

//===----------------------------------------------------------------------===//
// #rl.dims
//===----------------------------------------------------------------------===//

namespace detail {
struct DimsAttrStorage : AttributeStorage {
  using KeyTy = ArrayRef<std::optional<Expr>>;
  explicit DimsAttrStorage(KeyTy key) : sizes(key.begin(), key.end()) {}
  bool operator==(const KeyTy &key) const { return KeyTy(sizes) == key; }
  static llvm::hash_code hashKey(const KeyTy &key) {
    llvm::hash_code hash = llvm::hash_value(key.size());
    for (const std::optional<Expr> &size : key)
      hash = llvm::hash_combine(hash,
                                size ? hash_value(*size) : llvm::hash_code(0));
    return hash;
  }
  static DimsAttrStorage *construct(AttributeStorageAllocator &allocator,
                                    const KeyTy &key) {
    return new (allocator.allocate<DimsAttrStorage>()) DimsAttrStorage(key);
  }
  // Owns its expressions; MLIR's uniquer runs the destructor.
  std::vector<std::optional<Expr>> sizes;
};
} // namespace detail

ArrayRef<std::optional<Expr>> DimsAttr::getSizes() const {
  return getImpl()->sizes;
}

Attribute DimsAttr::parse(AsmParser &parser, Type) {
  SmallVector<std::optional<Expr>> sizes;
  auto parseOne = [&] { return parseSize(parser, sizes.emplace_back()); };
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne) ||
      parser.parseGreater())
    return {};
  return DimsAttr::get(parser.getContext(), sizes);
}

void DimsAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getSizes(), printer,
                        [&](const auto &size) { printSize(printer, size); });
  printer << "]>";
}

//===----------------------------------------------------------------------===//
// #rl.work
//===----------------------------------------------------------------------===//

namespace detail {
struct WorkAttrStorage : AttributeStorage {
  // Works are compared by the text they print as: one per annotated op, on no
  // path that must be fast.
  using KeyTy = std::pair<std::string, Work>;
  explicit WorkAttrStorage(const KeyTy &key)
      : text(key.first), work(key.second) {}
  bool operator==(const KeyTy &key) const { return text == key.first; }
  static llvm::hash_code hashKey(const KeyTy &key) {
    return llvm::hash_value(key.first);
  }
  static KeyTy getKey(const Work &work) { return {printWork(work), work}; }
  static WorkAttrStorage *construct(AttributeStorageAllocator &allocator,
                                    const KeyTy &key) {
    return new (allocator.allocate<WorkAttrStorage>()) WorkAttrStorage(key);
  }
  std::string text;
  Work work;
};
} // namespace detail

const Work &WorkAttr::getWork() const { return getImpl()->work; }

static void printSize(raw_ostream &os, const std::optional<Expr> &size) {
  if (!size) {
    os << '?';
  } else if (size->isConstant()) {
    os << toString(size->constant());
  } else {
    os << '"';
    llvm::printEscapedString(size->str(), os);
    os << '"';
  }
}

static void printTraffic(raw_ostream &os, StringRef label, const Work &work,
                         Traffic::Direction direction) {
  std::optional<Expr> sums[numRoles];
  bool present[numRoles] = {};
  for (const Traffic &traffic : work.traffic) {
    if (traffic.direction != direction)
      continue;
    unsigned role = static_cast<unsigned>(traffic.role);
    if (!present[role])
      sums[role] = traffic.bytes;
    else if (sums[role])
      sums[role] = traffic.bytes ? std::optional(*sums[role] + *traffic.bytes)
                                 : std::nullopt;
    present[role] = true;
  }
  os << ", " << label << " = {";
  bool first = true;
  for (unsigned role = 0; role < numRoles; ++role) {
    if (!present[role])
      continue;
    os << (first ? "" : ", ") << name(static_cast<Role>(role)) << " = ";
    printSize(os, sums[role]);
    first = false;
  }
  os << '}';
}

std::string printWork(const Work &work) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "<flops = ";
  if (work.flopsKnown) {
    os << '{';
    llvm::interleaveComma(work.flops, os, [&](const Flops &flops) {
      os << name(flops.cls) << '.' << name(flops.type) << " = ";
      printSize(os, flops.count);
    });
    os << '}';
  } else {
    os << '?';
  }
  printTraffic(os, "read", work, Traffic::Read);
  printTraffic(os, "written", work, Traffic::Write);
  os << ", launches = ";
  printSize(os, work.launches);
  if (work.flopsCausal) {
    os << ", causal = ";
    printSize(os, work.flopsCausal);
  }
  if (work.dataDependent)
    os << ", data_dependent";
  os << '>';
  return text;
}

void WorkAttr::print(AsmPrinter &printer) const { printer << getImpl()->text; }

/// `{key = size, …}`.
static ParseResult parseSizes(
    AsmParser &parser,
    llvm::function_ref<ParseResult(StringRef, SMLoc, std::optional<Expr>)>
        add) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Braces, [&]() -> ParseResult {
        SMLoc loc = parser.getCurrentLocation();
        std::string key;
        std::optional<Expr> size;
        if (parser.parseKeywordOrString(&key) || parser.parseEqual() ||
            parseSize(parser, size))
          return failure();
        return add(key, loc, size);
      });
}

static ParseResult parseFlops(AsmParser &parser, Work &work) {
  if (succeeded(parser.parseOptionalQuestion())) {
    work.flopsKnown = false;
    return success();
  }
  return parseSizes(
      parser,
      [&](StringRef key, SMLoc loc, std::optional<Expr> size) -> ParseResult {
        auto [clsText, typeText] = key.split('.');
        std::optional<ComputeClass> cls = parseComputeClass(clsText);
        std::optional<ElementType> type = parseElementType(typeText);
        if (!cls || !type)
          return parser.emitError(loc,
                                  "expected CLASS.TYPE as in matmul.f16, got ")
                 << key;
        if (!size)
          return parser.emitError(loc,
                                  "unknown FLOPs are `flops = ?` as a whole");
        work.addFlops(*cls, *type, *size);
        return success();
      });
}

static ParseResult parseTraffic(AsmParser &parser, Work &work,
                                Traffic::Direction direction) {
  return parseSizes(
      parser,
      [&](StringRef key, SMLoc loc, std::optional<Expr> size) -> ParseResult {
        std::optional<Role> role = parseRole(key);
        if (!role)
          return parser.emitError(
                     loc, "expected weight, activation or kv_cache, got ")
                 << key;
        work.traffic.push_back({direction, -1, *role, std::move(size)});
        return success();
      });
}

static ParseResult parseWorkField(AsmParser &parser, StringRef field, SMLoc loc,
                                  Work &work) {
  if (field == "data_dependent") {
    work.dataDependent = true;
    return success();
  }
  if (parser.parseEqual())
    return failure();
  if (field == "flops")
    return parseFlops(parser, work);
  if (field == "read")
    return parseTraffic(parser, work, Traffic::Read);
  if (field == "written")
    return parseTraffic(parser, work, Traffic::Write);
  std::optional<Expr> size;
  if (field != "launches" && field != "causal")
    return parser.emitError(loc, "unknown field ") << field;
  SMLoc sizeLoc = parser.getCurrentLocation();
  if (parseSize(parser, size))
    return failure();
  if (!size)
    return parser.emitError(sizeLoc, "expected a size, not ?");
  if (field == "causal")
    work.flopsCausal = size;
  else
    work.launches = *size;
  return success();
}

Attribute WorkAttr::parse(AsmParser &parser, Type) {
  Work work;
  llvm::StringSet<> seen;
  auto parseField = [&]() -> ParseResult {
    StringRef field;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&field))
      return failure();
    if (!seen.insert(field).second)
      return parser.emitError(loc, "field given twice: ") << field;
    return parseWorkField(parser, field, loc, work);
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseField))
    return {};
  return WorkAttr::get(parser.getContext(), work);
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

} // namespace roofline::rl

using namespace roofline;
#define GET_ATTRDEF_CLASSES
#include "roofline/Dialect/RL/RLAttributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "roofline/Dialect/RL/RLTypes.cpp.inc"

void roofline::rl::RLDialect::registerAttributesAndTypes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "roofline/Dialect/RL/RLAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "roofline/Dialect/RL/RLTypes.cpp.inc"
      >();
}
