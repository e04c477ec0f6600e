//===- Work.cpp - what one op must compute and move -----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Cost/Work.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace roofline;

Expr roofline::numElements(ArrayRef<Expr> dims) {
  Expr product = 1;
  for (const Expr &dim : dims)
    product *= dim;
  return product;
}

std::optional<Expr> roofline::packedBytes(const Expr &count, ElementType type) {
  std::optional<unsigned> bits = bitWidth(type);
  if (!bits)
    return std::nullopt;
  if (*bits % 8 == 0)
    return count * (*bits / 8);
  return Expr::ceilDiv(count * *bits, 8);
}

void Work::addFlops(ComputeClass cls, ElementType type, const Expr &count) {
  if (count.isZero())
    return;
  auto *same = find_if(flops, [&](const Flops &term) {
    return term.cls == cls && term.type == type;
  });
  if (same != flops.end())
    same->count += count;
  else
    flops.push_back({cls, type, count});
}

void Work::read(int operand, std::optional<Expr> bytes, Role role) {
  traffic.push_back({Traffic::Read, operand, role, std::move(bytes)});
}

void Work::write(int result, std::optional<Expr> bytes, Role role) {
  traffic.push_back({Traffic::Write, result, role, std::move(bytes)});
}

std::optional<Expr> Work::totalFlops() const {
  if (!flopsKnown)
    return std::nullopt;
  Expr sum;
  for (const Flops &term : flops)
    sum += term.count;
  return sum;
}

static std::optional<Expr> sumTraffic(ArrayRef<Traffic> traffic,
                                      Traffic::Direction direction) {
  Expr sum;
  for (const Traffic &transfer : traffic) {
    if (transfer.direction != direction)
      continue;
    if (!transfer.bytes)
      return std::nullopt;
    sum += *transfer.bytes;
  }
  return sum;
}

std::optional<Expr> Work::bytesRead() const {
  return sumTraffic(traffic, Traffic::Read);
}

std::optional<Expr> Work::bytesWritten() const {
  return sumTraffic(traffic, Traffic::Write);
}

bool Work::isZero() const {
  return flopsKnown && launches.isZero() &&
         all_of(flops, [](const Flops &term) { return term.count.isZero(); }) &&
         all_of(traffic, [](const Traffic &transfer) {
           return transfer.bytes && transfer.bytes->isZero();
         });
}

Work Work::none() {
  Work work;
  work.launches = 0;
  return work;
}
