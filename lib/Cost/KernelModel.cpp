//===- KernelModel.cpp - how long a device's own kernels take -------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Cost/KernelModel.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace roofline {

double ByteCosts::at(double bytes) const {
  if (points.empty())
    return 0;
  if (bytes <= points.front().first)
    return points.front().second;
  for (size_t i = 1; i < points.size(); ++i) {
    const auto &[low, before] = points[i - 1];
    const auto &[high, after] = points[i];
    if (bytes > high)
      continue;
    double share = std::log(bytes / low) / std::log(high / low);
    return before + share * (after - before);
  }
  return points.back().second;
}

double ByteCosts::distanceAt(double seconds) const {
  for (size_t i = 0; i < points.size(); ++i) {
    const auto &[high, after] = points[i];
    if (seconds > after)
      continue;
    if (i == 0)
      return high;
    const auto &[low, before] = points[i - 1];
    double share = std::max(0.0, (seconds - before) / (after - before));
    return low * std::pow(high / low, share);
  }
  return points.empty() ? 0 : points.back().first;
}

double KernelFeatures::share() const {
  return parts.empty() ? 1 : parts.back().share;
}

double KernelFeatures::shareOfOperand(size_t i) const {
  for (const Part &part : parts)
    if (i + 1 < part.shares.size())
      return part.shares[i];
  return share();
}

double KernelFeatures::handovers() const {
  double sum = 0;
  for (const Part &part : parts)
    sum += part.handovers;
  return sum;
}

double KernelFeatures::ownBytes() const {
  double sum = 0;
  for (const Part &part : parts)
    sum += part.scratchBytes + part.bufferBytes;
  return sum;
}

double KernelTime::seconds() const {
  if (packed == 0)
    return call + std::max(work(), memory()) + std::max(0.0, far - hides());
  return call + packed + std::max(packing + compute, reading) +
         std::max(storing, writing) + far;
}

double KernelTime::hides() const {
  constexpr double lookingAhead = 1.5;
  return isMap ? std::max(0.0, work() - lookingAhead * memory()) : 0;
}

/// The phase that a unit of work belongs to.
static double KernelTime::*phaseOf(StringRef kernel, StringRef unit) {
  if (kernel != "product" && kernel != "conv")
    return &KernelTime::compute;
  return unit == "multiply" ? &KernelTime::packed
         : unit == "store"  ? &KernelTime::storing
                            : &KernelTime::packing;
}

/// Of a kernel that is called again and again, its working set.
static KernelReuse sharesOf(const KernelFeatures &features,
                            const KernelReuse &reuse) {
  KernelReuse shares = reuse;
  double set = features.workingSet();
  if (shares.read.empty())
    shares.read = {{features.bytesRead, set}};
  if (shares.written.empty())
    shares.written = {{features.bytesWritten, set}};
  return shares;
}

/// Of operand `i`, or of all of them where they aren't told apart.
static double ownShare(const KernelFeatures &features, const KernelReuse &reuse,
                       size_t i) {
  return reuse.read.empty() ? features.share() : features.shareOfOperand(i);
}

/// The part whose operands and results lie in pieces, if there is one.
static const KernelFeatures::Part *
partInPieces(const KernelFeatures &features) {
  for (const KernelFeatures::Part &part : features.parts)
    if (!part.pieces.empty())
      return &part;
  return nullptr;
}

std::set<std::string> KernelModel::codeOf(const KernelFeatures &features) {
  std::set<std::string> kernels;
  for (const KernelFeatures::Part &part : features.parts)
    kernels.insert(part.kernel);
  return kernels;
}

double KernelModel::farCallOf(const KernelFeatures &features) const {
  double seconds = 0;
  bool isKnown = false;
  for (const std::string &kernel : codeOf(features))
    if (auto more = farCalls.find(kernel); more != farCalls.end()) {
      seconds += more->second;
      isKnown = true;
    }
  return isKnown ? seconds : farCallSeconds;
}

double KernelModel::callOf(const KernelFeatures &features,
                           const KernelReuse &reuse) const {
  if (!reuse.code)
    return callSeconds;
  // Others in the shared cache drive out code less than operands, it was found.
  return callSeconds +
         farCallShare.at(reuse.code->distance) * farCallOf(features);
}

