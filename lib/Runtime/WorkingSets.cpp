//===- WorkingSets.cpp - how much memory reaches which level --------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkingSets.h"
#include "roofline/Runtime/Calibrate.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace roofline::runtime;

static constexpr int64_t mebibyte = int64_t(1) << 20;
/// Of a set: whole steps of the loops, for each of three arrays.
static constexpr int64_t granule = int64_t(3) * 4096;

int64_t roofline::runtime::wholeCacheBytes(const Environment &environment,
                                           const Cache &cache) {
  int64_t sharers = coresSharing(environment, cache);
  int64_t cores = std::max(1u, environment.cores);
  return cache.sizeBytes * divideCeil(cores, sharers);
}

unsigned roofline::runtime::coresSharing(const Environment &environment,
                                         const Cache &cache) {
  unsigned perCore = std::max(1u, environment.threadsPerCore);
  auto cpus = static_cast<unsigned>(cache.sharedBy.size());
  return std::max(1u, cpus / perCore);
}

/// What a thread has of a cache when `threads` run, those that share it filled
/// first.
static int64_t shareOf(const Environment &environment, const Cache &cache,
                       unsigned threads) {
  return cache.sizeBytes /
         std::min(std::max(1u, threads), coresSharing(environment, cache));
}

static int64_t dramSet(const Environment &environment, int64_t allCaches,
                       int64_t innermost, unsigned threads, bool quick) {
  // Four times what the caches hold: a set that is walked from end to end
  // leaves nothing of use behind in a cache smaller than itself.
  int64_t total = std::max((quick ? 64 : 256) * mebibyte, 4 * allCaches);
  int64_t each = std::max(total / threads, 4 * innermost);
  if (environment.availableBytes > 0)
    each = std::min(each, environment.availableBytes / 4 / threads);
  return alignDown(each, granule);
}

std::vector<WorkingSet>
roofline::runtime::workingSets(const Environment &environment, unsigned threads,
                               bool quick) {
  threads = std::max(1u, threads);
  std::vector<WorkingSet> sets;
  int64_t inner = 0, allCaches = 0;
  for (unsigned level = 1; level <= 4; ++level) {
    const Cache *cache = environment.dataCache(level);
    if (!cache)
      continue;
    int64_t share = shareOf(environment, *cache, threads);
    allCaches = std::max(allCaches, wholeCacheBytes(environment, *cache));
    // Half of the first level; of another a quarter, or more where the level
    // inside it would hold a good part of that. The rest is for what else lies
    // in the cache.
    int64_t bytes = inner == 0 ? share / 2 : std::max(share / 4, 4 * inner);
    bytes = alignDown(std::min(bytes, share / 4 * 3), granule);
    if (bytes > 2 * inner) // else the level can't be told from the one inside
      sets.push_back({"l" + std::to_string(level), bytes});
    inner = share;
  }
  sets.push_back(
      {"dram", dramSet(environment, allCaches, inner, threads, quick)});
  return sets;
}
