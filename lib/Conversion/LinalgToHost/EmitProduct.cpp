//===- EmitProduct.cpp - products from packed operands --------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C[m,n] += Σ_k A[m,k]·B[k,n], each of m, n and k one loop or several. Blocks
// of B and A are copied to where they lie in the order they are read in, and a
// tile of C stays in registers over a whole block of k: the scheme of Goto and
// van de Geijn (Anatomy of High-Performance Matrix Multiplication, 2008). A
// convolution is the same product with the copy of B picking the input's
// positions tap by tap.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "ProductNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "roofline/Cost/HostTiling.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace roofline::host {
namespace {

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

class ProductEmitter {
public:
  ProductEmitter(Emitter &e, Product &p, const ProductTiling &t,
                 const ProductShares &shares, Operation *fill)
      : e(e), p(p), t(t), shares(shares), fill(fill), element(p.c.element()) {
    lineA = e.line(p.a.buffer);
    lineB = e.line(p.b.buffer);
    lineC = e.line(p.c.buffer);
    outerK = p.loops[p.k.loops.front()].size;
    innerK = p.k.size / outerK;
  }

  void run() {
    e.parallel(shares.parts(), [&](Value part) {
      takePart(part);
      allocate();
      Addresses at = {start(p.a), start(p.b), start(p.c)};
      for (const std::optional<Access> &extra : p.extras)
        at.push_back(extra ? start(*extra) : Value());
      for (const std::optional<Access> &extra : p.extras)
        lineExtras.push_back(extra ? e.line(extra->buffer) : Value());
      outerLoops(0, at);
      release();
    });
    if (fill && singleBlock())
      fill->erase();
  }

private:
  /// Of A, B, C and the epilogue's operands.
  using Addresses = SmallVector<Value, 6>;

  bool singleBlock() const { return t.blockK == outerK; }

  Value start(const Access &access) {
    return e.add(access.start ? access.start : e.index(0), access.offset);
  }

  /// All addresses `i` steps along a loop further.
  Addresses stepped(const Addresses &at, unsigned l, Value i) {
    Addresses next = {e.add(at[0], e.mul(i, p.a.strides[l])),
                      e.add(at[1], e.mul(i, p.b.strides[l])),
                      e.add(at[2], e.mul(i, p.c.strides[l]))};
    for (auto [extra, address] :
         llvm::zip(p.extras, ArrayRef(at).drop_front(3)))
      next.push_back(extra ? e.add(address, e.mul(i, extra->strides[l]))
                           : Value());
    return next;
  }

  /// A part's shares: along m next to each other, then along n.
  void takePart(Value part) {
    if (!part)
      return;
    auto next = [&](int64_t parts) -> Share {
      if (parts == 1)
        return {};
      Value count = e.index(parts);
      Value number = arith::RemUIOp::create(e.b, e.loc, part, count);
      part = arith::DivUIOp::create(e.b, e.loc, part, count);
      return {number, parts};
    };
    shareM = next(shares.m);
    shareN = next(shares.n);
    shareOuter = next(shares.batches);
  }

  void outerLoops(unsigned depth, const Addresses &at) {
    if (depth == p.outer.loops.size())
      return blocksOfN(at);
    unsigned l = p.outer.loops[depth];
    e.loop(p.loops[l].size, 1, l == largestOuter(p) ? shareOuter : Share(),
           [&](Value i) { outerLoops(depth + 1, stepped(at, l, i)); });
  }

  //===--------------------------------------------------------------------===//
  // Buffers
  //===--------------------------------------------------------------------===//

  int64_t depthK() const { return t.blockK * innerK; }
  /// Elements from one row of packed B to the next. An odd number of cache
  /// lines, so that rows don't fall on the same set of the first level.
  int64_t rowB() const {
    int64_t row =
        llvm::alignTo(std::min(t.blockN, p.n.size), t.lanes) + t.lanes;
    return (row / t.lanes) % 2 ? row : row + t.lanes;
  }