std::vector<FarShare> KernelModel::farShares(const KernelFeatures &features,
                                             const KernelReuse &reuse) const {
  std::vector<FarShare> result;
  double own = features.share();
  auto add = [&](const KernelReuse::Share &share, double part, double pieces,
                 bool isWrite, bool isInPlace = false) {
    double bytes = part * share.bytes;
    result.push_back(
        {isWrite,
         distanceOf(share),
         {bytes, std::min(bytes, FarCosts::headBytes), bytes > 0 ? 1.0 : 0.0,
          isInPlace ? 0 : pieces, isInPlace ? pieces : 0}});
  };
  KernelReuse shares = sharesOf(features, reuse);
  ArrayRef<double> pieces;
  std::vector<bool> inPlace;
  if (const KernelFeatures::Part *part = partInPieces(features)) {
    pieces = part->pieces;
    inPlace = part->readInPlace;
  }
  for (auto [i, share] : enumerate(shares.read))
    add(share, ownShare(features, reuse, i),
        i + 1 < pieces.size() ? pieces[i] : 1, false,
        i < inPlace.size() && inPlace[i]);
  if (!features.streams)
    for (const KernelReuse::Share &share : shares.written)
      add(share, own, pieces.empty() ? 1 : pieces.back(), true);
  for (const KernelFeatures::Part &part : features.parts)
    if (part.scratchBytes > 0)
      for (bool isWrite : {false, true})
        add({part.scratchBytes, part.scratchDistance}, own, 1, isWrite);
  return result;
}

/// A map alone, or rows that are computed for long in the nearest caches.
static bool isMap(const KernelFeatures &features) {
  if (features.parts.size() != 1)
    return false;
  StringRef kernel = features.parts.front().kernel;
  return kernel.starts_with("map:") || kernel.starts_with("softmax:") ||
         kernel.starts_with("norm:");
}

std::optional<KernelTime> KernelModel::predict(const KernelFeatures &features,
                                               const KernelReuse &reuse) const {
  KernelTime time;
  time.isMap = isMap(features);
  time.call = callOf(features, reuse) + features.handovers() * handoverSeconds;
  for (const KernelFeatures::Part &part : features.parts) {
    auto kernel = costs.find(part.kernel);
    if (kernel == costs.end())
      return std::nullopt;
    for (const auto &[unit, amount] : part.amounts) {
      auto cost = kernel->second.find(unit);
      if (cost == kernel->second.end())
        return std::nullopt;
      time.*phaseOf(part.kernel, unit) += amount * cost->second;
    }
    for (const KernelFeatures::Waste &waste : part.waste)
      if (auto cost = kernel->second.find(waste.unit);
          cost != kernel->second.end())
        time.wasted[waste.cause] += waste.amount * cost->second;
    double scratch = part.scratchBytes * part.share;
    time.reading += scratch * read.at(part.scratchDistance);
    time.writing += scratch * write.at(part.scratchDistance);
    if (auto error = fitErrors.find(part.kernel); error != fitErrors.end())
      time.error = std::max(time.error, error->second);
  }
  KernelReuse shares = sharesOf(features, reuse);
  double own = features.share();
  for (auto [i, share] : enumerate(shares.read))
    time.reading +=
        ownShare(features, reuse, i) * share.bytes * read.at(share.distance);
  for (const FarShare &share : farShares(features, reuse))
    for (unsigned term = 0; term < FarCosts::numTerms; ++term)
      time.far +=
          share.amounts[term] *
          (share.isWrite ? farWrite : farRead).terms[term].at(share.distance);
  if (features.streams) {
    time.writing += own * features.bytesWritten * streamedWriteSeconds;
    return time;
  }
  for (const KernelReuse::Share &share : shares.written) {
    // What is written takes its line from where it was.
    time.writeAllocate += own * share.bytes * read.at(share.distance);
    time.writing += own * share.bytes * write.at(share.distance);
  }
  return time;
}

//===----------------------------------------------------------------------===//
// Fitting
//===----------------------------------------------------------------------===//

/// Non-negative least squares, one cost at a time until none moves: few costs,
/// a few dozen samples.
std::vector<double> fitCosts(const std::vector<std::vector<double>> &amounts,
                             const std::vector<double> &seconds,
                             const std::vector<double> &scales) {
  size_t count = amounts.empty() ? 0 : amounts.front().size();
  std::vector<double> costs(count, 0);
  std::vector<std::vector<double>> rows = amounts;
  std::vector<double> rest = seconds;
  for (auto [row, left, scale] : zip(rows, rest, scales)) {
    left /= scale;
    for (double &amount : row)
      amount /= scale;
  }
  constexpr unsigned maxRounds = 20000;
  for (unsigned round = 0; round < maxRounds; ++round) {
    double moved = 0;
    for (size_t j = 0; j < count; ++j) {
      double product = 0, norm = 0;
      for (size_t i = 0; i < rows.size(); ++i) {
        product += rows[i][j] * rest[i];
        norm += rows[i][j] * rows[i][j];
      }
      if (norm == 0)
        continue;
      double next = std::max(0.0, costs[j] + product / norm);
      double step = next - costs[j];
      if (step == 0)
        continue;
      for (size_t i = 0; i < rows.size(); ++i)
        rest[i] -= rows[i][j] * step;
      costs[j] = next;
      moved = std::max(moved, std::abs(step) / next);
    }
    if (moved < 1e-9)
      break;
  }
  return costs;
}

} // namespace roofline
