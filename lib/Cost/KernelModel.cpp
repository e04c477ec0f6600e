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

double KernelTime::seconds() const {
  if (packed == 0)
    return call + std::max(work(), memory());
  return call + packed + std::max(packing + compute, reading) +
         std::max(storing, writing);
}

/// The phase that a unit of work belongs to.
static double KernelTime::*phaseOf(StringRef kernel, StringRef unit) {
  if (kernel != "product" && kernel != "conv")
    return &KernelTime::compute;
  return unit == "multiply" ? &KernelTime::packed
         : unit == "store"  ? &KernelTime::storing
                            : &KernelTime::packing;
}

std::optional<KernelTime> KernelModel::predict(const KernelFeatures &features,
                                               const KernelReuse &reuse) const {
  KernelTime time;
  bool isAlone = reuse.read.empty() && reuse.written.empty();
  time.call = isAlone ? callSeconds : farCallSeconds;
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
    if (auto error = fitErrors.find(part.kernel); error != fitErrors.end())
      time.error = std::max(time.error, error->second);
  }
  double set = features.workingSet();
  KernelReuse shares = reuse;
  if (shares.read.empty())
    shares.read = {{features.bytesRead, set}};
  if (shares.written.empty())
    shares.written = {{features.bytesWritten, set}};
  for (const KernelReuse::Share &share : shares.read)
    time.reading += share.bytes * read.at(share.distance);
  if (features.streams) {
    time.writing = features.bytesWritten * streamedWriteSeconds;
    return time;
  }
  for (const KernelReuse::Share &share : shares.written) {
    // What is written takes its line from where it was.
    time.writeAllocate += share.bytes * read.at(share.distance);
    time.writing += share.bytes * write.at(share.distance);
  }
  return time;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Array pointsToJSON(const ByteCosts &costs) {
  json::Array array;
  for (const auto &[bytes, seconds] : costs.points)
    array.push_back(json::Array{bytes, seconds});
  return array;
}

json::Object KernelModel::toJSON() const {
  json::Object kernels;
  for (const auto &[kernel, units] : costs) {
    json::Object object;
    for (const auto &[unit, seconds] : units)
      object[unit] = seconds;
    kernels[kernel] = std::move(object);
  }
  json::Object errors;
  for (const auto &[kernel, error] : fitErrors)
    errors[kernel] = error;
  return json::Object{{"vector_bits", int64_t(vectorBits)},
                      {"call_seconds", callSeconds},
                      {"far_call_seconds", farCallSeconds},
                      {"read_seconds_per_byte", pointsToJSON(read)},
                      {"write_seconds_per_byte", pointsToJSON(write)},
                      {"streamed_write_seconds_per_byte", streamedWriteSeconds},
                      {"foreign_bytes_per_second", foreignBytesPerSecond},
                      {"unit_seconds", std::move(kernels)},
                      {"fit_errors", std::move(errors)}};
}

static Error fieldError(StringRef field, StringRef expected) {
  return createStringError("kernels." + field + ": expected " + expected);
}

static Error readNumber(const json::Object &object, StringRef field,
                        double &number) {
  std::optional<double> value = object.getNumber(field);
  if (!value || !(*value >= 0) || !std::isfinite(*value))
    return fieldError(field, "a number from 0 on");
  number = *value;
  return Error::success();
}

static Error readPoints(const json::Object &object, StringRef field,
                        ByteCosts &costs) {
  const json::Array *array = object.getArray(field);
  if (!array)
    return fieldError(field, "a list of [bytes, seconds]");
  for (const json::Value &value : *array) {
    const json::Array *pair = value.getAsArray();
    std::optional<double> bytes, seconds;
    if (pair && pair->size() == 2) {
      bytes = (*pair)[0].getAsNumber();
      seconds = (*pair)[1].getAsNumber();
    }
    bool grows =
        costs.points.empty() || (bytes && *bytes > costs.points.back().first);
    if (!bytes || !seconds || !(*bytes > 0) || !std::isfinite(*bytes) ||
        !(*seconds >= 0) || !std::isfinite(*seconds) || !grows)
      return fieldError(field, "[bytes, seconds] with growing bytes");
    costs.points.emplace_back(*bytes, *seconds);
  }
  return Error::success();
}

static Error readKernels(const json::Object &object, KernelModel &model) {
  const json::Object *kernels = object.getObject("unit_seconds");
  if (!kernels)
    return fieldError("unit_seconds", "an object of kernels");
  for (const auto &[kernel, value] : *kernels) {
    const json::Object *units = value.getAsObject();
    if (!units)
      return fieldError("unit_seconds", "an object for each kernel");
    for (const auto &[unit, seconds] : *units) {
      std::optional<double> number = seconds.getAsNumber();
      if (!number || !(*number >= 0) || !std::isfinite(*number))
        return fieldError("unit_seconds", "seconds from 0 on");
      model.costs[kernel.str()][unit.str()] = *number;
    }
  }
  return Error::success();
}

static Error readErrors(const json::Object &object, KernelModel &model) {
  const json::Value *errors = object.get("fit_errors");
  if (!errors)
    return Error::success();
  const json::Object *kernels = errors->getAsObject();
  if (!kernels)
    return fieldError("fit_errors", "an object of kernels");
  for (const auto &[kernel, value] : *kernels) {
    std::optional<double> number = value.getAsNumber();
    if (!number || !(*number >= 0) || !std::isfinite(*number))
      return fieldError("fit_errors", "numbers from 0 on");
    model.fitErrors[kernel.str()] = *number;
  }
  return Error::success();
}

Expected<KernelModel> KernelModel::fromJSON(const json::Object &object) {
  KernelModel model;
  double bits = 0;
  if (Error error = readNumber(object, "vector_bits", bits))
    return std::move(error);
  if (bits != 128 && bits != 256 && bits != 512)
    return fieldError("vector_bits", "128, 256 or 512");
  model.vectorBits = unsigned(bits);
  if (Error error = readNumber(object, "call_seconds", model.callSeconds))
    return std::move(error);
  if (Error error =
          readNumber(object, "far_call_seconds", model.farCallSeconds))
    return std::move(error);
  if (Error error = readPoints(object, "read_seconds_per_byte", model.read))
    return std::move(error);
  if (Error error = readPoints(object, "write_seconds_per_byte", model.write))
    return std::move(error);
  if (Error error = readNumber(object, "streamed_write_seconds_per_byte",
                               model.streamedWriteSeconds))
    return std::move(error);
  if (Error error = readNumber(object, "foreign_bytes_per_second",
                               model.foreignBytesPerSecond))
    return std::move(error);
  if (Error error = readKernels(object, model))
    return std::move(error);
  if (Error error = readErrors(object, model))
    return std::move(error);
  return model;
}

//===----------------------------------------------------------------------===//
// Fitting
//===----------------------------------------------------------------------===//

/// Non-negative least squares, one cost at a time until none moves: few costs,
/// a few dozen samples.
std::vector<double> fitCosts(const std::vector<std::vector<double>> &amounts,
                             const std::vector<double> &seconds) {
  size_t count = amounts.empty() ? 0 : amounts.front().size();
  std::vector<double> costs(count, 0);
  // Rows scaled so that each sample weighs the same whatever its time.
  std::vector<std::vector<double>> rows = amounts;
  for (auto [row, time] : zip(rows, seconds))
    for (double &amount : row)
      amount /= time;
  std::vector<double> rest(rows.size(), 1);
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
