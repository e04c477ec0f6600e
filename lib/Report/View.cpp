//===- View.cpp - what several writers derive from a report ---------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "View.h"
#include "Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>

using namespace llvm;

namespace roofline::report {

std::optional<Int> totalBytes(const std::optional<Int> &read,
                              const std::optional<Int> &written) {
  if (!read || !written)
    return std::nullopt;
  return *read + *written;
}

std::string displayName(const Report::Op &op) {
  if (!op.name.empty())
    return printable(op.name);
  if (!op.outputs.empty() && !op.outputs.front().name.empty())
    return printable(op.outputs.front().name);
  return printable(op.opType) + " #" + std::to_string(op.index);
}

std::string commonPath(ArrayRef<const Report::Op *> ops) {
  std::string prefix;
  for (size_t i = 0; i < ops.size(); ++i) {
    std::string name = displayName(*ops[i]);
    if (i == 0)
      prefix = name;
    size_t same = 0, least = std::min(prefix.size(), name.size());
    while (same < least && prefix[same] == name[same])
      ++same;
    prefix.resize(same);
  }
  size_t slash = prefix.rfind('/');
  if (ops.size() < 2 || slash == std::string::npos || slash == 0)
    return "";
  prefix.resize(slash + 1);
  return prefix;
}

std::optional<double> timeShare(const Report &report, const Report::Op &op) {
  const std::optional<double> &total = report.totals.seconds;
  if (!op.placement.seconds || !total || *total <= 0)
    return std::nullopt;
  return *op.placement.seconds / *total;
}

std::optional<double> roofUse(const Report::Op &op) {
  const Placement &placement = op.placement;
  if (!placement.seconds || *placement.seconds <= 0 || !op.flops ||
      *op.flops == 0)
    return std::nullopt;
  return placement.computeSeconds / *placement.seconds;
}

//===----------------------------------------------------------------------===//
// Order and groups
//===----------------------------------------------------------------------===//

namespace {

/// Sorts by a value that may be unknown: greatest first, then the unknown (it
/// may be anything), then what is nothing; equals as they stood.
template <typename Item, typename Fn>
void sortDescending(std::vector<Item> &items, Fn value) {
  struct Keyed {
    decltype(value(items.front())) key;
    size_t position;
  };
  std::vector<Keyed> order;
  order.reserve(items.size());
  for (const Item &item : items)
    order.push_back({value(item), order.size()});
  using Key = std::decay_t<decltype(*order.front().key)>;
  auto rank = [](const Keyed &keyed) {
    return !keyed.key ? 1 : *keyed.key == Key(0) ? 2 : 0;
  };
  llvm::sort(order, [&](const Keyed &a, const Keyed &b) {
    if (rank(a) != rank(b))
      return rank(a) < rank(b);
    if (a.key && *a.key != *b.key)
      return *a.key > *b.key;
    return a.position < b.position;
  });
  std::vector<Item> sorted;
  sorted.reserve(items.size());
  for (const Keyed &keyed : order)
    sorted.push_back(std::move(items[keyed.position]));
  items = std::move(sorted);
}

/// Adds a part to a sum of the known; the sum is unknown where no part is.
template <typename T>
void addKnown(std::optional<T> &sum, const std::optional<T> &part) {
  if (part)
    sum = sum ? *sum + *part : *part;
}

} // namespace

std::vector<const Report::Op *> sortedOps(const Report &report, SortKey key) {
  std::vector<const Report::Op *> ops;
  ops.reserve(report.ops.size());
  for (const Report::Op &op : report.ops)
    ops.push_back(&op);
  using OpRef = const Report::Op *;
  switch (key) {
  case SortKey::Time:
    sortDescending(ops, [](OpRef op) { return op->placement.seconds; });
    break;
  case SortKey::Flops:
    sortDescending(ops, [](OpRef op) { return op->flops; });
    break;
  case SortKey::Bytes:
    sortDescending(ops, [](OpRef op) { return totalBytes(*op); });
    break;
  case SortKey::Intensity:
    sortDescending(ops, [](OpRef op) { return op->placement.intensity; });
    break;
  case SortKey::Order:
    break;
  }
  return ops;
}

std::vector<const Report::Op *> topOps(const Report &report, SortKey key,
                                       unsigned top) {
  std::vector<const Report::Op *> ops = sortedOps(report, key);
  if (top && ops.size() > top)
    ops.resize(top);
  return ops;
}

static std::string groupName(const Report::Op &op, GroupKey by) {
  if (by == GroupKey::Scope)
    return op.scope.empty() ? "(top level)" : printable(op.scope);
  return printable(op.domain.empty() ? op.opType : op.domain + "." + op.opType);
}

static void sortGroups(std::vector<OpGroup> &groups, SortKey key) {
  switch (key) {
  case SortKey::Time:
    return sortDescending(groups,
                          [](const auto &group) { return group.seconds; });
  case SortKey::Flops:
    return sortDescending(groups,
                          [](const auto &group) { return group.flops; });
  case SortKey::Bytes:
    return sortDescending(groups,
                          [](const auto &group) { return group.bytes; });
  case SortKey::Intensity:
    return sortDescending(
        groups, [](const auto &group) -> std::optional<double> {
          if (!group.flops || !group.bytes || *group.bytes == 0)
            return std::nullopt;
          return toDouble(*group.flops) / toDouble(*group.bytes);
        });
  case SortKey::Order:
    return;
  }
}

std::vector<OpGroup> groupOps(const Report &report, GroupKey by, SortKey sort) {
  std::vector<OpGroup> groups;
  StringMap<size_t> slots;
  for (const Report::Op &op : report.ops) {
    std::string name = groupName(op, by);
    auto [slot, isNew] = slots.try_emplace(name, groups.size());
    if (isNew)
      groups.emplace_back().name = name;
    OpGroup &group = groups[slot->second];
    ++group.count;
    group.uncovered += !op.covered;
    addKnown(group.seconds, op.placement.seconds);
    addKnown(group.flops, op.flops);
    addKnown(group.bytes, totalBytes(op));
    if (op.placement.seconds)
      group.boundSeconds[unsigned(op.placement.bound)] += *op.placement.seconds;
  }
  sortGroups(groups, sort);
  return groups;
}

std::array<double, numBounds> boundSeconds(const Report &report) {
  std::array<double, numBounds> sums{};
  for (const Report::Op &op : report.ops)
    if (op.placement.seconds)
      sums[unsigned(op.placement.bound)] += *op.placement.seconds;
  return sums;
}

std::string boundMix(const std::array<double, numBounds> &boundSeconds) {
  double total = 0;
  for (double part : boundSeconds)
    total += part;
  if (!(total > 0) || !std::isfinite(total))
    return "-";
  std::vector<unsigned> order;
  for (unsigned bound = 0; bound < numBounds; ++bound)
    if (boundSeconds[bound] > 0)
      order.push_back(bound);
  sortDescending(order, [&](unsigned bound) {
    return std::optional<double>(boundSeconds[bound]);
  });
  std::string text;
  for (unsigned bound : order) {
    if (!text.empty())
      text += ", ";
    long share = std::lround(boundSeconds[bound] / total * 100);
    text += name(Bound(bound)).str() + " " +
            (share ? std::to_string(share) : "<1") + "%";
  }
  return text;
}

std::vector<const Report::FusionGroup *> sortedGroups(const Report &report) {
  std::vector<const Report::FusionGroup *> groups;
  groups.reserve(report.fusionGroups.size());
  for (const Report::FusionGroup &group : report.fusionGroups)
    groups.push_back(&group);
  sortDescending(groups, [](const Report::FusionGroup *group) {
    return group->secondsSaved;
  });
  return groups;
}

std::vector<AlikeGroups> alikeGroups(const Report &report) {
  using Key = std::tuple<std::string, size_t, std::optional<double>,
                         std::optional<double>, std::string>;
  auto known = [](const std::optional<Int> &value) {
    return value ? std::optional<double>(toDouble(*value)) : std::nullopt;
  };
  std::map<Key, size_t> slots;
  std::vector<AlikeGroups> alike;
  for (const Report::FusionGroup &group : report.fusionGroups) {
    Key key = {group.kind, group.ops.size(), known(group.bytesBefore),
               known(group.bytesSaved), group.blockedBy};
    auto [slot, isNew] = slots.try_emplace(key, alike.size());
    if (isNew)
      alike.emplace_back();
    AlikeGroups &same = alike[slot->second];
    same.groups.push_back(&group);
    addKnown(same.secondsSaved, group.secondsSaved);
  }
  sortDescending(alike,
                 [](const AlikeGroups &same) { return same.secondsSaved; });
  return alike;
}

std::optional<double> totalSeconds(const Report &report) {
  const Report::Totals &totals = report.totals;
  if (totals.seconds && *totals.seconds == 0 && !totals.complete)
    return std::nullopt;
  return totals.seconds;
}

//===----------------------------------------------------------------------===//
// The head's facts
//===----------------------------------------------------------------------===//

unsigned coveredOps(const Report &report) {
  return count_if(report.ops, [](const Report::Op &op) { return op.covered; });
}

std::string uncoveredText(const Report &report) {
  std::string text;
  for (const Report::Uncovered &uncovered : report.totals.uncovered) {
    if (!text.empty())
      text += ", ";
    text += printable(uncovered.opType);
    if (!uncovered.domain.empty())
      text += " (" + printable(uncovered.domain) + ")";
    if (uncovered.count != 1)
      text += " × " + std::to_string(uncovered.count);
  }
  return text;
}

std::string coverageText(const Report &report) {
  std::string text = std::to_string(coveredOps(report)) + " of " +
                     plural(report.ops.size(), "op") + " covered";
  std::string uncovered = uncoveredText(report);
  if (!uncovered.empty())
    text += "; opaque: " + uncovered;
  if (!report.totals.complete)
    text += "; totals leave out what is unknown";
  return text;
}

std::string dimsText(const Report &report) {
  std::string text;
  for (const auto &[name, size] : report.dims) {
    if (!text.empty())
      text += ", ";
    text += printable(name) + " = " + exact(size);
  }
  if (!report.totals.unboundDims.empty()) {
    text += text.empty() ? "unbound: " : "; unbound: ";
    text += printableList(report.totals.unboundDims, ", ");
  }
  return text.empty() ? "none" : text;
}

std::string sourceText(const Report &report) {
  const Report::Model &model = report.model;
  std::string details;
  auto add = [&](const std::string &detail) {
    details += (details.empty() ? "" : ", ") + detail;
  };
  if (model.irVersion)
    add("IR version " + std::to_string(*model.irVersion));
  for (const auto &[domain, version] : model.opsets)
    add((domain.empty() ? "opset" : printable(domain)) + " " +
        std::to_string(version));
  std::string source = printable(model.source);
  return details.empty() ? source : source + " (" + details + ")";
}

std::string parametersText(const Report &report) {
  const Report::Model &model = report.model;
  if (!model.parameters)
    return "unknown";
  std::string text = si(model.parameters, "");
  if (model.parameterBytes)
    text += " (" + bytes(model.parameterBytes) + ")";
  return text;
}

std::string deviceText(const Device &device) {
  std::string text = printable(device.name);
  if (!device.title.empty())
    text += " (" + printable(device.title) + ")";
  return text;
}

std::vector<const ComputeCeiling *> mainCeilings(const Report &report) {
  struct Use {
    const ComputeCeiling *ceiling;
    double flops;
  };
  std::vector<Use> uses;
  for (const auto &entry : report.totals.flopsByClass.all()) {
    ElementType used = entry.type;
    if (report.options.allowTF32 && entry.cls == ComputeClass::Matmul &&
        entry.type == ElementType::F32)
      used = ElementType::TF32;
    const ComputeCeiling *ceiling = report.device.ceiling(entry.cls, used);
    if (!ceiling)
      continue;
    auto known =
        find_if(uses, [&](const Use &use) { return use.ceiling == ceiling; });
    if (known == uses.end())
      uses.push_back({ceiling, toDouble(entry.count)});
    else
      known->flops += toDouble(entry.count);
  }
  sortDescending(
      uses, [](const Use &use) { return std::optional<double>(use.flops); });
  std::vector<const ComputeCeiling *> ceilings;
  ceilings.reserve(uses.size());
  for (const Use &use : uses)
    ceilings.push_back(use.ceiling);
  return ceilings;
}

static std::string ceilingText(const ComputeCeiling &ceiling) {
  bool isFloat = kind(ceiling.type) == ElementKind::Float;
  return (name(ceiling.cls) + " " + name(ceiling.type) + " ").str() +
         si(ceiling.perSecond, isFloat ? "FLOP/s" : "OP/s");
}

std::string ceilingsText(const Report &report) {
  std::vector<const ComputeCeiling *> ceilings = mainCeilings(report);
  if (ceilings.empty()) // nothing is counted yet: the device's fastest
    for (const ComputeCeiling &ceiling : report.device.compute)
      if (ceilings.empty() || ceiling.perSecond > ceilings.front()->perSecond)
        ceilings.assign(1, &ceiling);
  constexpr size_t shown = 4;
  std::string text;
  for (const ComputeCeiling *ceiling :
       ArrayRef(ceilings).take_front(std::min(ceilings.size(), shown)))
    text += (text.empty() ? "" : ", ") + ceilingText(*ceiling);
  for (const MemoryLevel &level : report.device.memory) {
    text += (text.empty() ? "" : ", ") + printable(level.level) + " " +
            si(level.bytesPerSecond, "B/s");
    if (level.capacityBytes)
      text += " (" + si(double(*level.capacityBytes), "B") + ")";
  }
  return text + ", launch " + seconds(report.device.launchSeconds);
}

std::string ridgeText(const Report &report) {
  std::vector<const ComputeCeiling *> ceilings = mainCeilings(report);
  const MemoryLevel *dram = report.device.dram();
  if (ceilings.empty() || !dram || dram->bytesPerSecond <= 0)
    return "";
  const ComputeCeiling &main = *ceilings.front();
  return ratio(main.perSecond / dram->bytesPerSecond) + " FLOP/byte (" +
         (name(main.cls) + " " + name(main.type)).str() + ")";
}

std::string tf32Text(const Report &report) {
  if (none_of(report.totals.flopsByClass.all(), [](const auto &entry) {
        return entry.cls == ComputeClass::Matmul &&
               entry.type == ElementType::F32;
      }))
    return "";
  const Device &device = report.device;
  const ComputeCeiling *narrow =
      device.ceiling(ComputeClass::Matmul, ElementType::TF32);
  if (!narrow || narrow->type != ElementType::TF32)
    return "";
  if (report.options.allowTF32)
    return "f32 products use the tf32 ceiling (--allow-tf32)";
  const ComputeCeiling *wide =
      device.ceiling(ComputeClass::Matmul, ElementType::F32);
  std::string used =
      !wide ? "no"
      : wide->cls == ComputeClass::Matmul
          ? "the " + name(wide->type).str()
          : ("the " + name(wide->cls) + " " + name(wide->type)).str();
  return "f32 products use " + used + " ceiling; --allow-tf32 switches";
}

std::string flopsByClassText(const Report::FlopsByClass &flops) {
  std::vector<std::pair<std::string, Int>> parts;
  for (const auto &[cls, type, count] : flops.all())
    parts.emplace_back((name(cls) + " " + name(type)).str(), count);
  sortDescending(
      parts, [](const auto &part) { return std::optional<Int>(part.second); });
  std::string text;
  for (const auto &[label, count] : parts)
    text += (text.empty() ? "" : ", ") + label + " " + si(count, "FLOP");
  return text;
}

std::string bytesByRoleText(const Report::Totals &totals) {
  std::string text;
  for (const auto &[role, count] : totals.bytesByRole)
    text += (text.empty() ? "" : ", ") + name(role).str() + " " + bytes(count);
  return text;
}

std::string peakMemoryText(const Report &report) {
  const Report::Totals &totals = report.totals;
  std::string text = bytes(totals.peakMemoryBytes);
  const MemoryLevel *dram = report.device.dram();
  if (!totals.fits)
    return text;
  text += *totals.fits ? ", fits in " : ", does not fit in ";
  return text + (dram && dram->capacityBytes
                     ? si(double(*dram->capacityBytes), "B")
                     : std::string("the device"));
}

/// `argument` as a shell reads it back: quoted where it holds more than
/// letters, digits and harmless signs.
static std::string shellQuoted(StringRef argument) {
  std::string text = printable(argument);
  if (all_of(text, [](char c) {
        return isAlnum(c) || (c & 0x80) || StringRef("_-=./,:+@%").contains(c);
      }))
    return text;
  std::string quoted = "'";
  for (char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string bindFlagsText(const Report &report) {
  return join(map_range(report.totals.bindFlags, shellQuoted), " ");
}

} // namespace roofline::report
