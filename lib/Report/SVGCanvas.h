//===- SVGCanvas.h - drawing primitives of the chart ------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_LIB_REPORT_SVGCANVAS_H
#define ROOFLINE_LIB_REPORT_SVGCANVAS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace roofline::report {

struct Point {
  double x, y;
};

struct Box {
  double left, top, right, bottom;

  double width() const { return right - left; }
  double height() const { return bottom - top; }
  bool contains(const Box &other) const;
  /// The area both cover.
  double overlap(const Box &other) const;
};

enum class Anchor { Start, Middle, End };

/// Attributes of a text element.
struct TextLook {
  double size = 12;
  llvm::StringRef fill = "#222222";
  Anchor anchor = Anchor::Start;
  bool bold = false;
  bool halo = false; ///< a white rim, readable over lines and bubbles
  double angle = 0;  ///< degrees, about the text's own point
};

/// Writes SVG elements. Every coordinate is finite and has one decimal; every
/// text is escaped.
class Canvas {
public:
  explicit Canvas(llvm::raw_ostream &os) : os(os) {}

  void line(Point from, Point to, llvm::StringRef attributes);
  void circle(Point center, double radius, llvm::StringRef attributes);
  void rect(const Box &box, llvm::StringRef attributes);
  void polygon(llvm::ArrayRef<Point> points, llvm::StringRef attributes);
  void text(Point at, llvm::StringRef text, const TextLook &look = {});
  /// A line whose far end is an arrow head.
  void arrow(Point from, Point to, llvm::StringRef color);
  /// Opens a group whose tooltip is `title`.
  void openGroup(llvm::StringRef title);
  void closeGroup();
  void raw(llvm::StringRef text);

  /// About how wide `text` is, for a font that isn't known.
  static double textWidth(llvm::StringRef text, double size);
  static std::string escape(llvm::StringRef text);

private:
  void number(double value);
  void point(Point at);

  llvm::raw_ostream &os;
};

/// Finds places for labels that cover no other label and as little else as can
/// be.
class LabelPlacer {
public:
  LabelPlacer(const Box &bounds) : bounds(bounds) {}

  /// No label may cover `box`.
  void forbid(const Box &box) { taken.push_back(box); }
  /// A label had better not cover `box`; `weight` a unit of area.
  void discourage(const Box &box, double weight) {
    soft.push_back({box, weight});
  }
  void discourage(Point from, Point to, double weight);

  struct Place {
    Box box;
    Point textAt; ///< base line, by `anchor`
    Anchor anchor;
    Point leaderFrom, leaderTo;
    bool leader; ///< far enough away to need a line
  };
  /// A place for text of `width` by a mark of `radius`; nothing if none is
  /// free. The place is then taken.
  std::optional<Place> place(Point mark, double radius, double width,
                             double size);

  /// What a label at `box` would cover, by weight.
  double cost(const Box &box) const;
  /// Whether no label and nothing forbidden is at `box`.
  bool isFree(const Box &box) const;

private:
  /// For a leader line that crosses labels or other leaders.
  double leaderCost(Point from, Point to) const;

  struct Soft {
    Box box;
    double weight;
  };
  Box bounds;
  std::vector<Box> taken;
  std::vector<std::pair<Point, Point>> leaders;
  std::vector<Soft> soft;
};

} // namespace roofline::report

#endif // ROOFLINE_LIB_REPORT_SVGCANVAS_H
