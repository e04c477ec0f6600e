//===- CostAnalysis.h - the work of a whole function ------------*- C++ -*-===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One row for each op that computes or moves something, in order of execution,
// regions included. Rows hold the work of one execution and how often the op
// runs; everything is a formula until the dimensions are bound.
//
//===----------------------------------------------------------------------===//

#ifndef ROOFLINE_ANALYSIS_COSTANALYSIS_H
#define ROOFLINE_ANALYSIS_COSTANALYSIS_H

#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "roofline/Interfaces/CostContext.h"
#include "roofline/Interfaces/SymbolMap.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <set>
#include <vector>

namespace roofline {

/// One op's share of a function's cost.
struct CostRow {
  mlir::Operation *op;
  /// Of one execution; zero for a control op.
  Work work;
  /// Trips of the loops around it, 0 in a branch not taken.
  Expr times = 1;
  /// The control op's row whose region the op stands in; -1 at top level.
  int parent = -1;
  unsigned region = 0; ///< of the parent
  /// No cost model: `work` has bytes alone.
  bool opaque = false;
  bool isControl = false; ///< a loop or branch: what it holds has rows
  /// `times` is an upper bound: data may end a loop early or choose a branch.
  bool timesUpperBound = false;
  /// A branch's cheapest region, where its condition isn't known.
  std::optional<Expr> flopsMin;
  /// The region of a branch that is counted: the one taken, or the dearest.
  std::optional<unsigned> taken;

  bool isUpperBound() const { return work.dataDependent || timesUpperBound; }
};

class CostAnalysis : public CostContext {
public:
  /// `root` is a function, or a module whose entry is found as `findEntry`
  /// does.
  explicit CostAnalysis(mlir::Operation *root);

  /// The single public function; null where there is none or several.
  static mlir::FunctionOpInterface findEntry(mlir::Operation *root);

  mlir::FunctionOpInterface function() const { return func; }
  llvm::ArrayRef<CostRow> rows() const { return allRows; }
  /// The row of an op; -1 where it has none. Going through ops in order, say
  /// the row that was found last: then nearly none has to be looked up.
  int rowOf(mlir::Operation *op, int before = -1) const;
  /// The dimension names that rows or arguments still mention.
  const std::set<std::string> &unboundSymbols() const { return symbols; }

  /// The trip counts that only `rl.trips` can bind: the symbol, and the op that
  /// would carry it (a loop, or the terminator of a block on a cycle).
  llvm::ArrayRef<std::pair<std::string, mlir::Operation *>>
  openTripCounts() const {
    return tripSymbols;
  }
  /// What the function returns, from whichever block.
  llvm::SmallVector<mlir::Value> returned() const;

  // --- Values ---------------------------------------------------------------

  std::optional<Dims> dims(mlir::Value value) const override;
  std::optional<Expr> dim(mlir::Value value, unsigned axis) const override;
  std::optional<Expr> scalar(mlir::Value value) const override;
  Role role(mlir::Value value) const override;
  bool isOverwritable(mlir::Value value) const override;
  const SymbolMap &symbolMap() const { return map; }

  /// What a view shows: the value itself where its producer is no view.
  mlir::Value viewedValue(mlir::Value value) const;
  /// Whether an op only gives the same bytes another shape.
  static bool isView(mlir::Operation *op);

private:
  struct Position {
    Expr times = 1;
    int parent = -1;
    unsigned region = 0;
    bool upperBound = false;
  };
  void nameArguments();
  size_t findCaches();
  void visitRegion(mlir::Region &region, const Position &position);
  void visitBlock(mlir::Block &block, const Position &position);
  void visit(mlir::Operation *op, const Position &position);
  void countWork(CostRow &row);
  void visitControl(mlir::Operation *op, const Position &position);
  Expr openTrips(mlir::Operation *op, const std::string &name);
  void chooseBranch(int control);
  void addAttentionCaches(mlir::Operation *op);
  void inferRole(mlir::Operation *op);
  void collectSymbols();

  mlir::FunctionOpInterface func;
  SymbolMap map;
  std::vector<CostRow> allRows;
  /// Made when it is first asked for: most uses go through rows in order.
  mutable llvm::DenseMap<mlir::Operation *, int> rowIndex;
  llvm::DenseMap<mlir::Value, Role> roles;
  llvm::DenseSet<mlir::Value> caches;
  std::vector<std::pair<std::string, mlir::Operation *>> tripSymbols;
  std::set<std::string> symbols;
};

/// The work of all executions of a row (`times` applied); for totals.
std::optional<Expr> totalFlops(const CostRow &row);
std::optional<Expr> bytesRead(const CostRow &row);
std::optional<Expr> bytesWritten(const CostRow &row);

} // namespace roofline

#endif // ROOFLINE_ANALYSIS_COSTANALYSIS_H
