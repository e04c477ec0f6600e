//===- Emitter.cpp - loops and vectors from nests -------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace roofline::host {

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

Value Emitter::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

static std::optional<int64_t> numberOf(Value value) {
  return getConstantIntValue(getAsOpFoldResult(value));
}

Value Emitter::add(Value x, Value y) {
  if (!x || numberOf(x) == 0)
    return y;
  if (!y || numberOf(y) == 0)
    return x;
  return arith::AddIOp::create(b, loc, x, y);
}

Value Emitter::add(Value x, int64_t y) { return y == 0 ? x : add(x, index(y)); }

Value Emitter::sub(Value x, Value y) {
  return arith::SubIOp::create(b, loc, x, y);
}

Value Emitter::mul(Value x, int64_t factor) {
  if (factor == 1)
    return x;
  if (std::optional<int64_t> number = numberOf(x))
    return index(*number * factor);
  return arith::MulIOp::create(b, loc, x, index(factor));
}

Value Emitter::div(Value x, int64_t divisor) {
  if (divisor == 1)
    return x;
  if (std::optional<int64_t> number = numberOf(x))
    return index(*number / divisor);
  return arith::DivUIOp::create(b, loc, x, index(divisor));
}

void Emitter::loop(int64_t size, int64_t step, function_ref<void(Value)> body) {
  loop(size, step, ValueRange(), [&](Value i, ValueRange) {
    body(i);
    return Values();
  });
}

Values Emitter::loop(int64_t size, int64_t step, ValueRange carried,
                     function_ref<Values(Value, ValueRange)> body) {
  if (size <= 0)
    return Values(carried);
  if (size <= step)
    return body(index(0), carried);
  return loop(index(size), step, carried, body);
}

Values Emitter::loop(Value size, int64_t step, ValueRange carried,
                     function_ref<Values(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(b, loc, index(0), size, index(step), carried);
  OpBuilder::InsertionGuard guard(b);
  // The default builder ends an empty loop itself.
  Block *block = loop.getBody();
  if (!block->empty())
    block->back().erase();
  b.setInsertionPointToEnd(block);
  Values results = body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(b, loc, results);
  return Values(loop.result_begin(), loop.result_end());
}

Value Emitter::min(Value x, int64_t y) {
  return arith::MinSIOp::create(b, loc, x, index(y));
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// Where the parts before `part` end, in steps.
static Value beginOf(Emitter &e, int64_t steps, Value part, int64_t parts) {
  if (steps % parts == 0)
    return e.mul(part, steps / parts);
  return arith::DivUIOp::create(e.b, e.loc, e.mul(part, steps), e.index(parts));
}

void Emitter::loop(int64_t size, int64_t step, const Share &share,
                   function_ref<void(Value)> body) {
  assert(size % step == 0 || share.parts == 1);
  blocks(size, step, share, body, body);
}

void Emitter::blocks(int64_t size, int64_t block, const Share &share,
                     function_ref<void(Value)> whole,
                     function_ref<void(Value)> rest) {
  int64_t wholeSize = size / block * block;
  if (share.parts == 1) {
    loop(wholeSize, block, whole);
    if (wholeSize < size)
      rest(index(wholeSize));
    return;
  }
  // What is left over is a step like others: the last part's last.
  int64_t steps = llvm::divideCeil(size, block);
  Value begin = mul(beginOf(*this, steps, share.part, share.parts), block);
  Value end =
      mul(beginOf(*this, steps, add(share.part, 1), share.parts), block);
  if (wholeSize < size)
    end = min(end, wholeSize);
  scf::ForOp::create(b, loc, begin, end, index(block), ValueRange(),
                     [&](OpBuilder &inner, Location, Value i, ValueRange) {
                       within(inner, [&] { whole(i); });
                       scf::YieldOp::create(inner, loc);
                     });
  if (wholeSize == size)
    return;
  Value isLast = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                       share.part, index(share.parts - 1));
  scf::IfOp::create(b, loc, isLast, [&](OpBuilder &inner, Location) {
    within(inner, [&] { rest(index(wholeSize)); });
    scf::YieldOp::create(inner, loc);
  });
}

void Emitter::blocks(int64_t size, int64_t block, const Share &share,
                     function_ref<void(Value, int64_t)> body) {
  blocks(
      size, block, share, [&](Value i) { body(i, block); },
      [&](Value i) { body(i, size % block); });
}

int64_t Emitter::threadsFor(double cycles) const {
  return isParallel ? 1 : options.threads.worth(cycles);
}

void Emitter::parallel(int64_t parts, function_ref<void(Value)> body) {
  if (parts <= 1)
    return body(Value());
  scf::ForallOp::create(b, loc, ArrayRef<OpFoldResult>{b.getIndexAttr(parts)},
                        ValueRange(), std::nullopt,
                        [&](OpBuilder &inner, Location, ValueRange arguments) {
                          llvm::SaveAndRestore inside(isParallel, true);
                          within(inner, [&] { body(arguments.front()); });
                          scf::InParallelOp::create(inner, loc);
                        });
}

void Emitter::within(OpBuilder &inner, function_ref<void()> body) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(inner.getInsertionBlock());
  body();
  inner.setInsertionPointToEnd(inner.getInsertionBlock());
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

VectorType Emitter::vectorOf(Type element, int64_t lanes) {
  return VectorType::get({lanes}, element);
}

Value Emitter::line(Value buffer) {
  Value &line = lines[buffer];
  if (line)
    return line;
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    llvm_unreachable("a nest has strided operands");
  // The last element that can be reached, counted from the base.
  int64_t length = ShapedType::isDynamic(offset) ? 1 : offset + 1;
  for (auto [size, stride] : llvm::zip(type.getShape(), strides))
    length += (size - 1) * stride;
  if (type.getNumElements() == 0)
    length = 0;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfterValue(buffer);
  auto flat = MemRefType::get({length}, type.getElementType());
  return line = memref::ReinterpretCastOp::create(
             b, loc, flat, buffer, /*offset=*/0, ArrayRef<int64_t>{length},
             ArrayRef<int64_t>{1});
}

Value Emitter::loadScalar(Value line, Value at) {
  return memref::LoadOp::create(b, loc, line, at);
}

void Emitter::storeScalar(Value value, Value line, Value at) {
  memref::StoreOp::create(b, loc, value, line, at);
}

Value Emitter::mask(int64_t lanes, int64_t count) {
  return vector::ConstantMaskOp::create(b, loc, vectorOf(b.getI1Type(), lanes),
                                        ArrayRef<int64_t>{count});
}

Value Emitter::loadVector(Value line, Value at, int64_t lanes, int64_t count) {
  Type element = cast<MemRefType>(line.getType()).getElementType();
  VectorType type = vectorOf(element, lanes);
  if (count >= lanes)
    return vector::LoadOp::create(b, loc, type, line, at);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  return vector::MaskedLoadOp::create(b, loc, type, line, at,
                                      mask(lanes, count), zero);
}

void Emitter::storeVector(Value value, Value line, Value at, int64_t count,
                          bool streaming) {
  auto type = cast<VectorType>(value.getType());
  if (count >= type.getDimSize(0)) {
    auto store = vector::StoreOp::create(b, loc, value, line, at);
    if (streaming) {
      store.setNontemporal(true);
      store.setAlignment(type.getDimSize(0) * type.getElementTypeBitWidth() /
                         8);
    }
    return;
  }
  vector::MaskedStoreOp::create(b, loc, line, at,
                                mask(type.getDimSize(0), count), value);
}

/// Every other element: two vectors side by side, and the even lanes of both.
Value Emitter::loadEven(Value line, Value at, int64_t lanes, int64_t count) {
  int64_t reach = 2 * std::min(count, lanes) - 1; // to the last one
  Value low = loadVector(line, at, lanes, std::min(reach, lanes));
  Value high = reach > lanes
                   ? loadVector(line, add(at, lanes), lanes, reach - lanes)
                   : low;
  SmallVector<int64_t> even;
  for (int64_t i = 0; i < lanes; ++i)
    even.push_back(2 * i);
  return vector::ShuffleOp::create(b, loc, low, high, even);
}

/// 0, stride, 2·stride … ; the same as the first behind `count`.
Value Emitter::offsets(int64_t stride, int64_t lanes, int64_t count) {
  // Offsets of 32 bits are faster, where they are enough.
  bool isNear = stride <= INT32_MAX / lanes;
  Type type = isNear ? b.getI32Type() : b.getI64Type();
  SmallVector<Attribute> steps;
  for (int64_t i = 0; i < lanes; ++i)
    steps.push_back(b.getIntegerAttr(type, i < count ? i * stride : 0));
  return arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(vectorOf(type, lanes), steps));
}

