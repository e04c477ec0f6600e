//===- SVGChart.cpp - scales, axes and roofs of a chart -------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SVGChart.h"
#include "Format.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace roofline::report {

std::optional<Position> position(const Report::Op &op) {
  const std::optional<double> &seconds = op.placement.seconds;
  if (!op.flops || *op.flops <= 0 || !seconds || *seconds <= 0 ||
      !std::isfinite(*seconds))
    return std::nullopt;
  double flops = toDouble(*op.flops);
  std::optional<Int> moved = totalBytes(op);
  if (!moved)
    return std::nullopt;
  return Position{flops / std::max(toDouble(*moved), 1e-30), flops / *seconds};
}

bool isMovement(const Report::Op &op) {
  const std::optional<double> &seconds = op.placement.seconds;
  return op.flops && *op.flops == 0 && seconds && *seconds > 0 &&
         std::isfinite(*seconds);
}

double Plot::logOf(double value) {
  constexpr double tiny = -300;
  return value > 0 && std::isfinite(value) ? std::log10(value)
         : value > 0                       ? -tiny
                                           : tiny;
}

double Plot::xLog(double decade) const {
  double at = (decade - domain.x0) / (domain.x1 - domain.x0);
  return box.left + box.width() * std::clamp(at, 0.0, 1.0);
}

double Plot::yLog(double decade) const {
  double at = (decade - domain.y0) / (domain.y1 - domain.y0);
  return box.bottom - box.height() * std::clamp(at, 0.0, 1.0);
}

bool Plot::isBeyond(const Position &at) const {
  double x = logOf(at.intensity), y = logOf(at.perSecond);
  return x < domain.x0 || x > domain.x1 || y < domain.y0 || y > domain.y1;
}

namespace {

struct Weighted {
  double value, weight;
};

/// The value below which `fraction` of the weight lies.
double quantile(std::vector<Weighted> &values, double fraction) {
  llvm::sort(values, [](const Weighted &a, const Weighted &b) {
    return a.value < b.value;
  });
  double total = 0, sum = 0;
  for (const Weighted &value : values)
    total += value.weight;
  for (const Weighted &value : values) {
    sum += value.weight;
    if (sum > total * fraction)
      return value.value;
  }
  return values.back().value;
}

/// What the axes must show of the devices.
struct Corners {
  double lowRidge = 1e30, highRidge = 0, lowRoof = 1e30, highRoof = 0;
};

Corners cornersOf(ArrayRef<Report> reports) {
  Corners corners;
  for (const Report &report : reports) {
    const MemoryLevel *dram = report.device.dram();
    for (const ComputeCeiling &ceiling : report.device.compute) {
      corners.lowRoof = std::min(corners.lowRoof, ceiling.perSecond);
      corners.highRoof = std::max(corners.highRoof, ceiling.perSecond);
      if (!dram || dram->bytesPerSecond <= 0)
        continue;
      double ridge = ceiling.perSecond / dram->bytesPerSecond;
      corners.lowRidge = std::min(corners.lowRidge, ridge);
      corners.highRidge = std::max(corners.highRidge, ridge);
    }
  }
  if (corners.highRoof == 0) // a device without compute ceilings
    corners.lowRoof = 1e9, corners.highRoof = 1e12;
  if (corners.highRidge == 0)
    corners.lowRidge = 1, corners.highRidge = 10;
  return corners;
}

} // namespace

