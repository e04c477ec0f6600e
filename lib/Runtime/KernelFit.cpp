//===- KernelFit.cpp - a time model from a sweep's samples ----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelFit.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace llvm;

namespace roofline::runtime {
namespace {

using Sample = SweepSample;

bool isKernel(const Sample &sample, StringRef kernel) {
  return sample.features.parts.size() == 1 &&
         sample.features.parts.front().kernel == kernel;
}

/// By bytes, each with the median of what was found. A larger set is no nearer:
/// what looks so is noise, which is shared out among the points in question
/// (pool adjacent violators).
void sortPoints(std::vector<std::pair<double, double>> &points) {
  std::map<double, std::vector<double>> costs;
  for (const auto &[bytes, cost] : points)
    costs[bytes].push_back(cost);
  points.clear();
  for (const auto &[bytes, found] : costs)
    points.emplace_back(bytes, Statistics::of(found).median);
  struct Pool {
    double sum;
    size_t count;
    double mean() const { return sum / double(count); }
  };
  std::vector<Pool> pools;
  for (const auto &[bytes, cost] : points) {
    pools.push_back({cost, 1});
    while (pools.size() > 1 && pools.end()[-2].mean() > pools.back().mean()) {
      Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  auto point = points.begin();
  for (const Pool &pool : pools)
    for (size_t i = 0; i < pool.count; ++i, ++point)
      point->second = pool.mean();
}

/// How many bytes are touched between two uses of one.
double distanceOf(const Sample &sample) {
  return sample.reuse.read.empty() ? sample.features.workingSet()
                                   : sample.reuse.read.front().distance;
}

double workSeconds(const Sample &sample, const KernelModel &model) {
  return std::max(0.0, sample.seconds - model.callSeconds);
}

/// Of the thread that has the most.
double ownBytes(const Sample &sample) {
  return sample.features.share() * sample.features.workingSet();
}

/// What a byte costs, from a reduction that reads and a map that writes, too:
/// the first levels' costs are part of the units' own.
void fitBytes(ArrayRef<Sample> samples, KernelModel &model) {
  std::vector<double> streamed;
  for (const Sample &sample : samples)
    if (isKernel(sample, "reduce:sum:inner") &&
        sample.features.bytesWritten * 1000 < sample.features.bytesRead)
      model.read.points.emplace_back(
          distanceOf(sample), workSeconds(sample, model) / ownBytes(sample));
  sortPoints(model.read.points);
  for (const Sample &sample : samples) {
    if (!isKernel(sample, "map:relu"))
      continue;
    double distance = distanceOf(sample);
    double share = sample.features.share();
    double reading =
        share * sample.features.bytesRead * model.read.at(distance);
    double writing = std::max(0.0, workSeconds(sample, model) - reading) /
                     (share * sample.features.bytesWritten);
    if (sample.features.streams)
      streamed.push_back(writing);
    else
      model.write.points.emplace_back(distance, writing);
  }
  sortPoints(model.write.points);
  model.streamedWriteSeconds = Statistics::of(streamed).median;
}

/// Bytes a second that others bring into shared caches: what a set that was
/// left alone for a while takes says how many came in between.
void fitPauses(ArrayRef<Sample> samples, KernelModel &model) {
  std::vector<double> rates;
  for (const Sample &sample : samples) {
    double set = sample.features.workingSet();
    double distance =
        model.read.distanceAt(workSeconds(sample, model) / ownBytes(sample));
    rates.push_back(std::max(0.0, distance - set) / sample.pauseSeconds);
  }
  model.foreignBytesPerSecond = Statistics::of(rates).median;
}

/// Costs of all units at once, from the samples whose arithmetic decides.
void fitUnits(ArrayRef<Sample> samples, KernelModel &model) {
  // Units by number.
  MapVector<std::pair<StringRef, StringRef>, size_t> units;
  for (const Sample &sample : samples)
    for (const KernelFeatures::Part &part : sample.features.parts)
      for (const auto &[unit, amount] : part.amounts)
        units.insert({{part.kernel, unit}, units.size()});
  size_t handover = units.size(); // the last column
  std::vector<std::vector<double>> amounts;
  std::vector<double> seconds;
  for (const Sample &sample : samples) {
    double distance = distanceOf(sample), work = workSeconds(sample, model);
    double memory = sample.features.bytesRead * model.read.at(distance) +
                    sample.features.bytesWritten * model.write.at(distance);
    memory *= sample.features.share();
    // Where memory takes all of it, it says nothing of the units.
    bool isLarge = distance > 4e6;
    if (work <= 0 || (isLarge && memory > 0.8 * work))
      continue;
    amounts.emplace_back(units.size() + 1, 0);
    amounts.back()[handover] = sample.features.handovers();
    for (const KernelFeatures::Part &part : sample.features.parts)
      for (const auto &[unit, amount] : part.amounts)
        amounts.back()[units[{part.kernel, unit}]] += amount;
    seconds.push_back(work);
  }
  std::vector<double> costs = fitCosts(amounts, seconds, seconds);
  for (const auto &[unit, number] : units)
    model.costs[unit.first.str()][unit.second.str()] = costs[number];
  model.handoverSeconds = costs.empty() ? 0 : costs[handover];
}

//===----------------------------------------------------------------------===//
// Operands that aren't near
//===----------------------------------------------------------------------===//

/// The distances between which far costs grow, in steps.
class FarSteps {
public:
  /// From half of the second level of the caches, of which a run drives out
  /// some before it is full, to twice the last one, of which others have some.
  explicit FarSteps(const CacheSizes &caches) {
    for (double share : {0.5, 1.0, 2.0})
      distances.push_back(share * caches.second);
    for (double share : {0.25, 0.5, 1.0, 2.0})
      if (share * caches.last > 1.5 * distances.back())
        distances.push_back(share * caches.last);
  }

  double first() const { return distances.front(); }
  size_t count() const { return distances.size() - 1; }

  /// How much of a step lies below a distance.
  double shareOf(double distance, size_t step) const {
    double low = distances[step], high = distances[step + 1];
    double share =
        std::log(std::max(distance, 1.0) / low) / std::log(high / low);
    return std::clamp(share, 0.0, 1.0);
  }

  /// A cost from what each step adds.
  ByteCosts grow(ArrayRef<double> steps) const {
    ByteCosts costs;
    double cost = 0;
    costs.points = {{first(), cost}};
    for (size_t step = 0; step < count(); ++step)
      costs.points.emplace_back(distances[step + 1], cost += steps[step]);
    return costs;
  }

private:
  std::vector<double> distances;
};

/// A far cost's column.
size_t farColumn(bool isWrite, unsigned term, size_t step,
                 const FarSteps &steps) {
  return ((isWrite ? FarCosts::numTerms : 0) + term) * steps.count() + step;
}

size_t farColumns(const FarSteps &steps) {
  return 2 * FarCosts::numTerms * steps.count();
}

std::vector<double> farAmounts(const Sample &sample, const KernelModel &model,
                               const FarSteps &steps) {
  std::vector<double> amounts(farColumns(steps), 0);
  for (const FarShare &share : model.farShares(sample.features, sample.reuse))
    for (unsigned term = 0; term < FarCosts::numTerms; ++term)
      for (size_t step = 0; step < steps.count(); ++step)
        amounts[farColumn(share.isWrite, term, step, steps)] +=
            share.amounts[term] * steps.shareOf(share.distance, step);
  return amounts;
}

/// Whether a sample says what far operands cost.
bool tellsFar(const Sample &sample, const FarSteps &steps) {
  return sample.inRun || !sample.reuse.read.empty() ||
         (distanceOf(sample) > steps.first() &&
          (isKernel(sample, "map:relu") ||
           isKernel(sample, "reduce:sum:inner")));
}

/// What lies in the second level of the caches, or little beyond it, is near.
void keepNear(ByteCosts &costs, const CacheSizes &caches) {
  llvm::erase_if(costs.points, [&](const auto &point) {
    return point.first > 1.25 * caches.second;
  });
}

/// What a kernel's least calls in runs take beyond their work is a call's. In
/// larger ones it is lost among what their operands take.
struct LeastCall {
  std::string kernel;
  double seconds, distance; ///< beyond its work; of its code
};

std::vector<LeastCall> leastCalls(ArrayRef<Sample> samples,
                                  const KernelModel &model) {
  constexpr double leastBytes = 4e3;
  std::vector<LeastCall> calls;
  for (const Sample &sample : samples) {
    std::set<std::string> code = KernelModel::codeOf(sample.features);
    if (!sample.inRun || !sample.reuse.code || code.size() != 1 ||
        sample.features.workingSet() > leastBytes)
      continue;
    KernelReuse near = sample.reuse;
    near.code.reset();
    if (std::optional<KernelTime> time = model.predict(sample.features, near))
      calls.push_back({*code.begin(),
                       std::max(0.0, sample.seconds - time->seconds()),
                       sample.reuse.code->distance});
  }
  return calls;
}

/// What kernels' calls take where their code comes from memory, given how much
/// of that they take from where they found it.
void fitFarCalls(ArrayRef<LeastCall> calls, KernelModel &model) {
  struct Sums {
    double products = 0, squares = 0;
  };
  std::map<std::string, Sums> sums;
  for (const LeastCall &call : calls) {
    double share = model.farCallShare.at(call.distance);
    sums[call.kernel].products += share * call.seconds;
    sums[call.kernel].squares += share * share;
  }
  for (const auto &[kernel, sum] : sums)
    if (sum.squares > 0)
      model.farCalls[kernel] = sum.products / sum.squares;
}

/// The reverse. From the farthest it is all of it.
void fitFarCallShare(ArrayRef<LeastCall> calls, const FarSteps &steps,
                     KernelModel &model) {
  std::vector<std::vector<double>> amounts;
  std::vector<double> seconds, scales;
  for (const LeastCall &call : calls) {
    auto found = model.farCalls.find(call.kernel);
    if (found == model.farCalls.end() || found->second == 0)
      continue;
    amounts.emplace_back();
    for (size_t step = 0; step < steps.count(); ++step)
      amounts.back().push_back(found->second *
                               steps.shareOf(call.distance, step));
    seconds.push_back(call.seconds);
    scales.push_back(found->second);
  }
  std::vector<double> shares = fitCosts(amounts, seconds, scales);
  double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (sum == 0)
    return;
  for (double &share : shares)
    share /= sum;
  model.farCallShare = steps.grow(shares);
}

/// A call's cost is a kernel's, times a share by distance that is the same for
/// all: each is fitted in turn, given the other.
void fitCalls(ArrayRef<Sample> samples, const FarSteps &steps,
              KernelModel &model) {
  std::vector<LeastCall> calls = leastCalls(samples, model);
  model.farCallShare = steps.grow(
      std::vector<double>(steps.count(), 1.0 / double(steps.count())));
  constexpr unsigned rounds = 20;
  for (unsigned round = 0; round < rounds; ++round) {
    fitFarCalls(calls, model);
    fitFarCallShare(calls, steps, model);
  }
  fitFarCalls(calls, model);
  std::vector<double> seconds;
  seconds.reserve(model.farCalls.size());
  for (const auto &[kernel, far] : model.farCalls)
    seconds.push_back(far);
  if (!seconds.empty())
    model.farCallSeconds = Statistics::of(seconds).median;
}

/// What samples take beyond what the model says of near operands.
void fitFar(ArrayRef<Sample> samples, const CacheSizes &caches,
            KernelModel &model) {
  FarSteps steps(caches);
  keepNear(model.read, caches);
  keepNear(model.write, caches);
  fitCalls(samples, steps, model);
  // What the clock doesn't resolve weighs less.
  constexpr double leastScale = 0.3e-6;
  std::vector<std::vector<double>> amounts;
  std::vector<double> seconds, scales;
  for (const Sample &sample : samples) {
    std::optional<KernelTime> time =
        model.predict(sample.features, sample.reuse);
    if (!time || !tellsFar(sample, steps))
      continue;
    // What work hides says nothing.
    double near = time->seconds() - time->hides();
    if (time->hides() > 0 && sample.seconds < 1.1 * time->seconds())
      continue;
    amounts.push_back(farAmounts(sample, model, steps));
    seconds.push_back(sample.seconds - near);
    scales.push_back(sample.seconds + leastScale);
  }
  std::vector<double> costs = fitCosts(amounts, seconds, scales);
  costs.resize(farColumns(steps));
  for (bool isWrite : {false, true})
    for (unsigned term = 0; term < FarCosts::numTerms; ++term) {
      FarCosts &far = isWrite ? model.farWrite : model.farRead;
      far.terms[term] = steps.grow(ArrayRef(costs).slice(
          farColumn(isWrite, term, 0, steps), steps.count()));
    }
}

void findErrors(ArrayRef<Sample> samples, KernelModel &model) {
  std::map<std::string, std::vector<double>> errors;
  for (const Sample &sample : samples) {
    std::optional<KernelTime> time =
        model.predict(sample.features, sample.reuse);
    if (time && sample.seconds > 0) // what the clock resolves
      errors[sample.features.parts.back().kernel].push_back(
          std::abs(time->seconds() / sample.seconds - 1));
  }
  for (auto &[kernel, list] : errors) {
    llvm::sort(list);
    model.fitErrors[kernel] = quantile(list, 0.9);
  }
}

} // namespace

KernelModel fitKernels(ArrayRef<SweepSample> samples,
                       const FitOptions &options) {
  KernelModel model;
  model.vectorBits = options.vectorBits;
  model.threads = options.threads;
  std::vector<Sample> paused, alone, all;
  for (const Sample &sample : samples) {
    (sample.pauseSeconds > 0 ? paused : all).push_back(sample);
    if (sample.pauseSeconds == 0 && !sample.inRun)
      alone.push_back(sample);
  }
  model.callSeconds = alone.empty() ? 0 : INFINITY;
  for (const Sample &sample : alone)
    model.callSeconds = std::min(model.callSeconds, sample.seconds);
  // The least of all has some work of its own: half is a call's.
  model.callSeconds /= 2;
  fitBytes(alone, model);
  if (options.foreignBytesPerSecond)
    model.foreignBytesPerSecond = *options.foreignBytesPerSecond;
  else
    fitPauses(paused, model);
  fitUnits(alone, model);
  fitFar(all, options.caches, model);
  findErrors(all, model);
  return model;
}

} // namespace roofline::runtime
