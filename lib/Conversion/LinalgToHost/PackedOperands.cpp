//===- PackedOperands.cpp - operands in the order they are read
//-------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedOperands.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace roofline::host {

PackedOperands::PackedOperands(Emitter &e, const Product &p,
                               const ProductTiling &t)
    : e(e), p(p), t(t), element(p.c.element()), lineA(e.line(p.a.buffer)),
      lineB(e.line(p.b.buffer)),
      innerK(p.k.size / p.loops[p.k.loops.front()].size) {}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

int64_t PackedOperands::rowB() const {
  int64_t row = llvm::alignTo(std::min(t.blockN, p.n.size), t.lanes) + t.lanes;
  return (row / t.lanes) % 2 ? row : row + t.lanes;
}

Value PackedOperands::allocateLine(int64_t size) {
  auto type = MemRefType::get({size}, element);
  return memref::AllocOp::create(e.b, e.loc, type, e.b.getI64IntegerAttr(64));
}

void PackedOperands::allocate() {
  if (t.packA) // and what a square's rows reach behind the last
    a = allocateLine(llvm::alignTo(std::min(t.blockM, p.m.size), t.rows) *
                         depthK() +
                     squareA());
  if (t.packB)
    b = allocateLine(
        t.panels ? llvm::alignTo(std::min(t.blockN, p.n.size), t.columns()) *
                       depthK()
                 : rowB() * depthK() + t.lanes);
  if (t.lone > 0)
    lone = allocateLine(t.lone * depthK());
}

