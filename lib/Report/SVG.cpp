//===- SVG.cpp - the roofline itself as a picture -------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One chart a device, above each other and on the same axes: head, plot, the
// strip of ops that only move data, legend.
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "SVGChart.h"
#include "roofline/Report/Measured.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::report;

namespace {

constexpr double pageWidth = 1200, plotLeft = 100, plotRight = 950;
constexpr double headHeight = 104, plotHeight = 500, axisHeight = 50;
constexpr double stripHeight = 40, stripBelow = 26, stripAbove = 26;
constexpr double legendHeight = 92;

/// What the legend says of the ops.
struct Census {
  std::array<unsigned, numBounds> ops{};
  std::array<double, numBounds> seconds{};
  unsigned movement = 0, views = 0, unknown = 0, beyond = 0;
};

Census census(const Report &report, const Domain &domain) {
  Census census;
  Plot plot({0, 0, 1, 1}, domain);
  for (const Report::Op &op : report.ops) {
    std::optional<Position> at = position(op);
    bool moves = isMovement(op);
    if (at || moves) {
      ++census.ops[unsigned(op.placement.bound)];
      census.seconds[unsigned(op.placement.bound)] += *op.placement.seconds;
      census.movement += moves;
      census.beyond += at && plot.isBeyond(*at);
    } else if (op.placement.bound == Bound::None) {
      ++census.views;
    } else {
      ++census.unknown;
    }
  }
  return census;
}

double panelHeight(const Census &census) {
  double strip = census.movement ? stripAbove + stripHeight + stripBelow : 0;
  return headHeight + plotHeight + axisHeight + strip + legendHeight;
}

/// FLOPs, bytes, time and memory; formulas for what isn't known.
std::string workText(const Report &report) {
  const Report::Totals &totals = report.totals;
  std::optional<Int> moved = totalBytes(totals.bytesRead, totals.bytesWritten);
  auto orFormula = [](std::string value, bool known, StringRef what,
                      StringRef formula) {
    return known || formula.empty() ? std::move(value)
                                    : (what + " = " + printable(formula)).str();
  };
  std::string text =
      orFormula(si(totals.flops, "FLOP"), totals.flops.has_value(), "FLOPs",
                totals.flopsFormula) +
      ", " +
      orFormula(bytes(moved), moved.has_value(), "bytes", totals.bytesFormula);
  if (std::optional<double> time = totalSeconds(report))
    text += ", " + seconds(time) + " unfused";
  if (totals.secondsInterval)
    text += " (interval " + seconds(totals.secondsInterval->first) + " to " +
            seconds(totals.secondsInterval->second) + ")";
  if (totals.peakMemoryBytes)
    text += "; peak memory " + peakMemoryText(report);
  return text;
}

void drawHead(Canvas &canvas, double top, const Report &report) {
  TextLook title;
  title.size = 20;
  title.bold = true;
  canvas.text({24, top + 34},
              shorten("Roofline of " + printable(report.model.name) + " on " +
                          deviceText(report.device),
                      100),
              title);
  TextLook line;
  line.size = 13;
  line.fill = "#444444";
  canvas.text({24, top + 58}, shorten(workText(report), 165), line);
  std::string facts =
      "dimensions: " + dimsText(report) + "; " + coverageText(report);
  std::string tf32 = tf32Text(report);
  if (!tf32.empty())
    facts += "; " + tf32;
  canvas.text({24, top + 77}, shorten(facts, 165), line);
}

/// Writes legend entries one after the other.
class Legend {
public:
  Legend(Canvas &canvas, double x, double y) : canvas(canvas), x(x), y(y) {}

  void bubble(StringRef text, double radius, StringRef fill, StringRef rim) {
    canvas.circle(
        {x + radius, y - 4}, radius,
        ("fill=\"" + fill + "\" fill-opacity=\"0.6\" stroke=\"" + rim + "\"")
            .str());
    advance(2 * radius + 6, text);
  }
  void fusion(StringRef text) {
    canvas.circle({x + 4, y - 4}, 3.5,
                  "fill=\"#ffffff\" stroke=\"" + fusedColor.str() +
                      "\" stroke-dasharray=\"2 1.5\"");
    canvas.arrow({x + 9, y - 4}, {x + 30, y - 4}, fusedColor);
    canvas.circle({x + 35, y - 4}, 4, "fill=\"" + fusedColor.str() + "\"");
    advance(46, text);
  }
  void hollow(StringRef text) {
    canvas.circle({x + 4, y - 4}, 3.5, "fill=\"#ffffff\" stroke=\"#222222\"");
    advance(14, text);
  }
  void library(StringRef text) {
    drawLibraryMark(canvas, {x + 4, y - 4});
    advance(14, text);
  }
  void plain(StringRef text) {
    if (!text.empty())
      advance(0, text);
  }

private:
  void advance(double markWidth, StringRef text) {
    x += markWidth;
    TextLook look;
    look.fill = "#333333";
    canvas.text({x, y}, text, look);
    x += Canvas::textWidth(text, look.size) + 22;
  }