Domain domainOf(ArrayRef<Report> reports) {
  // Ops that take next to no time may stand at the edge; they don't stretch
  // the axes.
  constexpr double negligible = 0.01, most = 9;
  std::vector<Weighted> xs, ys;
  for (const Report &report : reports)
    for (const Report::Op &op : report.ops)
      if (std::optional<Position> at = position(op)) {
        xs.push_back({Plot::logOf(at->intensity), *op.placement.seconds});
        ys.push_back({Plot::logOf(at->perSecond), *op.placement.seconds});
        if (std::optional<Position> measured = measuredPosition(report, op))
          ys.push_back(
              {Plot::logOf(measured->perSecond), *op.placement.seconds});
        if (std::optional<Position> library = libraryPosition(report, op))
          ys.push_back(
              {Plot::logOf(library->perSecond), *op.placement.seconds});
      }
  Corners corners = cornersOf(reports);
  Domain domain;
  domain.x0 = Plot::logOf(corners.lowRidge) - 1;
  domain.x1 = Plot::logOf(corners.highRidge) + 0.7;
  domain.y0 = Plot::logOf(corners.lowRoof) - 1.5;
  domain.y1 = Plot::logOf(corners.highRoof) + 0.35;
  if (!xs.empty()) {
    domain.x0 = std::min(domain.x0, quantile(xs, negligible) - 0.2);
    domain.x1 = std::max(domain.x1, quantile(xs, 1 - negligible) + 0.3);
    domain.y0 = std::min(domain.y0, quantile(ys, 3 * negligible) - 0.3);
  }
  domain.x0 = std::floor(std::max(domain.x0, domain.x1 - most));
  domain.x1 = std::ceil(domain.x1);
  domain.y0 = std::floor(std::max(domain.y0, domain.y1 - most));
  return domain;
}

StringRef boundColor(Bound bound) {
  switch (bound) { // of the Okabe-Ito palette, told apart without colour sight
  case Bound::Compute:
    return "#0072b2";
  case Bound::Memory:
    return "#e69f00";
  case Bound::Overhead:
    return "#cc79a7";
  case Bound::None:
  case Bound::Unknown:
    return "#999999";
  }
  return "#999999";
}

