//===- SVGMarks.cpp - ops and fusion groups in a chart --------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that fall on (nearly) the same spot and have the same bound are one
// bubble, whose area is the time of them all: the layers of a model repeat each
// other, and thousands of circles over each other say nothing.
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "SVGChart.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <map>

using namespace llvm;

namespace roofline::report {

double bubbleRadius(double share) {
  constexpr double whole = 40, least = 2;
  return std::max(least, whole * std::sqrt(std::clamp(share, 0.0, 1.0)));
}

namespace {

/// Bubbles of one chart, by the cells they fall in.
class Bubbles {
public:
  explicit Bubbles(const Report &report) : report(report) {}

  void add(const Report::Op &op, Point at, double cell, bool beyond) {
    auto key =
        std::make_tuple(int(at.x / cell), int(at.y / cell), op.placement.bound);
    Bubble &bubble = byCell[key];
    double seconds = *op.placement.seconds;
    double sum = bubble.seconds + seconds;
    if (sum > 0) { // the centre is the mean by time
      double part = seconds / sum;
      bubble.center.x += (at.x - bubble.center.x) * part;
      bubble.center.y += (at.y - bubble.center.y) * part;
    }
    bubble.seconds = sum;
    bubble.bound = op.placement.bound;
    bubble.beyond |= beyond;
    bubble.ops.push_back(&op);
  }

