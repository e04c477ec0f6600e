//===- SVGCanvas.cpp - drawing primitives of the chart --------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SVGCanvas.h"
#include "Format.h"
#include "llvm/Support/raw_ostream.h"
#include <charconv>
#include <cmath>

using namespace llvm;

namespace roofline::report {

bool Box::contains(const Box &other) const {
  return left <= other.left && top <= other.top && right >= other.right &&
         bottom >= other.bottom;
}

double Box::overlap(const Box &other) const {
  double wide = std::min(right, other.right) - std::max(left, other.left);
  double high = std::min(bottom, other.bottom) - std::max(top, other.top);
  return wide > 0 && high > 0 ? wide * high : 0;
}

void Canvas::number(double value) {
  char digits[40];
  double rounded = std::round(std::clamp(value, -1e6, 1e6) * 10) / 10;
  if (!std::isfinite(rounded) || rounded == 0)
    rounded = 0; // and never "-0"
  auto end = std::to_chars(digits, digits + sizeof(digits), rounded);
  os.write(digits, end.ptr - digits);
}

void Canvas::point(Point at) {
  number(at.x);
  os << ',';
  number(at.y);
}

void Canvas::line(Point from, Point to, StringRef attributes) {
  os << "<path d=\"M";
  point(from);
  os << 'L';
  point(to);
  os << "\" " << attributes << "/>\n";
}

void Canvas::circle(Point center, double radius, StringRef attributes) {
  os << "<circle cx=\"";
  number(center.x);
  os << "\" cy=\"";
  number(center.y);
  os << "\" r=\"";
  number(radius);
  os << "\" " << attributes << "/>\n";
}

void Canvas::rect(const Box &box, StringRef attributes) {
  os << "<rect x=\"";
  number(box.left);
  os << "\" y=\"";
  number(box.top);
  os << "\" width=\"";
  number(box.width());
  os << "\" height=\"";
  number(box.height());
  os << "\" " << attributes << "/>\n";
}

void Canvas::polygon(ArrayRef<Point> points, StringRef attributes) {
  os << "<polygon points=\"";
  for (size_t i = 0; i < points.size(); ++i) {
    os << (i ? " " : "");
    point(points[i]);
  }
  os << "\" " << attributes << "/>\n";
}

void Canvas::text(Point at, StringRef text, const TextLook &look) {
  static constexpr StringLiteral anchors[] = {"start", "middle", "end"};
  auto write = [&](bool rim) {
    os << "<text x=\"";
    number(at.x);
    os << "\" y=\"";
    number(at.y);
    os << "\" font-size=\"";
    number(look.size);
    os << '"';
    if (look.anchor != Anchor::Start)
      os << " text-anchor=\"" << anchors[unsigned(look.anchor)] << '"';
    if (look.bold)
      os << " font-weight=\"bold\"";
    if (look.angle != 0) {
      os << " transform=\"rotate(";
      number(look.angle);
      os << ' ';
      number(at.x);
      os << ' ';
      number(at.y);
      os << ")\"";
    }
    // Two elements rather than paint-order, which not every viewer knows.
    if (rim)
      os << " fill=\"#ffffff\" stroke=\"#ffffff\" stroke-width=\"3\" "
            "stroke-linejoin=\"round\" aria-hidden=\"true\"";
    else
      os << " fill=\"" << look.fill << '"';
    os << '>' << escape(text) << "</text>\n";
  };
  if (look.halo)
    write(true);
  write(false);
}

void Canvas::arrow(Point from, Point to, StringRef color) {
  constexpr double head = 8;
  double dx = to.x - from.x, dy = to.y - from.y;
  double length = std::hypot(dx, dy);
  std::string paint = ("stroke=\"" + color + "\" stroke-width=\"1.6\"").str();
  if (length < 1)
    return;
  dx /= length;
  dy /= length;
  double reach = std::min(head, length);
  Point base = {to.x - dx * reach, to.y - dy * reach};
  line(from, base, paint);
  polygon({to,
           {base.x - dy * reach * 0.45, base.y + dx * reach * 0.45},
           {base.x + dy * reach * 0.45, base.y - dx * reach * 0.45}},
          ("fill=\"" + color + "\"").str());
}

void Canvas::openGroup(StringRef title) {
  os << "<g><title>" << escape(title) << "</title>\n";
}

void Canvas::closeGroup() { os << "</g>\n"; }

void Canvas::raw(StringRef text) { os << text; }

double Canvas::textWidth(StringRef text, double size) {
  return columns(text) * size * 0.6;
}

std::string Canvas::escape(StringRef text) {
  std::string out;
  for (auto [lines, rest] = text.split('\n');;
       std::tie(lines, rest) = rest.split('\n')) {
    for (char c : printable(lines)) {
      if (c == '&')
        out += "&amp;";
      else if (c == '<')
        out += "&lt;";
      else if (c == '>')
        out += "&gt;";
      else if (c == '"')
        out += "&quot;";
      else
        out += c;
    }
    if (rest.empty())
      return out;
    out += '\n';
  }
}

namespace {

/// Boxes along a line, close enough that nothing slips between them.
template <typename Fn> void along(Point from, Point to, Fn visit) {
  constexpr double step = 5;
  double length = std::hypot(to.x - from.x, to.y - from.y);
  unsigned steps = unsigned(std::ceil(length / step));
  for (unsigned i = 0; i <= steps; ++i) {
    double part = steps ? double(i) / steps : 0;
    double x = from.x + (to.x - from.x) * part;
    double y = from.y + (to.y - from.y) * part;
    visit(Box{x - 2, y - 2, x + 2, y + 2});
  }
}

} // namespace

void LabelPlacer::discourage(Point from, Point to, double weight) {
  along(from, to, [&](const Box &box) { discourage(box, weight); });
}

/// Whether two lines cross.
static bool crosses(Point a, Point b, Point c, Point d) {
  auto side = [](Point from, Point to, Point at) {
    return (to.x - from.x) * (at.y - from.y) -
               (to.y - from.y) * (at.x - from.x) >
           0;
  };
  return side(a, b, c) != side(a, b, d) && side(c, d, a) != side(c, d, b);
}

double LabelPlacer::leaderCost(Point from, Point to) const {
  constexpr double overLabel = 100, overLeader = 200;
  double sum = 0;
  along(from, to, [&](const Box &box) {
    for (const Box &label : taken)
      if (label.overlap(box) > 0)
        sum += overLabel;
  });
  for (auto [start, end] : leaders)
    if (crosses(from, to, start, end))
      sum += overLeader;
  return sum;
}

bool LabelPlacer::isFree(const Box &box) const {
  return none_of(taken,
                 [&](const Box &other) { return other.overlap(box) > 0; });
}

double LabelPlacer::cost(const Box &box) const {
  double sum = 0;
  for (const Soft &obstacle : soft)
    sum += obstacle.box.overlap(box) * obstacle.weight;
  return sum;
}

std::optional<LabelPlacer::Place>
LabelPlacer::place(Point mark, double radius, double width, double size) {
  constexpr int directions = 24;
  constexpr double pi = 3.14159265358979323846;
  std::optional<Place> best;
  double bestCost = 0;
  for (double distance : {4., 12., 22., 34., 50., 70., 95., 125., 160.}) {
    for (int i = 0; i < directions; ++i) {
      double angle = 2 * pi * i / directions;
      double dx = std::cos(angle), dy = -std::sin(angle);
      Point end = {mark.x + (radius + distance) * dx,
                   mark.y + (radius + distance) * dy};
      Anchor anchor = dx > 0.3    ? Anchor::Start
                      : dx < -0.3 ? Anchor::End
                                  : Anchor::Middle;
      double left = anchor == Anchor::Start ? end.x
                    : anchor == Anchor::End ? end.x - width
                                            : end.x - width / 2;
      double middle = end.y + dy * size * 0.5;
      Box box = {left - 2, middle - size * 0.65, left + width + 2,
                 middle + size * 0.65};
      if (!bounds.contains(box) || !isFree(box))
        continue;
      Point start = {mark.x + radius * dx, mark.y + radius * dy};
      bool leader = distance > 6;
      double price =
          cost(box) + distance * 1.5 + (leader ? leaderCost(start, end) : 0);
      if (best && price >= bestCost)
        continue;
      bestCost = price;
      best =
          Place{box, {end.x, middle + size * 0.35}, anchor, start, end, leader};
    }
  }
  if (best) {
    forbid(best->box);
    if (best->leader) {
      discourage(best->leaderFrom, best->leaderTo, 8);
      leaders.emplace_back(best->leaderFrom, best->leaderTo);
    }
  }
  return best;
}

} // namespace roofline::report
