//===- SVGChart.h - the parts of a roofline chart ---------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_REPORT_SVGCHART_H
#define ROOFLINE_LIB_REPORT_SVGCHART_H

#include "SVGCanvas.h"
#include "View.h"

namespace roofline::report {

/// Where an op stands: FLOP/byte and the FLOP/s it attains.
struct Position {
  double intensity, perSecond;
};
/// Nothing for an op without FLOPs or of unknown cost.
std::optional<Position> position(const Report::Op &op);
/// The same with the time that was measured; nothing where the op has none of
/// its own.
std::optional<Position> measuredPosition(const Report &report,
                                         const Report::Op &op);
/// The same of a library.
std::optional<Position> libraryPosition(const Report &report,
                                        const Report::Op &op);
/// An op that only moves data: it takes time and computes nothing.
bool isMovement(const Report::Op &op);

/// The decimal logarithms that the axes span.
struct Domain {
  double x0, x1, y0, y1;
};
/// One domain for all, so that several charts can be compared.
Domain domainOf(llvm::ArrayRef<Report> reports);

/// A chart's area on the canvas with its scales.
class Plot {
public:
  Plot(const Box &box, const Domain &domain) : box(box), domain(domain) {}

  double x(double intensity) const { return xLog(logOf(intensity)); }
  double y(double perSecond) const { return yLog(logOf(perSecond)); }
  double xLog(double decade) const;
  double yLog(double decade) const;
  /// Whether `at` had to be moved to the edge.
  bool isBeyond(const Position &at) const;
  Point point(const Position &at) const {
    return {x(at.intensity), y(at.perSecond)};
  }
  /// The logarithm, of anything that isn't a positive number a very small one.
  static double logOf(double value);

  Box box;
  Domain domain;
};

llvm::StringRef boundColor(Bound bound);
llvm::StringRef boundRim(Bound bound);
constexpr llvm::StringLiteral fusedColor = "#007a5a";

/// Ops that fall on (nearly) the same spot and have the same bound.
struct Bubble {
  Point center = {0, 0};
  double seconds = 0, share = 0, radius = 0;
  Bound bound = Bound::Unknown;
  bool beyond = false; ///< stands at the edge, its place being outside
  std::vector<const Report::Op *> ops; ///< heaviest first
};

/// Fusion groups that move from one spot to one other.
struct Move {
  Point from, to;
  double secondsSaved = 0;
  std::vector<const Report::FusionGroup *> groups;
};

struct Marks {
  std::vector<Bubble> bubbles; ///< greatest first
  std::vector<Move> moves;     ///< the few that save most
};

/// The axes, the roofs, and what they leave attainable; tells `labels` what to
/// keep clear of.
void drawRoofs(Canvas &canvas, const Plot &plot, const Report &report,
               LabelPlacer &labels);
/// The roofs' names and the ridge, over the marks.
void labelRoofs(Canvas &canvas, const Plot &plot, const Report &report,
                LabelPlacer &labels);

Marks marksOf(const Plot &plot, const Report &report);
void drawMarks(Canvas &canvas, const Report &report, const Marks &marks,
               LabelPlacer &labels);
/// Names the heaviest.
void labelMarks(Canvas &canvas, const Report &report, const Marks &marks,
                LabelPlacer &labels);

/// Hollow points where ops were measured, linked to where they were predicted.
/// Beside them diamonds, where a library computed the same.
void drawMeasured(Canvas &canvas, const Plot &plot, const Report &report);
void drawLibraryMark(Canvas &canvas, Point at);

/// The ops that only move data, by their time, in the strip `box`.
void drawMovement(Canvas &canvas, const Box &box, const Report &report);
/// The radius whose area stands for a share of the time.
double bubbleRadius(double share);

} // namespace roofline::report

#endif // ROOFLINE_LIB_REPORT_SVGCHART_H