  /// All, the greatest first.
  std::vector<Bubble> take(double most) {
    double total = report.totals.seconds.value_or(0);
    std::vector<Bubble> bubbles;
    for (auto &[key, bubble] : byCell) {
      bubble.share = total > 0 ? bubble.seconds / total : 0;
      bubble.radius = std::min(most, bubbleRadius(bubble.share));
      llvm::sort(bubble.ops, [](const Report::Op *a, const Report::Op *b) {
        return std::make_pair(-*a->placement.seconds, a->index) <
               std::make_pair(-*b->placement.seconds, b->index);
      });
      bubbles.push_back(std::move(bubble));
    }
    llvm::sort(bubbles, [](const Bubble &a, const Bubble &b) {
      return std::make_pair(-a.seconds, a.ops.front()->index) <
             std::make_pair(-b.seconds, b.ops.front()->index);
    });
    return bubbles;
  }

private:
  const Report &report;
  std::map<std::tuple<int, int, Bound>, Bubble> byCell;
};

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// The name with each run of digits as "*": what the layers have in common.
std::string pattern(StringRef name) {
  std::string out;
  for (char c : name) {
    if (!isDigit(c))
      out += c;
    else if (out.empty() || out.back() != '*')
      out += '*';
  }
  return out;
}

/// The last two parts of a path: "up_proj/MatMul".
StringRef pathTail(StringRef name) {
  size_t slash = name.rfind('/');
  if (slash == StringRef::npos || slash == 0)
    return name;
  size_t before = name.take_front(slash).rfind('/');
  return before == StringRef::npos ? name : name.drop_front(before + 1);
}

/// Whether a name is but a number, as MLIR's are: "%12".
bool isNumbered(StringRef name) { return none_of(name, isAlpha); }

/// The name that says most: the type where the name is but a number.
std::string speakingName(const Report::Op &op) {
  std::string name = displayName(op);
  return isNumbered(name) ? printable(op.opType) : name;
}

/// One name for all of a bubble's ops.
std::string commonName(ArrayRef<const Report::Op *> ops, size_t prefix) {
  std::string first = speakingName(*ops.front());
  if (isNumbered(displayName(*ops.front()))) {
    if (ops.size() == 1)
      return displayName(*ops.front()) + " " + shorten(first, 36);
    prefix = 0; // it isn't the type's
  }
  if (ops.size() == 1)
    return shorten(prefix ? "…/" + first.substr(prefix) : first, 44);
  constexpr size_t looked = 64; // enough to tell; a bubble can hold thousands
  struct Shape {
    std::string pattern, first;
    unsigned count = 0;
    /// What names it: the pattern only where it stands for several.
    StringRef text() const { return count > 1 ? pattern : first; }
  };
  std::vector<Shape> shapes;
  for (const Report::Op *op : ops.take_front(std::min(ops.size(), looked))) {
    std::string name = speakingName(*op);
    std::string shape = isNumbered(displayName(*op)) ? name : pattern(name);
    auto known = find_if(
        shapes, [&](const Shape &other) { return other.pattern == shape; });
    if (known == shapes.end())
      known = shapes.insert(shapes.end(), {shape, name});
    ++known->count;
  }
  std::string times = " ×" + std::to_string(ops.size());
  if (shapes.size() == 1)
    return shorten(prefix ? "…/" + pattern(first.substr(prefix))
                          : shapes[0].pattern,
                   44) +
           times;
  auto most = std::max_element(
      shapes.begin(), shapes.end(),
      [](const Shape &a, const Shape &b) { return a.count < b.count; });
  std::rotate(shapes.begin(), most, most + 1);
  std::string text = shorten(pathTail(shapes[0].text()), 22) + ", ";
  text += shapes.size() == 2 ? shorten(pathTail(shapes[1].text()), 22) : "…";
  return text + times;
}

std::string opTooltip(const Report &report, const Report::Op &op) {
  const Placement &placement = op.placement;
  std::string text = displayName(op) + " (" + printable(op.opType) + ")\n";
  text += seconds(placement.seconds) + ", " + percent(timeShare(report, op)) +
          " of the time; bound: " + name(placement.bound).str();
  if (!placement.limiter.empty())
    text += " (" + printable(placement.limiter) + ")";
  text += "\n" + si(op.flops, "FLOP") + ", " + bytes(totalBytes(op));
  if (std::optional<Position> at = position(op))
    text += ", " + ratio(at->intensity) + " FLOP/byte, attains " +
            si(at->perSecond, "FLOP/s");
  return text;
}

std::string tooltip(const Report &report, const Bubble &bubble) {
  if (bubble.ops.size() == 1)
    return opTooltip(report, *bubble.ops.front());
  constexpr size_t shown = 6;
  std::string text = plural(bubble.ops.size(), "op") + ", " +
                     seconds(bubble.seconds) + ", " + percent(bubble.share) +
                     " of the time; bound: " + name(bubble.bound).str();
  for (const Report::Op *op :
       ArrayRef(bubble.ops).take_front(std::min(bubble.ops.size(), shown)))
    text += "\n" + displayName(*op) + ": " + seconds(op->placement.seconds);
  if (bubble.ops.size() > shown)
    text += "\n… " + std::to_string(bubble.ops.size() - shown) + " more";
  return text;
}

//===----------------------------------------------------------------------===//
// Drawing
//===----------------------------------------------------------------------===//

void drawBubbles(Canvas &canvas, const Report &report,
                 ArrayRef<Bubble> bubbles) {
  for (const Bubble &bubble : bubbles) {
    canvas.openGroup(tooltip(report, bubble));
    std::string paint =
        "fill=\"" + boundColor(bubble.bound).str() + "\" stroke=\"" +
        boundRim(bubble.bound).str() + "\" " +
        (bubble.radius > 12  ? "fill-opacity=\"0.45\""
         : bubble.radius > 3 ? "fill-opacity=\"0.65\""
                             : "opacity=\"0.45\" stroke-width=\"0.6\"");
    if (bubble.beyond)
      paint += " stroke-dasharray=\"2 1.5\"";
    canvas.circle(bubble.center, bubble.radius, paint);
    canvas.closeGroup();
  }
}

void drawLabel(Canvas &canvas, LabelPlacer &labels, Point mark, double radius,
               StringRef text, StringRef fill) {
  constexpr double size = 11.5;
  std::optional<LabelPlacer::Place> place =
      labels.place(mark, radius, Canvas::textWidth(text, size), size);
  if (!place)
    return;
  if (place->leader)
    canvas.line(place->leaderFrom, place->leaderTo,
                "stroke=\"#666666\" stroke-width=\"0.8\"");
  TextLook look;
  look.size = size;
  look.anchor = place->anchor;
  look.fill = fill;
  look.halo = true;
  canvas.text(place->textAt, text, look);
}

void labelBubbles(Canvas &canvas, LabelPlacer &labels, const Report &report,
                  ArrayRef<Bubble> bubbles, size_t count, double least) {
  std::vector<const Report::Op *> named;
  for (const Bubble &bubble :
       bubbles.take_front(std::min(count, bubbles.size())))
    named.push_back(bubble.ops.front());
  size_t prefix = commonPath(named).size();
  for (const Bubble &bubble :
       bubbles.take_front(std::min(count, bubbles.size()))) {
    if (bubble.share < least)
      return;
    std::string text =
        commonName(bubble.ops, prefix) + " " + percent(bubble.share);
    drawLabel(canvas, labels, bubble.center, bubble.radius, text, "#111111");
  }
}

std::optional<Position> groupPosition(std::optional<double> flops,
                                      const std::optional<Int> &moved,
                                      std::optional<double> seconds) {
  if (!flops || *flops <= 0 || !moved || !seconds || *seconds <= 0)
    return std::nullopt;
  return Position{*flops / std::max(toDouble(*moved), 1e-30),
                  *flops / *seconds};
}

std::vector<Move> movesOf(const Plot &plot, const Report &report) {
  constexpr size_t shown = 4;
  constexpr double cell = 6;
  std::map<std::tuple<int, int, int, int>, Move> byCells;
  for (const Report::FusionGroup &group : report.fusionGroups) {
    std::optional<Position> before =
        groupPosition(group.flops, group.bytesBefore, group.secondsBefore);
    std::optional<Position> after =
        groupPosition(group.flops, group.bytesAfter, group.secondsAfter);
    if (!before || !after)
      continue;
    Point from = plot.point(*before), to = plot.point(*after);
    Move &move = byCells[{int(from.x / cell), int(from.y / cell),
                          int(to.x / cell), int(to.y / cell)}];
    move.from = from;
    move.to = to;
    move.secondsSaved += group.secondsSaved.value_or(0);
    move.groups.push_back(&group);
  }
  std::vector<Move> moves;
  for (auto &[key, move] : byCells)
    if (std::hypot(move.to.x - move.from.x, move.to.y - move.from.y) > 4)
      moves.push_back(std::move(move));
  llvm::sort(moves, [](const Move &a, const Move &b) {
    return std::make_pair(-a.secondsSaved, a.groups.front()->id) <
           std::make_pair(-b.secondsSaved, b.groups.front()->id);
  });
  if (moves.size() > shown)
    moves.resize(shown);
  return moves;
}

std::string moveText(const Move &move) {
  const Report::FusionGroup &first = *move.groups.front();
  std::string text = printable(first.kind);
  if (move.groups.size() > 1)
    text += " ×" + std::to_string(move.groups.size());
  else
    text += " group " + std::to_string(first.id);
  return text + " fused, −" + seconds(move.secondsSaved);
}

void drawMoves(Canvas &canvas, ArrayRef<Move> moves) {
  std::string ring = "fill=\"#ffffff\" fill-opacity=\"0.6\" stroke=\"" +
                     fusedColor.str() + "\" stroke-width=\"1.6\"";
  for (const Move &move : moves) {
    const Report::FusionGroup &first = *move.groups.front();
    canvas.openGroup(moveText(move) + "\n" + bytes(first.bytesBefore) + " → " +
                     bytes(first.bytesAfter) + " and " +
                     seconds(first.secondsBefore) + " → " +
                     seconds(first.secondsAfter) + " each");
    canvas.circle(move.from, 3.5, ring + " stroke-dasharray=\"2 1.5\"");
    double length =
        std::hypot(move.to.x - move.from.x, move.to.y - move.from.y);
    double dx = (move.to.x - move.from.x) / length,
           dy = (move.to.y - move.from.y) / length;
    canvas.arrow({move.from.x + dx * 3.5, move.from.y + dy * 3.5},
                 {move.to.x - dx * 4.5, move.to.y - dy * 4.5}, fusedColor);
    canvas.circle(move.to, 4, "fill=\"" + fusedColor.str() + "\"");
    canvas.closeGroup();
  }
}

} // namespace

Marks marksOf(const Plot &plot, const Report &report) {
  // Few ops keep their own places; many share coarser cells.
  double cell = report.ops.size() <= 400 ? 4 : 7;
  Bubbles cells(report);
  for (const Report::Op &op : report.ops)
    if (std::optional<Position> at = position(op))
      cells.add(op, plot.point(*at), cell, plot.isBeyond(*at));
  return {cells.take(bubbleRadius(1)), movesOf(plot, report)};
}

void drawMarks(Canvas &canvas, const Report &report, const Marks &marks,
               LabelPlacer &labels) {
  drawBubbles(canvas, report, marks.bubbles);
  drawMoves(canvas, marks.moves);
  for (const Bubble &bubble : marks.bubbles) {
    double r = bubble.radius * 0.9;
    labels.discourage({bubble.center.x - r, bubble.center.y - r,
                       bubble.center.x + r, bubble.center.y + r},
                      r > 6 ? 1.5 : 0.3);
  }
  for (const Move &move : marks.moves) {
    labels.discourage(move.from, move.to, 3);
    labels.forbid({move.to.x - 4, move.to.y - 4, move.to.x + 4, move.to.y + 4});
  }
}

void labelMarks(Canvas &canvas, const Report &report, const Marks &marks,
                LabelPlacer &labels) {
  constexpr size_t named = 8;
  constexpr double least = 0.002;
  labelBubbles(canvas, labels, report, marks.bubbles, named, least);
  for (const Move &move : marks.moves)
    drawLabel(canvas, labels, move.to, 5, moveText(move), fusedColor);
}

void drawMovement(Canvas &canvas, const Box &box, const Report &report) {
  double low = 1e300, high = 0;
  for (const Report::Op &op : report.ops)
    if (isMovement(op)) {
      low = std::min(low, *op.placement.seconds);
      high = std::max(high, *op.placement.seconds);
    }
  int from = std::floor(std::log10(low)), to = std::ceil(std::log10(high));
  to = std::max(to, from + 1);
  from = std::max(from, to - 9);
  auto x = [&](double seconds) {
    double at = (Plot::logOf(seconds) - from) / (to - from);
    return box.left + 24 + (box.width() - 48) * std::clamp(at, 0.0, 1.0);
  };
  canvas.rect(box, "fill=\"#f5f7f9\" stroke=\"#d5d9dc\"");
  TextLook look;
  look.fill = "#444444";
  look.anchor = Anchor::Middle;
  for (int decade = from; decade <= to; ++decade) {
    double at = x(std::pow(10.0, decade));
    canvas.line({at, box.top}, {at, box.bottom}, "stroke=\"#d5d9dc\"");
    std::string text = si(std::pow(10.0, decade), "s");
    size_t point = text.find('.'), space = text.find(' ');
    if (point != std::string::npos) // whole decades need no decimals
      text.erase(point, space - point);
    canvas.text({at, box.bottom + 16}, text, look);
  }
  Bubbles cells(report);
  double middle = (box.top + box.bottom) / 2;
  for (const Report::Op &op : report.ops)
    if (isMovement(op))
      cells.add(op, {x(*op.placement.seconds), middle}, 6, false);
  std::vector<Bubble> bubbles = cells.take(box.height() / 2 - 3);
  drawBubbles(canvas, report, bubbles);
  LabelPlacer labels(box);
  for (const Bubble &bubble : bubbles)
    labels.discourage(
        {bubble.center.x - bubble.radius, bubble.center.y - bubble.radius,
         bubble.center.x + bubble.radius, bubble.center.y + bubble.radius},
        1);
  labelBubbles(canvas, labels, report, bubbles, 3, 0.01);
}

} // namespace roofline::report
