//===- EmitProduct.cpp - products from packed operands --------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C[m,n] += Σ_k A[m,k]·B[k,n], each of m, n and k one loop or several. Blocks
// of B and A are copied to where they lie in the order they are read in
// (PackedOperands.h), and a tile of C stays in registers over a whole block of
// k: the scheme of Goto and van de Geijn (Anatomy of High-Performance Matrix
// Multiplication, 2008). A convolution is the same product with the copy of B
// picking the input's positions tap by tap.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "PackedOperands.h"
#include "ProductNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
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
      : e(e), p(p), t(t), shares(shares), fill(fill), element(p.c.element()),
        lineA(e.line(p.a.buffer)), lineB(e.line(p.b.buffer)),
        lineC(e.line(p.c.buffer)), packed(e, p, t) {
    outerK = p.loops[p.k.loops.front()].size;
    innerK = p.k.size / outerK;
  }

  void run() {
    e.parallel(shares.parts(), [&](Value part) {
      takePart(part);
      packed.allocate();
      Addresses at = {start(p.a), start(p.b), start(p.c)};
      for (const std::optional<Access> &extra : p.extras)
        at.push_back(extra ? start(*extra) : Value());
      for (const std::optional<Access> &extra : p.extras)
        lineExtras.push_back(extra ? e.line(extra->buffer) : Value());
      outerLoops(0, at);
      packed.release();
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
  // Blocks
  //===--------------------------------------------------------------------===//

  void blocksOfN(const Addresses &at) {
    unsigned line = p.n.loops.front(); // the outermost
    int64_t width = p.n.size / p.loops[line].size;
    e.blocks(p.loops[line].size, t.panels ? t.blockN : t.blockN / width, shareN,
             [&](Value i, int64_t count) {
               blocksOfK(stepped(at, line, i), count * width, count);
             });
  }

  void blocksOfK(const Addresses &at, int64_t n, int64_t lines) {
    unsigned l = p.k.loops.front();
    e.loop(outerK, t.blockK, [&](Value i) {
      Value steps = outerK % t.blockK == 0
                        ? e.index(t.blockK)
                        : e.min(e.sub(e.index(outerK), i), t.blockK);
      Addresses here = stepped(at, l, i);
      if (t.packB)
        packed.packB(here[1], n, lines, steps);
      if (loneOf(n) > 0)
        packed.copyLone(steps);
      blocksOfM(here, n, steps, i);
    });
  }

  void blocksOfM(const Addresses &at, int64_t n, Value steps, Value k) {
    e.blocks(p.m.size, t.blockM, shareM, [&](Value i, int64_t m) {
      Addresses here = stepped(at, p.m.loops[0], i);
      if (t.packA)
        packed.packA(here[0], m, steps);
      tiles(here, m, n, steps, k);
    });
  }

  /// Of a block of columns, where it has them all.
  int64_t loneOf(int64_t n) const { return n == p.n.size ? t.lone : 0; }

  /// Tiles of C: columns outside, so that a tile of B stays near.
  void tiles(const Addresses &at, int64_t m, int64_t n, Value steps, Value k) {
    int64_t lone = loneOf(n);
    for (int64_t c = 0; c < lone; ++c)
      e.blocks(m, t.rows, Share(), [&](Value i, int64_t rows) {
        loneTile(at, i, rows, c, steps, k);
      });
    n -= lone;
    auto column = [&](Value j, int64_t first, int64_t columns) {
      e.blocks(m, t.rows, Share(), [&](Value i, int64_t rows) {
        tile(at, i, rows, j, first, columns, steps, k);
      });
    };
    e.blocks(n, t.columns(), Share(), [&](Value j, int64_t columns) {
      // Vectors of two sizes in one tile would keep each other from registers.
      int64_t whole = columns - columns % t.lanes;
      if (whole == 0 || whole == columns || lanesOf(columns - whole) == t.lanes)
        return column(j, 0, columns);
      column(j, 0, whole);
      column(j, whole, columns - whole);
    });
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
    Value a = t.packA ? e.mul(i, packed.depthK())
                      : e.add(at[0], e.mul(i, p.a.strides[p.m.loops[0]]));
    Value b = !t.packB   ? e.add(at[1], column)
              : t.panels ? e.add(e.mul(j, packed.depthK()), first)
                         : column;
    if (t.packA && t.packB) {
      Value count = e.mul(steps, innerK);
      sums = e.loop(count, 1, sums, [&](Value s, ValueRange inner) {
        return multiply(e.add(a, e.mul(s, t.rows)),
                        e.add(b, e.mul(s, packed.stepB())), rows, vectors,
                        columns, inner);
      });
    } else {
      unsigned l = p.k.loops.front();
      sums = e.loop(steps, 1, sums, [&](Value s, ValueRange inner) {
        return innerSteps(1, l, a, b, s, s, rows, vectors, columns, inner);
      });
    }
    settle(sums, c, at, i, rows, column, vectors, columns, steps, k);
  }

  /// A lone column's results in these rows, each a product of a row of A with
  /// the column.
  void loneTile(const Addresses &at, Value i, int64_t rows, int64_t number,
                Value steps, Value k) {
    Value column = e.index(p.n.size - t.lone + number);
    int64_t stepM = p.a.strides[p.m.loops[0]];
    Value a = e.add(at[0], e.mul(i, stepM));
    Value b = e.index(number * packed.depthK());
    Value count = e.mul(steps, innerK);
    Value left = arith::RemUIOp::create(e.b, e.loc, count, e.index(t.lanes));
    Value whole = e.sub(count, left);
    Value none = e.broadcast(
        arith::ConstantOp::create(e.b, e.loc, e.b.getZeroAttr(element)),
        t.lanes);
    using Load = llvm::function_ref<Value(Value line, Value at)>;
    auto addProducts = [&](Value s, ValueRange sums, Load load) {
      Values results;
      Value y = load(packed.lone, e.add(b, s));
      for (int64_t r = 0; r < rows; ++r)
        results.push_back(multiplyAdd(
            load(lineA, e.add(e.add(a, s), r * stepM)), y, sums[r]));
      return results;
    };
    Values sums = e.loop(whole, t.lanes, Values(rows, none),
                         [&](Value s, ValueRange inner) {
                           return addProducts(s, inner, [&](Value l, Value x) {
                             return e.loadVector(l, x, t.lanes, t.lanes);
                           });
                         });
    Value isLeft = vector::CreateMaskOp::create(
        e.b, e.loc, VectorType::get({t.lanes}, e.b.getI1Type()), left);
    sums = addProducts(whole, sums, [&](Value l, Value x) -> Value {
      return vector::MaskedLoadOp::create(e.b, e.loc, none.getType(), l, x,
                                          isLeft, none);
    });
    Value c = e.add(e.add(at[2], e.mul(i, p.c.strides[p.m.loops[0]])), column);
    Values before = initial(c, rows, 1, 1);
    for (auto [sum, first] : llvm::zip(sums, before))
      sum = e.broadcast(vector::ReductionOp::create(
                            e.b, e.loc, vector::CombiningKind::ADD, sum,
                            vector::ExtractOp::create(e.b, e.loc, first, 0),
                            arith::FastMathFlags::reassoc),
                        lanesOf(1));
    settle(sums, c, at, i, rows, column, 1, 1, steps, k);
  }

  /// What becomes of a tile behind a block of k.
  void settle(ValueRange sums, Value c, const Addresses &at, Value i,
              int64_t rows, Value column, int64_t vectors, int64_t columns,
              Value steps, Value k) {
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
        b = e.add(b, e.mul(number, packed.stepB()));
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
      row.push_back(e.loadVector(t.packB ? packed.b : lineB,
                                 e.add(b, v * t.lanes), lanes,
                                 t.packB ? lanes : countAt(v, columns)));
    int64_t stride = p.a.strides[p.m.loops[0]];
    for (int64_t r = 0; r < rows; ++r) {
      Value scalar = t.packA ? e.loadScalar(packed.a, e.add(a, r))
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
  Value lineA, lineB, lineC;
  PackedOperands packed;
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
