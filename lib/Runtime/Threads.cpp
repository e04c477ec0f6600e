//===- Threads.cpp - a small pool of pinned threads -----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Runtime/Threads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <fstream>
#include <sched.h>
#include <set>
#include <string>

using namespace llvm;
using namespace roofline::runtime;

static std::vector<unsigned> allowedCpus() {
  std::vector<unsigned> cpus;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &set))
        cpus.push_back(cpu);
  return cpus;
}

static bool setAffinity(ArrayRef<unsigned> cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (unsigned cpu : cpus)
    CPU_SET(cpu, &set);
  return sched_setaffinity(0, sizeof(set), &set) == 0;
}

bool roofline::runtime::pinThread(unsigned cpu) { return setAffinity(cpu); }

namespace {
struct Cpus {
  std::vector<unsigned> ids; ///< one of each core first
  unsigned cores;
};
} // namespace

static Cpus readCpus() {
  std::vector<unsigned> first, others;
  std::set<std::string> cores; // by the list of the hardware threads of each
  for (unsigned cpu : allowedCpus()) {
    std::ifstream file("/sys/devices/system/cpu/cpu" + utostr(cpu) +
                       "/topology/thread_siblings_list");
    std::string siblings;
    bool isFirst =
        !std::getline(file, siblings) || cores.insert(siblings).second;
    (isFirst ? first : others).push_back(cpu);
  }
  auto count = static_cast<unsigned>(std::max<size_t>(1, first.size()));
  first.insert(first.end(), others.begin(), others.end());
  return {std::move(first), count};
}

std::vector<unsigned> roofline::runtime::usableCpus() { return readCpus().ids; }
unsigned roofline::runtime::usableCores() { return readCpus().cores; }

/// Tells the core that this is a loop that waits.
static void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Spins until `isDone`; lets others run where that takes long, as it does when
/// there are more threads than CPUs.
template <typename Predicate> static void spinUntil(Predicate isDone) {
  constexpr unsigned spins = 20000;
  for (unsigned i = 0; !isDone(); ++i)
    if (i < spins)
      pause();
    else
      sched_yield();
}

ThreadPool::ThreadPool(unsigned count) {
  allowed = allowedCpus();
  std::vector<unsigned> cpus = usableCpus();
  count = std::max(count, 1u);
  bool enough = cpus.size() >= count;
  workers.reserve(count - 1);
  for (unsigned thread = 1; thread < count; ++thread)
    workers.emplace_back(
        [this, thread, enough, cpu = enough ? cpus[thread] : 0] {
          work(thread, cpu, enough);
        });
  bool callerPinned = enough && pinThread(cpus.front());
  spinUntil([&] { return started.load() == count - 1; });
  pinned = callerPinned && allPinned.load();
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  wake.notify_all();
  for (std::thread &worker : workers)
    worker.join();
  if (!allowed.empty())
    (void)setAffinity(allowed);
}

ThreadPool::FreeCaller::FreeCaller(const ThreadPool *pool) {
  if (!pool || pool->allowed.empty())
    return;
  before = allowedCpus();
  (void)setAffinity(pool->allowed);
}

ThreadPool::FreeCaller::~FreeCaller() {
  if (!before.empty())
    (void)setAffinity(before);
}

void ThreadPool::work(unsigned thread, unsigned cpu, bool pin) {
  if (!pin || !pinThread(cpu))
    allPinned = false;
  ++started;
  constexpr unsigned spins = 20000; // some 100 microseconds
  uint64_t done = 0;
  while (true) {
    auto isCalled = [&] {
      return generation.load() != done || stopping.load();
    };
    for (unsigned i = 0; i < spins && !isCalled(); ++i)
      pause();
    if (!isCalled()) {
      std::unique_lock<std::mutex> lock(mutex);
      ++sleeping;
      wake.wait(lock, isCalled);
      --sleeping;
    }
    if (stopping)
      return;
    ++done;
    current(thread, size());
    --pending;
  }
}

void ThreadPool::run(Function fn) {
  if (workers.empty()) {
    fn(0, 1);
    return;
  }
  current = fn;
  pending = static_cast<unsigned>(workers.size());
  ++generation;
  // A thread counts itself as sleeping before it looks at the generation for
  // the last time, so either it sees the new one or is seen here.
  if (sleeping.load() != 0) {
    std::lock_guard<std::mutex> lock(mutex);
    wake.notify_all();
  }
  fn(0, size());
  spinUntil([&] { return pending.load() == 0; });
}

void ThreadPool::barrier() {
  uint64_t before = phase.load();
  if (++arrived == size()) {
    arrived = 0;
    ++phase;
    return;
  }
  spinUntil([&] { return phase.load() != before; });
}

Times ThreadPool::runTimed(Function fn) {
  std::vector<double> cpu(size()), begin(size()), end(size());
  run([&](unsigned thread, unsigned count) {
    barrier();
    begin[thread] = wallSeconds();
    double start = threadCpuSeconds();
    fn(thread, count);
    cpu[thread] = threadCpuSeconds() - start;
    end[thread] = wallSeconds();
  });
  return {*llvm::max_element(end) - *llvm::min_element(begin),
          *llvm::max_element(cpu)};
}