  /// Rows of A are copied by squares that hold a tile's.
  int64_t squareA() const { return int64_t(llvm::PowerOf2Ceil(t.rows)); }

  Value allocateLine(int64_t size) {
    auto type = MemRefType::get({size}, element);
    return memref::AllocOp::create(e.b, e.loc, type, e.b.getI64IntegerAttr(64));
  }

  void allocate() {
    if (t.packA) // and what a square's rows reach behind the last
      packedA = allocateLine(
          llvm::alignTo(std::min(t.blockM, p.m.size), t.rows) * depthK() +
          squareA());
    if (t.packB)
      packedB = allocateLine(
          t.panels ? llvm::alignTo(std::min(t.blockN, p.n.size), t.columns()) *
                         depthK()
                   : rowB() * depthK() + t.lanes);
  }

  void release() {
    for (Value buffer : {packedA, packedB})
      if (buffer)
        memref::DeallocOp::create(e.b, e.loc, buffer);
  }

  //===--------------------------------------------------------------------===//
  // Blocks
  //===--------------------------------------------------------------------===//

  /// `body(i, size)` for blocks of `block` out of `size`; a rest is code of its
  /// own, since sizes are part of the code.
  void blocks(int64_t size, int64_t block, const Share &share,
              function_ref<void(Value, int64_t)> body) {
    e.blocks(
        size, block, share, [&](Value i) { body(i, block); },
        [&](Value i) { body(i, size % block); });
  }
  void blocks(int64_t size, int64_t block,
              function_ref<void(Value, int64_t)> body) {
    blocks(size, block, Share(), body);
  }

  void blocksOfN(const Addresses &at) {
    unsigned line = p.n.loops.front(); // the outermost
    int64_t width = p.n.size / p.loops[line].size;
    blocks(p.loops[line].size, t.panels ? t.blockN : t.blockN / width, shareN,
           [&](Value i, int64_t count) {
             blocksOfK(stepped(at, line, i), count * width, count);
           });
  }

  void blocksOfK(const Addresses &at, int64_t n, int64_t lines) {
    unsigned l = p.k.loops.front();
    e.loop(outerK, t.blockK, [&](Value i) {
      Value steps = outerK % t.blockK == 0
                        ? e.index(t.blockK)
                        : e.min(sub(e.index(outerK), i), t.blockK);
      Addresses here = stepped(at, l, i);
      if (t.packB)
        packB(here[1], n, lines, steps);
      blocksOfM(here, n, steps, i);
    });
  }

  Value sub(Value x, Value y) {
    return arith::SubIOp::create(e.b, e.loc, x, y);
  }

  void blocksOfM(const Addresses &at, int64_t n, Value steps, Value k) {
    blocks(p.m.size, t.blockM, shareM, [&](Value i, int64_t m) {
      Addresses here = stepped(at, p.m.loops[0], i);
      if (t.packA)
        packA(here[0], m, steps);
      tiles(here, m, n, steps, k);
    });
  }

  /// Tiles of C: columns outside, so that a tile of B stays near.
  void tiles(const Addresses &at, int64_t m, int64_t n, Value steps, Value k) {
    auto column = [&](Value j, int64_t first, int64_t columns) {
      blocks(m, t.rows, [&](Value i, int64_t rows) {
        tile(at, i, rows, j, first, columns, steps, k);
      });
    };
    blocks(n, t.columns(), [&](Value j, int64_t columns) {
      // Vectors of two sizes in one tile would keep each other from registers.
      int64_t whole = columns - columns % t.lanes;
      if (whole == 0 || whole == columns || lanesOf(columns - whole) == t.lanes)
        return column(j, 0, columns);
      column(j, 0, whole);
      column(j, whole, columns - whole);
    });
  }

  //===--------------------------------------------------------------------===//
  // Packing
  //===--------------------------------------------------------------------===//

