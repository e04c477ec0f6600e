//===- SVGMeasured.cpp - measured points of a roofline chart --------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "SVGChart.h"
#include "roofline/Report/Measured.h"

using namespace llvm;

namespace roofline::report {

std::optional<Position> measuredPosition(const Report &report,
                                         const Report::Op &op) {
  const MeasuredEvent *event =
      report.measured ? report.measured->ofRow(op.index) : nullptr;
  std::optional<Position> predicted = position(op);
  if (!event || event->group || !event->flopsPerSecond || !predicted)
    return std::nullopt;
  return Position{predicted->intensity, *event->flopsPerSecond};
}

std::optional<Position> libraryPosition(const Report &report,
                                        const Report::Op &op) {
  const MeasuredEvent *event =
      report.measured ? report.measured->ofRow(op.index) : nullptr;
  std::optional<Position> predicted = position(op);
  if (!event || !event->library || !event->library->flopsPerSecond ||
      !predicted)
    return std::nullopt;
  return Position{predicted->intensity, *event->library->flopsPerSecond};
}

void drawLibraryMark(Canvas &canvas, Point at) {
  constexpr double reach = 4.5;
  canvas.polygon({{at.x, at.y - reach},
                  {at.x + reach, at.y},
                  {at.x, at.y + reach},
                  {at.x - reach, at.y}},
                 "fill=\"#009e73\" stroke=\"#ffffff\" stroke-width=\"0.8\"");
}

/// The library's point stands over or under the kernel's: the work is the same.
static void drawLibrary(Canvas &canvas, const Plot &plot, const Report &report,
                        const Report::Op &op) {
  std::optional<Position> at = libraryPosition(report, op);
  if (!at)
    return;
  const MeasuredEvent &event = *report.measured->ofRow(op.index);
  canvas.openGroup(displayName(op) + ", " + printable(event.library->name) +
                   ": " + seconds(event.library->seconds) + " (" +
                   si(at->perSecond, "FLOP/s") + ")");
  drawLibraryMark(canvas, plot.point(*at));
  canvas.closeGroup();
}

void drawMeasured(Canvas &canvas, const Plot &plot, const Report &report) {
  if (!report.measured)
    return;
  // Of many only the heaviest: each is a point and a line.
  constexpr size_t most = 60;
  std::vector<const Report::Op *> ops;
  for (const Report::Op &op : report.ops)
    if (measuredPosition(report, op))
      ops.push_back(&op);
  llvm::sort(ops, [&](const Report::Op *a, const Report::Op *b) {
    double timeA = *report.measured->ofRow(a->index)->seconds;
    double timeB = *report.measured->ofRow(b->index)->seconds;
    return timeA != timeB ? timeA > timeB : a < b;
  });
  ops.resize(std::min(ops.size(), most));
  for (const Report::Op *op : ops) {
    const MeasuredEvent &event = *report.measured->ofRow(op->index);
    Position at = *measuredPosition(report, *op);
    Point to = plot.point(at);
    canvas.openGroup(displayName(*op) +
                     ", measured: " + seconds(event.seconds) + " (" +
                     si(at.perSecond, "FLOP/s") + ")");
    canvas.line(plot.point(*position(*op)), to,
                "stroke=\"#555555\" stroke-width=\"0.7\" "
                "stroke-dasharray=\"2 2\" fill=\"none\"");
    canvas.circle(to, 3.5,
                  event.aboveRoof.empty()
                      ? "fill=\"#ffffff\" stroke=\"#222222\""
                      : "fill=\"#ffffff\" stroke=\"#d55e00\" "
                        "stroke-width=\"2\"");
    canvas.closeGroup();
    drawLibrary(canvas, plot, report, *op);
  }
}

} // namespace roofline::report
