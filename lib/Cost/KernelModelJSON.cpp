//===- KernelModelJSON.cpp - a time model in a device file ----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Cost/KernelModel.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace roofline {

static json::Array pointsToJSON(const ByteCosts &costs) {
  json::Array array;
  for (const auto &[bytes, seconds] : costs.points)
    array.push_back(json::Array{bytes, seconds});
  return array;
}

static constexpr StringLiteral termNames[FarCosts::numTerms] = {
    "byte", "head_byte", "operand", "piece", "piece_in_place"};

static json::Object farToJSON(const FarCosts &costs) {
  json::Object object;
  for (auto [name, term] : zip(termNames, costs.terms))
    object[name] = pointsToJSON(term);
  return object;
}

json::Object KernelModel::toJSON() const {
  json::Object kernels;
  for (const auto &[kernel, units] : costs) {
    json::Object object;
    for (const auto &[unit, seconds] : units)
      object[unit] = seconds;
    kernels[kernel] = std::move(object);
  }
  auto byKernel = [](const std::map<std::string, double> &numbers) {
    json::Object object;
    for (const auto &[kernel, number] : numbers)
      object[kernel] = number;
    return object;
  };
  return json::Object{{"threads", threads},
                      {"vector_bits", int64_t(vectorBits)},
                      {"handover_seconds", handoverSeconds},
                      {"call_seconds", callSeconds},
                      {"read_seconds_per_byte", pointsToJSON(read)},
                      {"write_seconds_per_byte", pointsToJSON(write)},
                      {"far_calls", byKernel(farCalls)},
                      {"far_call_seconds", farCallSeconds},
                      {"far_call_share", pointsToJSON(farCallShare)},
                      {"far_read_seconds", farToJSON(farRead)},
                      {"far_write_seconds", farToJSON(farWrite)},
                      {"streamed_write_seconds_per_byte", streamedWriteSeconds},
                      {"foreign_bytes_per_second", foreignBytesPerSecond},
                      {"unit_seconds", std::move(kernels)},
                      {"fit_errors", byKernel(fitErrors)}};
}

static Error fieldError(StringRef field, const Twine &expected) {
  return createStringError(field + ": expected " + expected);
}

static Error readNumber(const json::Object &object, StringRef field,
                        double &number) {
  std::optional<double> value = object.getNumber(field);
  if (!value || !(*value >= 0) || !std::isfinite(*value))
    return fieldError(field, "a number from 0 on");
  number = *value;
  return Error::success();
}

static Error readPoints(const json::Object &object, StringRef name,
                        StringRef field, ByteCosts &costs,
                        StringRef unit = "seconds") {
  std::string pairs = ("[bytes, " + unit + "]").str();
  const json::Array *array = object.getArray(name);
  if (!array)
    return fieldError(field, "a list of " + pairs);
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
      return fieldError(field, pairs + " with growing bytes");
    costs.points.emplace_back(*bytes, *seconds);
  }
  return Error::success();
}

/// Optional: files from before there were such costs are fitted anew.
static Error readFar(const json::Object &object, StringRef field,
                     FarCosts &costs) {
  if (!object.get(field))
    return Error::success();
  const json::Object *terms = object.getObject(field);
  if (!terms)
    return fieldError(field, "an object of byte, head_byte, operand, piece, "
                             "piece_in_place");
  for (auto [name, term] : zip(termNames, costs.terms)) {
    bool wasPiece = name == termNames[FarCosts::PieceInPlace] &&
                    !terms->get(name); // in files from before it was told apart
    StringRef given = wasPiece ? termNames[FarCosts::Piece] : name;
    if (Error error =
            readPoints(*terms, given, (field + "." + given).str(), term))
      return error;
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

/// Optional.
static Error readByKernel(const json::Object &object, StringRef field,
                          std::map<std::string, double> &numbers) {
  const json::Value *found = object.get(field);
  if (!found)
    return Error::success();
  const json::Object *kernels = found->getAsObject();
  if (!kernels)
    return fieldError(field, "an object of kernels");
  for (const auto &[kernel, value] : *kernels) {
    std::optional<double> number = value.getAsNumber();
    if (!number || !(*number >= 0) || !std::isfinite(*number))
      return fieldError(field, "numbers from 0 on");
    numbers[kernel.str()] = *number;
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
  std::optional<int64_t> threads = object.getInteger("threads");
  if (!threads || *threads < 1)
    return fieldError("threads", "a number from 1 on");
  model.threads = *threads;
  if (Error error =
          readNumber(object, "handover_seconds", model.handoverSeconds))
    return std::move(error);
  if (Error error = readNumber(object, "call_seconds", model.callSeconds))
    return std::move(error);
  if (Error error = readPoints(object, "read_seconds_per_byte",
                               "read_seconds_per_byte", model.read))
    return std::move(error);
  if (Error error = readPoints(object, "write_seconds_per_byte",
                               "write_seconds_per_byte", model.write))
    return std::move(error);
  if (Error error = readByKernel(object, "far_calls", model.farCalls))
    return std::move(error);
  if (Error error =
          readNumber(object, "far_call_seconds", model.farCallSeconds))
    return std::move(error);
  if (Error error = readPoints(object, "far_call_share", "far_call_share",
                               model.farCallShare, "share"))
    return std::move(error);
  if (Error error = readFar(object, "far_read_seconds", model.farRead))
    return std::move(error);
  if (Error error = readFar(object, "far_write_seconds", model.farWrite))
    return std::move(error);
  if (Error error = readNumber(object, "streamed_write_seconds_per_byte",
                               model.streamedWriteSeconds))
    return std::move(error);
  if (Error error = readNumber(object, "foreign_bytes_per_second",
                               model.foreignBytesPerSecond))
    return std::move(error);
  if (Error error = readKernels(object, model))
    return std::move(error);
  if (Error error = readByKernel(object, "fit_errors", model.fitErrors))
    return std::move(error);
  return model;
}

} // namespace roofline