StringRef boundRim(Bound bound) {
  switch (bound) {
  case Bound::Compute:
    return "#00436a";
  case Bound::Memory:
    return "#8a5f00";
  case Bound::Overhead:
    return "#81335d";
  case Bound::None:
  case Bound::Unknown:
    return "#555555";
  }
  return "#555555";
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

static std::string decadeText(int decade) {
  if (decade >= -3 && decade <= 5)
    return decade >= 0 ? "1" + std::string(decade, '0')
                       : "0." + std::string(-decade - 1, '0') + "1";
  return "1e" + std::to_string(decade);
}

/// "1 TFLOP/s" for a whole decade.
static std::string rateText(int decade) {
  static constexpr StringLiteral prefixes[] = {"",  "k", "M", "G",
                                               "T", "P", "E"};
  int step = std::clamp(decade >= 0 ? decade / 3 : 0, 0, 6);
  int rest = decade - 3 * step;
  return decadeText(rest) + " " + prefixes[step].str() + "FLOP/s";
}

static void drawAxes(Canvas &canvas, const Plot &plot) {
  constexpr StringLiteral grid = "stroke=\"#e3e6e8\" stroke-width=\"1\"";
  constexpr StringLiteral tick = "stroke=\"#888888\" stroke-width=\"1\"";
  const Box &box = plot.box;
  TextLook look;
  look.fill = "#444444";
  for (int decade = std::ceil(plot.domain.x0); decade <= plot.domain.x1;
       ++decade) {
    double x = plot.xLog(decade);
    canvas.line({x, box.top}, {x, box.bottom}, grid);
    look.anchor = Anchor::Middle;
    canvas.text({x, box.bottom + 20}, decadeText(decade), look);
    for (int digit = 2; digit < 10 && decade < plot.domain.x1; ++digit) {
      double minor = plot.xLog(decade + std::log10(double(digit)));
      canvas.line({minor, box.bottom}, {minor, box.bottom + 3}, tick);
    }
  }
  for (int decade = std::ceil(plot.domain.y0); decade <= plot.domain.y1;
       ++decade) {
    double y = plot.yLog(decade);
    canvas.line({box.left, y}, {box.right, y}, grid);
    look.anchor = Anchor::End;
    canvas.text({box.left - 8, y + 4}, rateText(decade), look);
  }
  canvas.line({box.left, box.bottom}, {box.right, box.bottom}, tick);
  canvas.line({box.left, box.top}, {box.left, box.bottom}, tick);
  look.anchor = Anchor::Middle;
  look.fill = "#222222";
  canvas.text({(box.left + box.right) / 2, box.bottom + 38},
              "arithmetic intensity (FLOP per byte of DRAM traffic)", look);
}

//===----------------------------------------------------------------------===//
// Roofs
//===----------------------------------------------------------------------===//

namespace {

/// Compute ceilings of one height and class, drawn as one line.
struct Roof {
  double perSecond;
  std::string label;
  bool used = false;
  bool isFloat = false; ///< any of its types: FLOP/s, not OP/s
};

std::vector<Roof> roofsOf(const Report &report) {
  std::vector<const ComputeCeiling *> used = mainCeilings(report);
  std::vector<Roof> roofs;
  std::vector<ComputeClass> classes;
  for (const ComputeCeiling &ceiling : report.device.compute) {
    bool isUsed = is_contained(used, &ceiling);
    size_t i = 0;
    while (i < roofs.size() &&
           (roofs[i].perSecond != ceiling.perSecond ||
            classes[i] != ceiling.cls || roofs[i].used != isUsed))
      ++i;
    if (i == roofs.size()) {
      roofs.push_back({ceiling.perSecond, name(ceiling.cls).str(), isUsed});
      classes.push_back(ceiling.cls);
      roofs[i].label += " " + name(ceiling.type).str();
    } else {
      roofs[i].label += ", " + name(ceiling.type).str();
    }
    roofs[i].isFloat |= kind(ceiling.type) == ElementKind::Float;
  }
  // The used ones last: they are drawn over the others.
  llvm::sort(roofs, [](const Roof &a, const Roof &b) {
    return std::tie(a.used, a.perSecond, a.label) <
           std::tie(b.used, b.perSecond, b.label);
  });
  return roofs;
}

constexpr double roofLabelWidth = 228;

/// Names of roofs beside the chart, pushed apart where they would collide.
void drawRoofLabels(Canvas &canvas, const Plot &plot,
                    const std::vector<Roof> &roofs) {
  constexpr double pitch = 13;
  struct Entry {
    double y, labelY;
    const Roof *roof;
  };
  std::vector<Entry> entries;
  size_t room = plot.box.height() / pitch;
  for (const Roof &roof : reverse(roofs)) // used first, in case room is short
    if (entries.size() < room) {
      double y = plot.y(roof.perSecond);
      entries.push_back({y, y, &roof});
    }
  llvm::sort(entries, [](const Entry &a, const Entry &b) {
    return std::make_tuple(a.y, !a.roof->used, a.roof->label) <
           std::make_tuple(b.y, !b.roof->used, b.roof->label);
  });
  for (size_t i = 1; i < entries.size(); ++i)
    entries[i].labelY =
        std::max(entries[i].labelY, entries[i - 1].labelY + pitch);
  double floor = plot.box.bottom;
  for (Entry &entry : reverse(entries)) {
    entry.labelY = std::min(entry.labelY, floor);
    floor = entry.labelY - pitch;
  }
  for (const Entry &entry : entries) {
    bool used = entry.roof->used;
    TextLook look;
    look.size = used ? 11.5 : 10;
    look.fill = used ? "#1a1a1a" : "#767676";
    double right = plot.box.right;
    canvas.line({right, entry.y}, {right + 14, entry.labelY},
                used ? "stroke=\"#555555\" stroke-width=\"1\""
                     : "stroke=\"#c4c4c4\" stroke-width=\"0.8\"");
    std::string rate = " " + si(entry.roof->perSecond,
                                entry.roof->isFloat ? "FLOP/s" : "OP/s");
    unsigned room = roofLabelWidth / Canvas::textWidth("m", look.size);
    canvas.text({right + 18, entry.labelY + 4},
                shorten(entry.roof->label, room - columns(rate)) + rate, look);
  }
}

/// The slanted roof of a memory level from where it enters the chart up to the
/// height `top` (a logarithm).
struct Slope {
  double bandwidth; ///< logarithm of bytes per second
  double from, to;  ///< logarithms of intensity

  Point at(const Plot &plot, double intensity) const {
    return {plot.xLog(intensity), plot.yLog(intensity + bandwidth)};
  }
};

Slope slopeOf(const Plot &plot, double bytesPerSecond, double top) {
  double bandwidth = Plot::logOf(bytesPerSecond);
  const Domain &domain = plot.domain;
  return {bandwidth, std::max(domain.x0, domain.y0 - bandwidth),
          std::min({domain.x1, top - bandwidth, domain.y1 - bandwidth})};
}

void drawSlope(Canvas &canvas, const Plot &plot, const MemoryLevel &level,
               double top, double highest, bool outermost,
               LabelPlacer &labels) {
  Slope slope = slopeOf(plot, level.bytesPerSecond, top);
  if (slope.from >= slope.to)
    return;
  Point start = slope.at(plot, slope.from), end = slope.at(plot, slope.to);
  canvas.line(start, end,
              outermost ? "stroke=\"#1a1a1a\" stroke-width=\"2.2\""
                        : "stroke=\"#777777\" stroke-width=\"1.2\" "
                          "stroke-dasharray=\"6 4\"");
  labels.discourage(start, end, 2);
  // Up to the roofs that the model doesn't use.
  Slope rest = slopeOf(plot, level.bytesPerSecond, plot.domain.y1);
  if (outermost && rest.to > slope.to)
    canvas.line(end,
                rest.at(plot, std::min(rest.to, highest - slope.bandwidth)),
                "stroke=\"#c4c4c4\" stroke-width=\"1\"");
}

/// Writes along a slope, a little above it, where it covers least.
void labelSlope(Canvas &canvas, const Plot &plot, const MemoryLevel &level,
                double top, bool outermost, LabelPlacer &labels) {
  Slope slope = slopeOf(plot, level.bytesPerSecond, top);
  std::string label =
      printable(level.level) + " " + si(level.bytesPerSecond, "B/s");
  TextLook look;
  look.size = 11.5;
  look.fill = outermost ? "#1a1a1a" : "#5c5c5c";
  look.halo = true;
  double width = Canvas::textWidth(label, look.size);
  Point start = slope.at(plot, slope.from), end = slope.at(plot, slope.to);
  double length = std::hypot(end.x - start.x, end.y - start.y);
  if (slope.from >= slope.to || length < width + 30)
    return;
  double dx = (end.x - start.x) / length, dy = (end.y - start.y) / length;
  look.angle = std::atan2(dy, dx) * 180 / 3.14159265358979323846;
  auto footAt = [&](double along) {
    return Point{start.x + dx * along + dy * 6, start.y + dy * along - dx * 6};
  };
  auto eachBox = [&](Point foot, auto visit) {
    for (unsigned i = 0; i * 8 < width; ++i) {
      double along = i * 8;
      visit(Box{foot.x + dx * along - 3, foot.y + dy * along - 11,
                foot.x + dx * along + 9, foot.y + dy * along + 2});
    }
  };
  Point best = footAt(18);
  double bestCost = std::numeric_limits<double>::infinity();
  for (unsigned i = 0; 28 + width + 30 * i < length; ++i) {
    double along = 18 + 30 * i;
    double cost = along * 0.05; // the left end, if all is equal
    eachBox(footAt(along), [&](const Box &box) {
      cost += labels.cost(box) + (labels.isFree(box) ? 0 : 1e4);
    });
    if (cost < bestCost) {
      bestCost = cost;
      best = footAt(along);
    }
  }
  canvas.text(best, label, look);
  eachBox(best, [&](const Box &box) { labels.forbid(box); });
}

/// Shades what the fastest roof and DRAM allow.
void drawAttainable(Canvas &canvas, const Plot &plot, double top,
                    double bytesPerSecond) {
  Slope slope = slopeOf(plot, bytesPerSecond, top);
  if (slope.from >= slope.to)
    return;
  double foot = plot.yLog(slope.from + slope.bandwidth);
  std::vector<Point> outline = {
      {plot.xLog(slope.from), plot.box.bottom},
      {plot.xLog(slope.from), foot},
      {plot.xLog(slope.to), plot.yLog(slope.to + slope.bandwidth)},
      {plot.box.right, plot.yLog(top)},
      {plot.box.right, plot.box.bottom}};
  canvas.polygon(outline, "fill=\"#f5f7f9\"");
}

void drawRidge(Canvas &canvas, const Plot &plot, double ridge, double perSecond,
               LabelPlacer &labels) {
  Point at = {plot.x(ridge), plot.y(perSecond)};
  canvas.line({at.x, at.y}, {at.x, plot.box.bottom},
              "stroke=\"#555555\" stroke-width=\"1\" "
              "stroke-dasharray=\"1.5 4\"");
  canvas.polygon(
      {{at.x, at.y - 5}, {at.x + 5, at.y}, {at.x, at.y + 5}, {at.x - 5, at.y}},
      "fill=\"#1a1a1a\"");
  labels.forbid({at.x - 5, at.y - 5, at.x + 5, at.y + 5});
}

void labelRidge(Canvas &canvas, const Plot &plot, double ridge,
                LabelPlacer &labels) {
  TextLook look;
  look.size = 11;
  look.fill = "#444444";
  look.halo = true;
  std::string label = "ridge " + ratio(ridge) + " FLOP/byte";
  double width = Canvas::textWidth(label, look.size), at = plot.x(ridge);
  bool flip = at + width + 12 > plot.box.right;
  look.anchor = flip ? Anchor::End : Anchor::Start;
  double x = flip ? at - 6 : at + 6, left = flip ? x - width : x;
  canvas.text({x, plot.box.bottom - 8}, label, look);
  labels.forbid(
      {left - 2, plot.box.bottom - 22, left + width + 2, plot.box.bottom - 2});
}

/// The logarithm of the highest roof that the model uses, else of any.
double topRoof(const std::vector<Roof> &roofs) {
  double used = 0, any = 0;
  for (const Roof &roof : roofs) {
    any = std::max(any, roof.perSecond);
    if (roof.used)
      used = std::max(used, roof.perSecond);
  }
  return Plot::logOf(used > 0 ? used : any);
}

/// The ceiling that does the most work and its ridge, where there is one.
struct MainRidge {
  double ridge, perSecond;
};
std::optional<MainRidge> mainRidge(const Report &report) {
  std::vector<const ComputeCeiling *> ceilings = mainCeilings(report);
  const MemoryLevel *dram = report.device.dram();
  if (!dram || dram->bytesPerSecond <= 0 || ceilings.empty())
    return std::nullopt;
  double perSecond = ceilings.front()->perSecond;
  return MainRidge{perSecond / dram->bytesPerSecond, perSecond};
}

} // namespace

void drawRoofs(Canvas &canvas, const Plot &plot, const Report &report,
               LabelPlacer &labels) {
  std::vector<Roof> roofs = roofsOf(report);
  const MemoryLevel *dram = report.device.dram();
  double top = topRoof(roofs), highest = top;
  for (const Roof &roof : roofs)
    highest = std::max(highest, Plot::logOf(roof.perSecond));
  if (dram)
    drawAttainable(canvas, plot, top, dram->bytesPerSecond);
  drawAxes(canvas, plot);
  for (const Roof &roof : roofs) {
    double ridge = dram && dram->bytesPerSecond > 0
                       ? roof.perSecond / dram->bytesPerSecond
                       : 0;
    double y = plot.y(roof.perSecond), x = plot.x(ridge);
    canvas.line({x, y}, {plot.box.right, y},
                roof.used ? "stroke=\"#1a1a1a\" stroke-width=\"2\""
                          : "stroke=\"#c4c4c4\" stroke-width=\"1\"");
    labels.discourage({x, y - 3, plot.box.right, y + 3}, roof.used ? 1 : 0.4);
  }
  for (const MemoryLevel &level : report.device.memory)
    drawSlope(canvas, plot, level, top, highest, &level == dram, labels);
  if (std::optional<MainRidge> main = mainRidge(report))
    drawRidge(canvas, plot, main->ridge, main->perSecond, labels);
}

void labelRoofs(Canvas &canvas, const Plot &plot, const Report &report,
                LabelPlacer &labels) {
  std::vector<Roof> roofs = roofsOf(report);
  const MemoryLevel *dram = report.device.dram();
  for (const MemoryLevel &level : report.device.memory)
    labelSlope(canvas, plot, level, topRoof(roofs), &level == dram, labels);
  if (std::optional<MainRidge> main = mainRidge(report))
    labelRidge(canvas, plot, main->ridge, labels);
  drawRoofLabels(canvas, plot, roofs);
}

} // namespace roofline::report
