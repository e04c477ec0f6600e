//===- Profile.h - what a profiler recorded ---------------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One form for the profiles of several tools: a timeline of events where the
// tool wrote one, and measurements, which are events of one name put together.
// docs/profiles.md says which tool gives what. Nothing here knows of MLIR, ONNX
// or reports.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_PROFILE_PROFILE_H
#define ROOFLINE_PROFILE_PROFILE_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/StringSaver.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roofline::profile {

/// What wrote the file.
enum class Format : uint8_t { OnnxRuntime, Chrome, Ncu, Nsys, Roofline };
llvm::StringRef name(Format format);

enum class Category : uint8_t {
  Kernel,
  Memcpy,
  Memset,
  CpuOp, ///< an op of a framework, on the host
  Call,  ///< of a GPU's runtime or driver, on the host; synchronisation too
  Sync,  ///< a stream waits: no work of the device
  Node,  ///< onnxruntime's execution of one node
  Session,
  Step ///< one step of PyTorch's profiler
};
llvm::StringRef name(Category category);

/// Whether the device works on it.
inline bool isDeviceWork(Category category) {
  return category <= Category::Memset;
}

/// One span of the timeline. Times are whole nanoseconds since whatever moment
/// the tool counts from; texts live as long as the profile.
struct Event {
  llvm::StringRef name;
  llvm::StringRef opType;         ///< of a node: "MatMul"
  llvm::StringRef inputs;         ///< types and shapes as the tool wrote them
  llvm::StringRef thread;         ///< of the host: process and thread
  llvm::StringRef device, stream; ///< of the device
  llvm::StringRef direction;      ///< of a copy: "HtoD"
  llvm::StringRef provider;       ///< of a node: "CPUExecutionProvider"
  int64_t start = 0, duration = 0;
  std::optional<int64_t> correlation; ///< shared by a call and what it launched
  std::optional<int64_t> bytes;       ///< moved by a copy
  Category category = Category::CpuOp;

  int64_t end() const { return start + duration; }
};

/// A tensor as a tool describes it.
struct TensorShape {
  std::string type; ///< "f32"; "" where not given
  std::vector<int64_t> shape;

  bool operator==(const TensorShape &other) const {
    return type == other.type && shape == other.shape;
  }
};

/// The time of one thing that ran `count` times.
struct Seconds {
  double median = 0;
  std::optional<double> min, max, p95, p99;
};

/// Events of one name, op type and category put together, or what a tool put
/// together itself.
struct Measurement {
  std::string name, opType;
  std::vector<TensorShape> inputs;
  std::vector<std::string> outputs; ///< names, where given
  Category category = Category::Node;
  Seconds seconds; ///< of one execution
  double total = 0;
  uint64_t count = 0;
  std::optional<double> cpuSeconds;
  std::optional<int64_t> bytes; ///< in all; moved by copies
  /// The same by a library's code, where that was measured, too.
  struct Library {
    std::string name;
    Seconds seconds;
  };
  std::optional<Library> library;
  /// The rows of a report it is the time of, where the tool says so.
  std::vector<unsigned> rows;
};

/// One kernel launch that Nsight Compute looked into.
struct Launch {
  struct Metric {
    unsigned id; ///< into Profile::metrics
    std::string unit, text;
    std::optional<double> value;
  };
  std::string id, name, device, stream;
  std::vector<Metric> values; ///< in the order of the file
  std::optional<double> seconds;
  std::optional<double> dramBytes;

  const Metric *find(unsigned metric) const;
};

struct Profile {
  Profile();

  Format format = Format::Chrome;
  std::string file;
  std::string model; ///< what ran, where the file says so
  /// What a measured file says of the machine: name to text.
  std::vector<std::pair<std::string, std::string>> environment;

  std::vector<Event> events; ///< in the order of the file
  std::vector<Measurement> measurements;
  /// Of the whole model, once, where the tool measured it.
  std::optional<Seconds> whole;

  std::vector<std::string> metrics; ///< of Nsight Compute, in order of the file
  std::vector<Launch> launches;
  std::string durationMetric; ///< where Launch::seconds is from
  uint64_t ruleRows = 0;      ///< of a rule, without a metric

  /// What was odd about the file.
  std::vector<std::string> warnings;

  /// `text` for as long as the profile lives; equal texts share their place.
  llvm::StringRef keep(llvm::StringRef text) { return texts->save(text); }

private:
  std::unique_ptr<llvm::BumpPtrAllocator> memory;
  std::unique_ptr<llvm::UniqueStringSaver> texts;
};

/// Whether a span can be one: not negative, and so far from the ends of 64 bits
/// that no arithmetic on a file's times overflows.
bool isSpan(int64_t start, int64_t duration);

/// The tensors of Event::inputs.
std::vector<TensorShape> parseShapes(llvm::StringRef inputs);

/// The direction that a tool's name for a copy tells, as "HtoD"; "" if none.
llvm::StringRef copyDirection(llvm::StringRef name);

/// The name of a synchronise call without its version's suffix; else "".
llvm::StringRef syncCall(llvm::StringRef name);

/// The middle of the sorted values, of two their mean; `values` is reordered.
double median(std::vector<double> &values);
/// The value that a `share` of the values is at or below (nearest rank).
double percentile(std::vector<double> &values, double share);

} // namespace roofline::profile

#endif // ROOFLINE_PROFILE_PROFILE_H