  Value widened(Value value, Operation *widening) {
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
  void eachK(const Access &access, Value at, Value steps,
             function_ref<void(Value, Value)> body) {
    unsigned l = p.k.loops.front();
    e.loop(steps, 1, ValueRange(), [&](Value i, ValueRange) {
      innerLoopsOfK(1, access, e.add(at, e.mul(i, access.strides[l])), i, body);
      return Values();
    });
  }

  void innerLoopsOfK(unsigned depth, const Access &access, Value at,
                     Value number, function_ref<void(Value, Value)> body) {
    if (depth == p.k.loops.size())
      return body(at, number);
    unsigned l = p.k.loops[depth];
    e.loop(p.loops[l].size, 1, [&](Value i) {
      innerLoopsOfK(depth + 1, access, e.add(at, e.mul(i, access.strides[l])),
                    e.add(e.mul(number, p.loops[l].size), i), body);
    });
  }

  /// Whether an operand's elements lie side by side in the order of k.
  bool isLineOfK(const Access &access) const {
    int64_t size = 1;
    for (unsigned l : llvm::reverse(p.k.loops)) {
      if (access.strides[l] != size)
        return false;
      size *= p.loops[l].size;
    }
    return true;
  }

  /// Elements of k by squares: `square(k)` for each `size` of them, `rest(k)`
  /// for what is left.
  void squaresOfK(Value steps, int64_t size, function_ref<void(Value)> square,
                  function_ref<void(Value)> rest) {
    auto body = [](function_ref<void(Value)> one, Value i) {
      one(i);
      return Values();
    };
    Value count = e.mul(steps, innerK);
    Value left = arith::RemUIOp::create(e.b, e.loc, count, e.index(size));
    Value whole = sub(count, left);
    e.loop(whole, size, ValueRange(),
           [&](Value i, ValueRange) { return body(square, i); });
    if (p.k.size % size != 0 || depthK() % size != 0)
      e.loop(left, 1, ValueRange(),
             [&](Value i, ValueRange) { return body(rest, e.add(whole, i)); });
  }

  /// [tile of rows][k][row]
  void packA(Value at, int64_t m, Value steps) {
    int64_t stride = p.a.strides[p.m.loops[0]];
    bool isLine = isLineOfK(p.a) && stride != 1;
    blocks(m, t.rows, [&](Value i, int64_t rows) {
      Value from = e.add(at, e.mul(i, stride));
      Value to = e.mul(i, depthK());
      if (isLine)
        return packLinesOfA(from, to, rows, steps);
      eachK(p.a, from, steps, [&](Value source, Value number) {
        Value target = e.add(to, e.mul(number, t.rows));
        if (stride == 1) // what is written behind the rows is overwritten
          return e.storeVector(
              widened(e.loadVector(lineA, source, squareA(), rows), p.widenA),
              packedA, target, squareA());
        copyColumnOfA(source, target, rows);
      });
    });
  }

  void copyColumnOfA(Value source, Value target, int64_t rows) {
    int64_t stride = p.a.strides[p.m.loops[0]];
    for (int64_t r = 0; r < rows; ++r)
      e.storeScalar(
          widened(e.loadScalar(lineA, e.add(source, r * stride)), p.widenA),
          packedA, e.add(target, r));
  }

  /// Rows of A that lie in the order of k, turned by squares. What a vector
  /// holds of each row is turned at once: rows are often as far apart as the
  /// first level of the caches reaches, so that a line doesn't stay there long.
  void packLinesOfA(Value from, Value to, int64_t rows, Value steps) {
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
        e.storeVector(column, packedA, e.add(target, j * t.rows), size);
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
  Value columnsOfB(Value at, int64_t stride, int64_t count) {
    Value vector = stride == 1
                       ? e.loadVector(lineB, at, t.lanes, count)
                       : e.gatherVector(lineB, at, stride, t.lanes, count);
    return widened(vector, p.widenB);
  }

  void packB(Value at, int64_t n, int64_t lines, Value steps) {
    if (t.panels)
      packPanels(at, n, steps);
    else
      packLines(at, lines, steps);
  }

  /// [tile of columns][k][column]
  void packPanels(Value at, int64_t n, Value steps) {
    int64_t stride = p.b.strides[p.n.loops[0]];
    auto copy = [&](Value source, Value j, int64_t columns, Value number) {
      Value target = e.add(e.mul(j, depthK()), e.mul(number, t.columns()));
      for (int64_t v = 0; v * t.lanes < columns; ++v)
        e.storeVector(columnsOfB(e.add(source, v * t.lanes * stride), stride,
                                 std::min(t.lanes, columns - v * t.lanes)),
                      packedB, e.add(target, v * t.lanes), t.lanes);
    };
    // Read as it lies in memory, which fetches ahead.
    if (stride == 1)
      return eachK(p.b, at, steps, [&](Value source, Value number) {
        blocks(n, t.columns(), [&](Value j, int64_t columns) {
          copy(e.add(source, j), j, columns, number);
        });
      });
    if (isLineOfK(p.b))
      return blocks(n, t.columns(), [&](Value j, int64_t columns) {
        packLinesOfB(e.add(at, e.mul(j, stride)), j, columns, steps, copy);
      });
    blocks(n, t.columns(), [&](Value j, int64_t columns) {
      eachK(p.b, e.add(at, e.mul(j, stride)), steps,
            [&](Value source, Value number) {
              copy(source, j, columns, number);
            });
    });
  }

  /// Columns of B that lie in the order of k, turned by squares.
  void packLinesOfB(Value from, Value j, int64_t columns, Value steps,
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
              e.storeVector(row, packedB,
                            e.add(target, int64_t(i) * t.columns() + first),
                            t.lanes);
          }
        },
        [&](Value k) { copy(e.add(from, k), j, columns, k); });
  }

