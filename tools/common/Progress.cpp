//===- Progress.cpp - a sign of life for long steps -----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Progress.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <string>

namespace roofline {

Progress::Progress(unsigned steps) : steps(steps) {
  if (llvm::sys::Process::StandardErrIsDisplayed())
    thread = std::thread([this] { run(); });
}

Progress::~Progress() { end(); }

void Progress::end() {
  if (!thread.joinable())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    done = true;
  }
  changed.notify_one();
  thread.join();
}

void Progress::begin(const char *what) {
  std::lock_guard<std::mutex> lock(mutex);
  step = what;
  ++number;
  changed.notify_one();
}

/// "[####------] 2/5 inferring shapes, 3 s", over the line's old content.
void Progress::run() {
  using Clock = std::chrono::steady_clock;
  std::unique_lock<std::mutex> lock(mutex);
  Clock::time_point began = Clock::now();
  unsigned drawnFor = 0, seen = 0;
  while (!done) {
    changed.wait_for(lock, std::chrono::milliseconds(200));
    if (number != seen) {
      seen = number;
      began = Clock::now();
    }
    auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - began)
            .count();
    if (done || seconds < 1)
      continue;
    const unsigned width = 20;
    unsigned filled = width * (number ? number - 1 : 0) / steps;
    llvm::errs() << "\r[" << std::string(filled, '#')
                 << std::string(width - filled, '-') << "] " << number << '/'
                 << steps << ' ' << step << ", " << seconds << " s\033[K";
    llvm::errs().flush();
    drawnFor = number;
  }
  if (drawnFor)
    llvm::errs() << "\r\033[K";
}

} // namespace roofline