void PackedOperands::release() {
  for (Value buffer : {a, b, lone})
    if (buffer)
      memref::DeallocOp::create(e.b, e.loc, buffer);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

Value PackedOperands::widened(Value value, Operation *widening) {
  if (!widening)
    return value;
  Type type = element;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = VectorType::get(vector.getShape(), element);
  return e.b
      .create(e.loc, widening->getName().getIdentifier(), value, type,
              widening->getAttrs())
      ->getResult(0);
}

/// `body(address, step)` for each step of a block of k: the address of an
/// operand with these strides, the step's number.
void PackedOperands::eachK(const Access &access, Value at, Value steps,
                           function_ref<void(Value, Value)> body) {
  unsigned l = p.k.loops.front();
  e.loop(steps, 1, ValueRange(), [&](Value i, ValueRange) {
    innerLoopsOfK(1, access, e.add(at, e.mul(i, access.strides[l])), i, body);
    return Values();
  });
}

void PackedOperands::innerLoopsOfK(unsigned depth, const Access &access,
                                   Value at, Value number,
                                   function_ref<void(Value, Value)> body) {
  if (depth == p.k.loops.size())
    return body(at, number);
  unsigned l = p.k.loops[depth];
  e.loop(p.loops[l].size, 1, [&](Value i) {
    innerLoopsOfK(depth + 1, access, e.add(at, e.mul(i, access.strides[l])),
                  e.add(e.mul(number, p.loops[l].size), i), body);
  });
}

/// Elements of k by squares: `square(k)` for each `size` of them, `rest(k)`
/// for what is left.
void PackedOperands::squaresOfK(Value steps, int64_t size,
                                function_ref<void(Value)> square,
                                function_ref<void(Value)> rest) {
  auto body = [](function_ref<void(Value)> one, Value i) {
    one(i);
    return Values();
  };
  Value count = e.mul(steps, innerK);
  Value left = arith::RemUIOp::create(e.b, e.loc, count, e.index(size));
  Value whole = e.sub(count, left);
  e.loop(whole, size, ValueRange(),
         [&](Value i, ValueRange) { return body(square, i); });
  if (p.k.size % size != 0 || depthK() % size != 0)
    e.loop(left, 1, ValueRange(),
           [&](Value i, ValueRange) { return body(rest, e.add(whole, i)); });
}

/// [tile of rows][k][row]
void PackedOperands::packA(Value at, int64_t m, Value steps) {
  int64_t stride = p.a.strides[p.m.loops[0]];
  bool isLine = isLineOfK(p, p.a) && stride != 1;
  e.blocks(m, t.rows, Share(), [&](Value i, int64_t rows) {
    Value from = e.add(at, e.mul(i, stride));
    Value to = e.mul(i, depthK());
    if (isLine)
      return packLinesOfA(from, to, rows, steps);
    eachK(p.a, from, steps, [&](Value source, Value number) {
      Value target = e.add(to, e.mul(number, t.rows));
      if (stride == 1) // what is written behind the rows is overwritten
        return e.storeVector(
            widened(e.loadVector(lineA, source, squareA(), rows), p.widenA), a,
            target, squareA());
      copyColumnOfA(source, target, rows);
    });
  });
}

void PackedOperands::copyColumnOfA(Value source, Value target, int64_t rows) {
  int64_t stride = p.a.strides[p.m.loops[0]];
  for (int64_t r = 0; r < rows; ++r)
    e.storeScalar(
        widened(e.loadScalar(lineA, e.add(source, r * stride)), p.widenA), a,
        e.add(target, r));
}

/// Rows of A that lie in the order of k, turned by squares. What a vector
/// holds of each row is turned at once: rows are often as far apart as the
/// first level of the caches reaches, so that a line doesn't stay there long.
void PackedOperands::packLinesOfA(Value from, Value to, int64_t rows,
                                  Value steps) {
  int64_t stride = p.a.strides[p.m.loops[0]], size = squareA();
  int64_t deep = std::max(size, t.lanes);
  auto square = [&](Value k) {
    Values lines;
    for (int64_t r = 0; r < size; ++r)
      lines.push_back(
          r < rows
              ? widened(e.loadVector(lineA, e.add(e.add(from, r * stride), k),
                                     size, size),
                        p.widenA)
              : lines.front());
    Value target = e.add(to, e.mul(k, t.rows));
    for (auto [j, column] : llvm::enumerate(e.transposed(lines)))
      e.storeVector(column, a, e.add(target, j * t.rows), size);
  };
  squaresOfK(
      steps, deep,
      [&](Value k) {
        for (int64_t part = 0; part < deep; part += size)
          square(e.add(k, part));
      },
      [&](Value k) {
        copyColumnOfA(e.add(from, k), e.add(to, e.mul(k, t.rows)), rows);
      });
}

/// A vector of columns of B, `count` of them.
Value PackedOperands::columnsOfB(Value at, int64_t stride, int64_t count) {
  Value vector = stride == 1
                     ? e.loadVector(lineB, at, t.lanes, count)
                     : e.gatherVector(lineB, at, stride, t.lanes, count);
  return widened(vector, p.widenB);
}

void PackedOperands::packB(Value at, int64_t n, int64_t lines, Value steps) {
  if (t.panels)
    packPanels(at, n, steps);
  else
    packLines(at, lines, steps);
}

void PackedOperands::copyLone(Value steps) {
  e.loop(e.mul(steps, innerK), 1, ValueRange(), [&](Value s, ValueRange) {
    for (int64_t c = 0; c < t.lone; ++c) {
      int64_t column = columnB(p.n.size - t.lone + c);
      e.storeScalar(e.loadScalar(b, e.add(e.mul(s, stepB()), column)), lone,
                    e.add(s, c * depthK()));
    }
    return Values();
  });
}

/// [tile of columns][k][column]
void PackedOperands::packPanels(Value at, int64_t n, Value steps) {
  int64_t stride = p.b.strides[p.n.loops[0]];
  auto copy = [&](Value source, Value j, int64_t columns, Value number) {
    Value target = e.add(e.mul(j, depthK()), e.mul(number, t.columns()));
    for (int64_t v = 0; v * t.lanes < columns; ++v)
      e.storeVector(columnsOfB(e.add(source, v * t.lanes * stride), stride,
                               std::min(t.lanes, columns - v * t.lanes)),
                    b, e.add(target, v * t.lanes), t.lanes);
  };
  // Read as it lies in memory, which fetches ahead.
  if (stride == 1)
    return eachK(p.b, at, steps, [&](Value source, Value number) {
      e.blocks(n, t.columns(), Share(), [&](Value j, int64_t columns) {
        copy(e.add(source, j), j, columns, number);
      });
    });
  if (isLineOfK(p, p.b))
    return e.blocks(n, t.columns(), Share(), [&](Value j, int64_t columns) {
      packLinesOfB(e.add(at, e.mul(j, stride)), j, columns, steps, copy);
    });
  e.blocks(n, t.columns(), Share(), [&](Value j, int64_t columns) {
    eachK(
        p.b, e.add(at, e.mul(j, stride)), steps,
        [&](Value source, Value number) { copy(source, j, columns, number); });
  });
}

/// Columns of B that lie in the order of k, turned by squares.
void PackedOperands::packLinesOfB(
    Value from, Value j, int64_t columns, Value steps,
    function_ref<void(Value, Value, int64_t, Value)> copy) {
  int64_t stride = p.b.strides[p.n.loops[0]];
  squaresOfK(
      steps, t.lanes,
      [&](Value k) {
        Value target = e.add(e.mul(j, depthK()), e.mul(k, t.columns()));
        for (int64_t first = 0; first < columns; first += t.lanes) {
          Values lines;
          for (int64_t c = first; c < first + t.lanes; ++c)
            lines.push_back(
                c < columns
                    ? widened(e.loadVector(lineB,
                                           e.add(e.add(from, c * stride), k),
                                           t.lanes, t.lanes),
                              p.widenB)
                    : lines.front());
          for (auto [i, row] : llvm::enumerate(e.transposed(lines)))
            e.storeVector(row, b,
                          e.add(target, int64_t(i) * t.columns() + first),
                          t.lanes);
        }
      },
      [&](Value k) { copy(e.add(from, k), j, columns, k); });
}

/// [k][line][column]: lines of the innermost loop of n side by side. What is
/// written behind a line's end the next line overwrites.
void PackedOperands::packLines(Value at, int64_t lines, Value steps) {
  eachK(p.b, at, steps, [&](Value source, Value number) {
    linesOfN(0, lines, source, e.mul(number, rowB()));
  });
}

void PackedOperands::linesOfN(unsigned depth, int64_t lines, Value source,
                              Value target) {
  unsigned l = p.n.loops[depth];
  int64_t size = depth == 0 ? lines : p.loops[l].size;
  int64_t stride = p.b.strides[l];
  if (depth + 1 < p.n.loops.size()) {
    int64_t width = 1;
    for (unsigned inner : ArrayRef(p.n.loops).drop_front(depth + 1))
      width *= p.loops[inner].size;
    e.loop(size, 1, [&](Value i) {
      linesOfN(depth + 1, lines, e.add(source, e.mul(i, stride)),
               e.add(target, e.mul(i, width)));
    });
    return;
  }
  for (int64_t x = 0; x < size; x += t.lanes)
    e.storeVector(columnsOfB(e.add(source, x * stride), stride,
                             std::min(t.lanes, size - x)),
                  b, e.add(target, x), t.lanes);
}

} // namespace roofline::host