  /// [k][line][column]: lines of the innermost loop of n side by side. What is
  /// written behind a line's end the next line overwrites.
  void packLines(Value at, int64_t lines, Value steps) {
    eachK(p.b, at, steps, [&](Value source, Value number) {
      linesOfN(0, lines, source, e.mul(number, rowB()));
    });
  }

  void linesOfN(unsigned depth, int64_t lines, Value source, Value target) {
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
                    packedB, e.add(target, x), t.lanes);
  }

  //===--------------------------------------------------------------------===//
  // The tile in registers
  //===--------------------------------------------------------------------===//

  /// Rows from `i` on, columns from number `first` of the panel at `j`.
  void tile(const Addresses &at, Value i, int64_t rows, Value j, int64_t first,
            int64_t columns, Value steps, Value k) {
    int64_t vectors = llvm::divideCeil(columns, t.lanes);
    Value column = e.add(j, first);
    Value c = e.add(e.add(at[2], e.mul(i, p.c.strides[p.m.loops[0]])), column);
    Values sums = initial(c, rows, vectors, columns);
    // Where packed operands of this tile begin.
    Value a = t.packA ? e.mul(i, depthK())
                      : e.add(at[0], e.mul(i, p.a.strides[p.m.loops[0]]));
    Value b = !t.packB   ? e.add(at[1], column)
              : t.panels ? e.add(e.mul(j, depthK()), first)
                         : column;
    if (t.packA && t.packB) {
      Value count = e.mul(steps, innerK);
      sums = e.loop(count, 1, sums, [&](Value s, ValueRange inner) {
        return multiply(e.add(a, e.mul(s, t.rows)),
                        e.add(b, e.mul(s, t.panels ? t.columns() : rowB())),
                        rows, vectors, columns, inner);
      });
    } else {
      unsigned l = p.k.loops.front();
      sums = e.loop(steps, 1, sums, [&](Value s, ValueRange inner) {
        return innerSteps(1, l, a, b, s, s, rows, vectors, columns, inner);
      });
    }
    if (!p.epilogue)
      return storeTile(sums, c, rows, vectors, columns);
    auto finish = [&] {
      finishTile(sums, at, i, rows, column, vectors, columns);
    };
    if (singleBlock())
      return finish();
    // Results are whole behind the last block of k.
    Value isLast = arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::eq,
                                         e.add(k, steps), e.index(outerK));
    scf::IfOp::create(
        e.b, e.loc, isLast,
        [&](OpBuilder &b, Location loc) {
          e.within(b, finish);
          scf::YieldOp::create(b, loc);
        },
        [&](OpBuilder &b, Location loc) {
          e.within(b, [&] { storeTile(sums, c, rows, vectors, columns); });
          scf::YieldOp::create(b, loc);
        });
  }

  /// The epilogue on a tile.
  void finishTile(ValueRange sums, const Addresses &at, Value i, int64_t rows,
                  Value j, int64_t vectors, int64_t columns) {
    unsigned m = p.m.loops[0], n = p.n.loops.back();
    Block &body = p.epilogue->getRegion(0).front();
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t v = 0; v < vectors; ++v) {
        int64_t lanes = lanesOf(columns), count = countAt(v, columns);
        Values arguments;
        Value result;
        for (auto [x, extra] : llvm::enumerate(p.extras)) {
          if (!extra) {
            arguments.push_back(sums[r * vectors + v]);
            continue;
          }
          Value address = e.add(at[3 + x], e.mul(i, extra->strides[m]));
          address = e.add(address, e.mul(j, extra->strides[n]));
          address = e.add(address, r * extra->strides[m] +
                                       v * t.lanes * extra->strides[n]);
          if (x + 1 == p.extras.size()) {
            result = address;
            arguments.push_back(Value());
          } else {
            arguments.push_back(loadExtra(lineExtras[x], address,
                                          extra->strides[n], lanes, count));
          }
        }
        e.storeVector(emitBody(e, body, arguments, {}, lanes)[0],
                      lineExtras.back(), result, count);
      }
  }

  Value loadExtra(Value line, Value at, int64_t stride, int64_t lanes,
                  int64_t count) {
    if (stride == 0)
      return e.broadcast(e.loadScalar(line, at), lanes);
    if (stride == 1)
      return e.loadVector(line, at, lanes, count);
    return e.gatherVector(line, at, stride, lanes, count);
  }

  /// The loops of k one by one, where an operand isn't packed.
  Values innerSteps(unsigned depth, unsigned l, Value a, Value b, Value step,
                    Value number, int64_t rows, int64_t vectors,
                    int64_t columns, ValueRange sums) {
    if (!t.packA)
      a = e.add(a, e.mul(step, p.a.strides[l]));
    if (!t.packB)
      b = e.add(b, e.mul(step, p.b.strides[l]));
    if (depth == p.k.loops.size()) {
      if (t.packA)
        a = e.add(a, e.mul(number, t.rows));
      if (t.packB)
        b = e.add(b, e.mul(number, t.panels ? t.columns() : rowB()));
      return multiply(a, b, rows, vectors, columns, sums);
    }
    unsigned next = p.k.loops[depth];
    return e.loop(p.loops[next].size, 1, sums, [&](Value s, ValueRange inner) {
      return innerSteps(depth + 1, next, a, b, s,
                        e.add(e.mul(number, p.loops[next].size), s), rows,
                        vectors, columns, inner);
    });
  }

  /// Of a tile's vector number `v`.
  int64_t countAt(int64_t v, int64_t columns) const {
    return std::min(t.lanes, columns - v * t.lanes);
  }
  /// Of a tile's vectors. Half of one takes half the time where the units are
  /// that wide.
  int64_t lanesOf(int64_t columns) const {
    return t.lanes >= 4 && 2 * columns <= t.lanes ? t.lanes / 2 : t.lanes;
  }

  /// One step of k.
  Values multiply(Value a, Value b, int64_t rows, int64_t vectors,
                  int64_t columns, ValueRange sums) {
    Values row, results;
    int64_t lanes = lanesOf(columns);
    for (int64_t v = 0; v < vectors; ++v)
      row.push_back(e.loadVector(t.packB ? packedB : lineB,
                                 e.add(b, v * t.lanes), lanes,
                                 t.packB ? lanes : countAt(v, columns)));
    int64_t stride = p.a.strides[p.m.loops[0]];
    for (int64_t r = 0; r < rows; ++r) {
      Value scalar = t.packA ? e.loadScalar(packedA, e.add(a, r))
                             : e.loadScalar(lineA, e.add(a, r * stride));
      Value factor = e.broadcast(scalar, lanes);
      for (int64_t v = 0; v < vectors; ++v)
        results.push_back(multiplyAdd(factor, row[v], sums[r * vectors + v]));
    }
    return results;
  }

  Value multiplyAdd(Value x, Value y, Value sum) {
    if (isa<FloatType>(element))
      return vector::FMAOp::create(e.b, e.loc, x, y, sum);
    return arith::AddIOp::create(e.b, e.loc, sum,
                                 arith::MulIOp::create(e.b, e.loc, x, y));
  }

  Value addressC(Value c, int64_t row, int64_t vector) {
    return e.add(c, row * p.c.strides[p.m.loops[0]] + vector * t.lanes);
  }

  Values loadTile(Value c, int64_t rows, int64_t vectors, int64_t columns) {
    Values sums;
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t v = 0; v < vectors; ++v)
        sums.push_back(e.loadVector(lineC, addressC(c, r, v), lanesOf(columns),
                                    countAt(v, columns)));
    return sums;
  }

  /// What C holds: after the first block of k, or where nothing filled it.
  Values initial(Value c, int64_t rows, int64_t vectors, int64_t columns) {
    if (!fill || !singleBlock())
      return loadTile(c, rows, vectors, columns);
    Value value = cast<linalg::FillOp>(fill).getInputs()[0];
    return Values(rows * vectors, e.broadcast(value, lanesOf(columns)));
  }

  void storeTile(ValueRange sums, Value c, int64_t rows, int64_t vectors,
                 int64_t columns) {
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t v = 0; v < vectors; ++v)
        e.storeVector(sums[r * vectors + v], lineC, addressC(c, r, v),
                      countAt(v, columns));
  }

  Emitter &e;
  Product &p;
  const ProductTiling &t;
  const ProductShares &shares;
  Share shareOuter, shareN, shareM;
  Operation *fill;
  Type element;
  Value lineA, lineB, lineC, packedA, packedB;
  SmallVector<Value> lineExtras;
  int64_t outerK, innerK;
};

} // namespace

