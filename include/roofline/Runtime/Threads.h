//===- Threads.h - a small pool of pinned threads ---------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The caller is the pool's first thread, so that a pool of one calls straight
// through. Threads wait for work by spinning for a while, so that a call costs
// a fraction of a microsecond, and then sleep.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_RUNTIME_THREADS_H
#define ROOFLINE_RUNTIME_THREADS_H

#include "roofline/Runtime/Timing.h"
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace roofline::runtime {

/// The CPUs this process may run on, one of each core before the second
/// hardware threads of any.
std::vector<unsigned> usableCpus();

/// How many cores those CPUs belong to; at least 1.
unsigned usableCores();

/// Keeps the calling thread on `cpu`; false where the system refuses.
bool pinThread(unsigned cpu);

class ThreadPool {
public:
  /// What runs on each thread: its number, and how many there are.
  using Function = llvm::function_ref<void(unsigned, unsigned)>;

  /// `count` threads (at least 1), the first of them the caller, each pinned to
  /// a CPU of its own as long as there are enough. The caller may run where it
  /// could before once the pool is gone.
  explicit ThreadPool(unsigned count);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  /// Lets the caller run where it could before the pool, as long as this lives:
  /// threads that it starts meanwhile, or a library for it, run there, too.
  class FreeCaller {
  public:
    /// Of no pool: does nothing.
    explicit FreeCaller(const ThreadPool *pool);
    ~FreeCaller();
    FreeCaller(const FreeCaller &) = delete;
    FreeCaller &operator=(const FreeCaller &) = delete;

  private:
    std::vector<unsigned> before; ///< where it ran; empty: wherever it could
  };

  unsigned size() const { return static_cast<unsigned>(workers.size()) + 1; }
  /// Every thread could be pinned to a CPU of its own.
  bool isPinned() const { return pinned; }

  /// Runs `fn` on all threads; returns when all are done. Not to be called from
  /// inside `fn`.
  void run(Function fn);

  /// The same, timed: all threads start together. The CPU time is that of the
  /// thread that took most, waiting for the others not counted.
  Times runTimed(Function fn);

  /// Inside `fn`: waits until every thread has come here.
  void barrier();

private:
  void work(unsigned thread, unsigned cpu, bool pin);

  std::vector<std::thread> workers;
  bool pinned = false;
  std::vector<unsigned> allowed; ///< where the caller could run before

  Function current = nullptr;
  std::atomic<uint64_t> generation{0}; ///< of `current`
  std::atomic<unsigned> pending{0};    ///< workers that aren't done
  std::atomic<unsigned> sleeping{0};
  std::atomic<unsigned> started{0};
  std::atomic<bool> allPinned{true};
  std::atomic<bool> stopping{false};
  std::mutex mutex;
  std::condition_variable wake;

  std::atomic<unsigned> arrived{0}; ///< at the barrier
  std::atomic<uint64_t> phase{0};   ///< barriers passed
};

} // namespace roofline::runtime

#endif // ROOFLINE_RUNTIME_THREADS_H
