//===- Progress.h - a sign of life for long steps ---------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_TOOLS_COMMON_PROGRESS_H
#define ROOFLINE_TOOLS_COMMON_PROGRESS_H

#include <condition_variable>
#include <mutex>
#include <thread>

namespace roofline {

/// Draws a bar on standard error, which names the step under way, once a step
/// has taken more than a second; nothing where that is no terminal.
class Progress {
public:
  explicit Progress(unsigned steps);
  ~Progress();

  /// The next step begins. `what` must outlive the object.
  void begin(const char *what);

  /// Takes the bar away for good: what follows is printed to the terminal.
  void end();

private:
  void run();

  const unsigned steps;
  std::mutex mutex;
  std::condition_variable changed;
  const char *step = "";
  unsigned number = 0;
  bool done = false;
  std::thread thread;
};

} // namespace roofline

#endif // ROOFLINE_TOOLS_COMMON_PROGRESS_H