bool isProduct(Nest nest) {
  nest.simplify();
  return productOf(nest).has_value();
}

/// The nest with the epilogue's operands beside its own.
static Nest withExtras(const Nest &nest, const Epilogue &epilogue) {
  Nest all = nest;
  for (const std::optional<Access> &access : epilogue.accesses)
    if (access)
      all.accesses.push_back(*access);
  return all;
}

unsigned emitProduct(Emitter &e, Nest nest, const Nest *next) {
  linalg::FillOp fill = fillBefore(nest.op, nest.output(0).buffer);
  std::optional<Epilogue> epilogue;
  std::optional<Product> product;
  if (next && isProduct(nest))
    epilogue = epilogueOf(nest, *next);
  if (epilogue) {
    Nest all = withExtras(nest, *epilogue);
    all.simplify();
    product = productOf(all, &*epilogue);
  }
  if (!product) {
    epilogue.reset();
    nest.simplify();
    product = productOf(nest);
  }
  if (!product)
    return 0;
  ProductShape shape = shapeOf(*product);
  ProductTiling tiling = chooseTiling(shape, e.options.vectorBits);
  ProductShares shares = sharesOf(*product, shape, e.options.threads, tiling);
  OpBuilder::InsertionGuard guard(e.b);
  if (epilogue) // where its operands are there
    e.b.setInsertionPoint(epilogue->op);
  ProductEmitter(e, *product, tiling, shares, fill).run();
  return epilogue ? 2 : 1;
}

} // namespace roofline::host
