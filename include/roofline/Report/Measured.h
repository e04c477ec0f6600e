//===- Measured.h - what a run measured, joined to a report -----*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_REPORT_MEASURED_H
#define ROOFLINE_REPORT_MEASURED_H

#include "roofline/Profile/Join.h"
#include "roofline/Profile/Summary.h"

namespace roofline {

struct Report;

/// One thing that was measured, the rows it is the time of, and how it compares
/// with what was predicted for them. Unknown is std::nullopt, never 0.
struct MeasuredEvent {
  profile::Measurement measured;
  profile::Joined join; ///< its nodes are the report's rows
  /// Where it covers several rows: they point here, and the time isn't split.
  std::optional<unsigned> group;
  /// Of rows that have events of their own: another time for them, as one
  /// kernel. It is compared, but counts in no sum.
  bool isBeside = false;
  /// Of a loop or a branch: its time is that of rows which have events of their
  /// own, so it counts in no sum.
  bool isContainer = false;
  std::optional<double> seconds; ///< of one run of the model
  std::optional<double> predicted;
  /// Least and most that the rows may take: without launches and with all
  /// traffic that a fusion group could save, and each by itself.
  std::optional<std::pair<double, double>> interval;
  std::optional<double> flopsPerSecond, bytesPerSecond;
  std::optional<double> roofSeconds; ///< what the roof allows
  /// The time that the roof allows over the measured one; above 1 is above the
  /// roof.
  std::optional<double> roofShare;
  std::string aboveRoof; ///< the likely reason; "" where it isn't
  /// The same work by a library.
  struct Library {
    std::string name;
    double seconds = 0;
    std::optional<double> flopsPerSecond, roofShare;
  };
  std::optional<Library> library;

  /// All rows whose time it holds.
  std::vector<unsigned> rows() const;
  /// Measured over predicted.
  std::optional<double> ratio() const;
};

/// How well the prediction did, over the joined events that it expects to take
/// time.
struct Accuracy {
  unsigned compared = 0;
  /// Events that should take none, as those of views, and the time they took.
  unsigned free = 0;
  double freeSeconds = 0;
  std::optional<double> medianError,
      p90Error;                              ///< |predicted-measured|/measured
  std::optional<double> rankCorrelation;     ///< Spearman's
  std::optional<double> insideInterval;      ///< share
  std::optional<double> predicted, measured; ///< sums over the compared
};

struct Measured {
  std::string file, model;
  profile::Format format = profile::Format::Chrome;
  std::vector<std::pair<std::string, std::string>> environment;
  std::optional<profile::Seconds> whole; ///< one run of the model
  std::vector<MeasuredEvent> events;     ///< of the file, in its order
  /// By row: the event that holds its time.
  std::vector<std::optional<unsigned>> eventOfRow;
  double total = 0;   ///< seconds of all events, over all runs
  double claimed = 0; ///< of those that are rows
  double made = 0;    ///< of those that the runtime put in
  double unmatched = 0;
  unsigned joinedEvents = 0, madeEvents = 0;
  unsigned measuredRows = 0; ///< rows with an event, shared or not
  Accuracy accuracy;
  profile::Summary summary;

  /// Of any row; "" where no library was measured.
  std::string libraryName() const;
  const MeasuredEvent *ofRow(unsigned row) const {
    if (row >= eventOfRow.size() || !eventOfRow[row])
      return nullptr;
    return &events[*eventOfRow[row]];
  }
};

/// Joins a profile to the rows of a placed report and compares. Adds what
/// didn't join to the report's warnings.
void addMeasured(Report &report, const profile::Profile &profile);

} // namespace roofline

#endif // ROOFLINE_REPORT_MEASURED_H