  Canvas &canvas;
  double x, y;
};

void drawLegend(Canvas &canvas, double top, const Report &report,
                const Census &census) {
  Legend bounds(canvas, plotLeft, top + 22);
  double total = report.totals.seconds.value_or(0);
  for (Bound bound : {Bound::Compute, Bound::Memory, Bound::Overhead}) {
    unsigned ops = census.ops[unsigned(bound)];
    std::string text = name(bound).str() + "-bound: " + plural(ops, "op");
    if (ops && total > 0)
      text += ", " + percent(census.seconds[unsigned(bound)] / total) +
              " of the time";
    bounds.bubble(text, 7, boundColor(bound), boundRim(bound));
  }
  Legend rest(canvas, plotLeft, top + 48);
  rest.plain("area: share of the time");
  for (double share : {0.01, 0.1})
    rest.bubble(share < 0.05 ? "1%" : "10%", bubbleRadius(share), "#dddddd",
                "#777777");
  if (!report.fusionGroups.empty())
    rest.fusion("a fusion group, before and after");
  if (report.measured)
    rest.hollow("measured, linked to the prediction");
  if (report.measured && !report.measured->libraryName().empty())
    rest.library(printable(report.measured->libraryName()));
  std::string notes;
  auto note = [&](unsigned count, StringRef text) {
    if (count)
      notes += (notes.empty() ? "" : "; ") + plural(count, "op") + text.str();
  };
  note(census.views, " without work, not drawn");
  note(census.unknown, " of unknown cost, not drawn");
  note(census.beyond, " beyond the axes, at the edge (dashed)");
  Legend(canvas, plotLeft, top + 74).plain(notes);
}

void drawPanel(Canvas &canvas, double top, const Report &report,
               const Domain &domain, const Census &census) {
  drawHead(canvas, top, report);
  Box box = {plotLeft, top + headHeight, plotRight,
             top + headHeight + plotHeight};
  Plot plot(box, domain);
  LabelPlacer labels(
      {box.left + 2, box.top + 2, box.right - 2, box.bottom - 2});
  Marks marks = marksOf(plot, report);
  drawRoofs(canvas, plot, report, labels);
  drawMarks(canvas, report, marks, labels);
  drawMeasured(canvas, plot, report);
  labelRoofs(canvas, plot, report, labels);
  labelMarks(canvas, report, marks, labels);
  double below = box.bottom + axisHeight;
  if (census.movement) {
    TextLook look;
    look.fill = "#222222";
    canvas.text({box.left, below + stripAbove - 8},
                plural(census.movement, "op") + " without arithmetic, by time",
                look);
    drawMovement(canvas,
                 {box.left, below + stripAbove, box.right,
                  below + stripAbove + stripHeight},
                 report);
    below += stripAbove + stripHeight + stripBelow;
  }
  drawLegend(canvas, below, report, census);
}

} // namespace

void roofline::writeSVG(ArrayRef<Report> reports, raw_ostream &os) {
  if (reports.empty())
    return;
  Domain domain = domainOf(reports);
  std::vector<Census> counts;
  double height = 0;
  for (const Report &report : reports) {
    counts.push_back(census(report, domain));
    height += panelHeight(counts.back());
  }
  std::string width = std::to_string(int(pageWidth)),
              tall = std::to_string(int(height));
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width
     << "\" height=\"" << tall << "\" viewBox=\"0 0 " << width << ' ' << tall
     << "\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" "
        "role=\"img\">\n";
  Canvas canvas(os);
  os << "<title>" << Canvas::escape("Roofline of " + reports.front().model.name)
     << "</title>\n";
  canvas.rect({0, 0, pageWidth, height}, "fill=\"#ffffff\"");
  double top = 0;
  for (size_t i = 0; i < reports.size(); ++i) {
    drawPanel(canvas, top, reports[i], domain, counts[i]);
    top += panelHeight(counts[i]);
  }
  os << "</svg>\n";
}
