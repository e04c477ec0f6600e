//===- ProductNest.cpp - which loops of a product are which ---------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace roofline::host {
namespace {

/// A factor of the body: an argument, perhaps widened.
struct Factor {
  unsigned argument;
  Operation *widening = nullptr;
};

std::optional<Factor> factorOf(Value value, Block &body) {
  Factor factor;
  Operation *producer = value.getDefiningOp();
  if (producer && producer->getBlock() == &body) {
    if (!isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(producer))
      return std::nullopt;
    factor.widening = producer;
    value = producer->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &body)
    return std::nullopt;
  factor.argument = argument.getArgNumber();
  return factor;
}

/// `acc + x·y`, both inputs used once.
std::optional<std::pair<Factor, Factor>> factorsOf(Nest &nest) {
  Block &body = nest.body();
  if (nest.numInputs() != 2 || body.getNumArguments() != 3)
    return std::nullopt;
  Operation *sum = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!sum || !isa<arith::AddFOp, arith::AddIOp>(sum))
    return std::nullopt;
  Value accumulator = body.getArgument(2);
  unsigned side = sum->getOperand(0) == accumulator ? 1 : 0;
  if (sum->getOperand(1 - side) != accumulator)
    return std::nullopt;
  Operation *product = sum->getOperand(side).getDefiningOp();
  if (!product || !isa<arith::MulFOp, arith::MulIOp>(product))
    return std::nullopt;
  std::optional<Factor> x = factorOf(product->getOperand(0), body),
                        y = factorOf(product->getOperand(1), body);
  if (!x || !y || x->argument + y->argument != 1)
    return std::nullopt;
  return x->argument == 0 ? std::pair(*x, *y) : std::pair(*y, *x);
}

/// Sorts loops by their role; false where one has none.
bool findRoles(Product &p) {
  SmallVector<unsigned> m, n, k;
  for (auto [l, loop] : llvm::enumerate(p.loops)) {
    bool inA = p.a.strides[l] != 0, inB = p.b.strides[l] != 0;
    if (loop.isReduction) {
      if (!inA || !inB)
        return false;
      k.push_back(l);
    } else if (inA == inB) {
      p.outer.loops.push_back(l);
    } else {
      (inA ? m : n).push_back(l);
    }
  }
  if (m.empty() || n.empty() || k.empty())
    return false;
  // Results lie side by side along n.
  auto least = [&](ArrayRef<unsigned> loops) {
    return *llvm::min_element(loops, [&](unsigned x, unsigned y) {
      return p.c.strides[x] < p.c.strides[y];
    });
  };
  if (p.c.strides[least(n)] != 1) {
    if (p.c.strides[least(m)] != 1)
      return false;
    std::swap(m, n);
    std::swap(p.a, p.b);
    std::swap(p.widenA, p.widenB);
  }
  // n: as many loops as make one line of C, and of what meets it there.
  int64_t width = 1;
  while (!n.empty()) {
    unsigned next = least(n);
    if (p.c.strides[next] != width)
      break;
    bool inLine =
        p.n.loops.empty() || llvm::all_of(p.extras, [&](const auto &extra) {
          return !extra || extra->strides[next] ==
                               width * extra->strides[p.n.loops.back()];
        });
    if (!inLine)
      break;
    width *= p.loops[next].size;
    p.n.loops.insert(p.n.loops.begin(), next);
    llvm::erase(n, next);
  }
  p.n.size = width;
  llvm::append_range(p.outer.loops, n);
  // m: the largest.
  unsigned largest = *llvm::max_element(m, [&](unsigned x, unsigned y) {
    return p.loops[x].size < p.loops[y].size;
  });
  p.m.loops = {largest};
  p.m.size = p.loops[largest].size;
  llvm::erase(m, largest);
  llvm::append_range(p.outer.loops, m);
  // k: in the order of B.
  llvm::sort(k, [&](unsigned x, unsigned y) {
    return std::tuple(-p.b.strides[x], x) < std::tuple(-p.b.strides[y], y);
  });
  p.k.loops.assign(k.begin(), k.end());
  for (unsigned l : k)
    p.k.size *= p.loops[l].size;
  return true;
}

/// Results that become others are written side by side, too.
bool storesInLines(const Product &p) {
  return p.extras.empty() || p.extras.back()->strides[p.n.loops.back()] == 1;
}

} // namespace

std::optional<Product> productOf(Nest &nest, const Epilogue *epilogue) {
  auto factors = factorsOf(nest);
  if (!factors)
    return std::nullopt;
  for (const Loop &loop : nest.loops)
    if (loop.size == 0)
      return std::nullopt;
  Product p;
  p.a = nest.accesses[0];
  p.b = nest.accesses[1];
  p.c = nest.accesses[2];
  p.widenA = factors->first.widening;
  p.widenB = factors->second.widening;
  p.loops = nest.loops;
  if (epilogue) {
    p.epilogue = epilogue->op;
    unsigned next = 3;
    for (const std::optional<Access> &access : epilogue->accesses)
      p.extras.push_back(access ? std::optional(nest.accesses[next++])
                                : std::nullopt);
  }
  unsigned bits = p.c.element().getIntOrFloatBitWidth();
  if ((bits != 32 && bits != 64) || !findRoles(p) || !storesInLines(p))
    return std::nullopt;
  return p;
}

bool isLineOfK(const Product &p, const Access &access) {
  int64_t size = 1;
  for (unsigned l : llvm::reverse(p.k.loops)) {
    if (access.strides[l] != size)
      return false;
    size *= p.loops[l].size;
  }
  return true;
}

ProductShape shapeOf(const Product &p) {
  ProductShape shape;
  shape.m = p.m.size;
  shape.lines = p.n.loops.size() == 1 ? 1 : p.loops[p.n.loops.front()].size;
  shape.width = p.n.size / shape.lines;
  shape.outerK = p.loops[p.k.loops.front()].size;
  shape.innerK = p.k.size / shape.outerK;
  shape.bits = p.c.element().getIntOrFloatBitWidth();
  shape.directB = p.b.strides[p.n.loops.back()] == 1 && !p.widenB;
  shape.directA = !p.widenA;
  shape.linesOfA = p.c.element().isF32() && isLineOfK(p, p.a);
  return shape;
}

std::optional<unsigned> largestOuter(const Product &p) {
  if (p.outer.loops.empty())
    return std::nullopt;
  return *llvm::max_element(p.outer.loops, [&](unsigned x, unsigned y) {
    return p.loops[x].size < p.loops[y].size;
  });
}

ProductShares sharesOf(const Product &p, const ProductShape &shape,
                       const HostThreads &threads, ProductTiling &tiling) {
  double repeats = 1;
  for (unsigned l : p.outer.loops)
    repeats *= double(p.loops[l].size);
  for (auto [loop, stride] : llvm::zip(p.loops, p.c.strides))
    if (!loop.isReduction && stride == 0) // written again and again
      return {};
  std::optional<unsigned> cut = largestOuter(p);
  int64_t batches = cut ? p.loops[*cut].size : 1;
  return shareProduct(shape, batches, repeats / double(batches), threads,
                      tiling);
}

} // namespace roofline::host