Value Emitter::gatherVector(Value line, Value at, int64_t stride, int64_t lanes,
                            int64_t count) {
  if (stride == 2 && lanes > 1)
    return loadEven(line, at, lanes, count);
  Type element = cast<MemRefType>(line.getType()).getElementType();
  VectorType type = vectorOf(element, lanes);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  return vector::GatherOp::create(b, loc, type, line, at,
                                  offsets(stride, lanes, count),
                                  mask(lanes, std::min(count, lanes)), zero);
}

void Emitter::scatterVector(Value value, Value line, Value at, int64_t stride,
                            int64_t count) {
  int64_t lanes = cast<VectorType>(value.getType()).getDimSize(0);
  vector::ScatterOp::create(b, loc, Type(), line, at,
                            offsets(stride, lanes, count),
                            mask(lanes, std::min(count, lanes)), value);
}

Value Emitter::repeated(Value vector, int64_t times) {
  int64_t lanes = cast<VectorType>(vector.getType()).getDimSize(0);
  SmallVector<int64_t> picks;
  for (int64_t i = 0; i < lanes * times; ++i)
    picks.push_back(i / times);
  return vector::ShuffleOp::create(b, loc, vector, vector, picks);
}

/// Blocks off the diagonal change places, the largest first: what is left is
/// transposed within them.
Values Emitter::transposed(Values rows) {
  auto size = int64_t(rows.size());
  assert(llvm::isPowerOf2_64(size) && "blocks are halved");
  for (int64_t half = size / 2; half >= 1; half /= 2) {
    SmallVector<int64_t> low, high; // of the first row, then of the second
    for (int64_t i = 0; i < size; ++i) {
      bool isLow = (i & half) == 0;
      low.push_back(isLow ? i : size + i - half);
      high.push_back(isLow ? i + half : size + i);
    }
    for (int64_t i = 0; i < size; ++i) {
      if (i & half)
        continue;
      Value x = rows[i], y = rows[i + half];
      rows[i] = vector::ShuffleOp::create(b, loc, x, y, low);
      rows[i + half] = vector::ShuffleOp::create(b, loc, x, y, high);
    }
  }
  return rows;
}

Value Emitter::broadcast(Value scalar, int64_t lanes) {
  return vector::BroadcastOp::create(b, loc, vectorOf(scalar.getType(), lanes),
                                     scalar);
}

} // namespace roofline::host
