//===- ApplyFusion.cpp - marked groups become one op each -----------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Transforms/RegionUtils.h"
#include "roofline/Dialect/RL/RL.h"
#include "roofline/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace roofline {
#define GEN_PASS_DEF_APPLYFUSION
#include "roofline/Transforms/Passes.h.inc"

namespace {

/// Ops of one block, in order, that become the region of one `rl.fused`.
class Group {
public:
  explicit Group(ArrayRef<Operation *> ops) : ops(ops.begin(), ops.end()) {}

  bool fuse() {
    Operation *last = ops.back();
    if (!moveReadersBehind(last))
      return false;
    SmallVector<Value> results = valuesReadOutside();
    OpBuilder b(last);
    auto fused = rl::FusedOp::create(
        b, location(results), llvm::to_vector(ValueRange(results).getTypes()));
    fused->setAttr(rl::opTypeAttrName, b.getStringAttr(opTypes()));
    Block *body = b.createBlock(&fused.getBody());
    for (Operation *op : ops)
      op->moveBefore(body, body->end());
    for (auto [result, value] : llvm::zip(fused.getResults(), results)) {
      Value outer = result;
      value.replaceUsesWithIf(outer, [&](OpOperand &use) {
        return !fused->isProperAncestor(use.getOwner());
      });
    }
    b.setInsertionPointToEnd(body);
    rl::YieldOp::create(b, last->getLoc(), results);
    return true;
  }

private:
  bool readsAny(Operation *op, const llvm::SmallPtrSetImpl<Operation *> &from) {
    llvm::SetVector<Value> used;
    used.insert(op->operand_begin(), op->operand_end());
    for (Region &region : op->getRegions())
      getUsedValuesDefinedAbove(region, region, used);
    return llvm::any_of(used, [&](Value value) {
      return from.contains(value.getDefiningOp());
    });
  }

  /// What stands between the group's ops and reads their results goes behind
  /// them; false where a member in turn depends on it.
  bool moveReadersBehind(Operation *last) {
    llvm::SmallPtrSet<Operation *, 8> members(ops.begin(), ops.end()), behind;
    SmallVector<Operation *> order;
    for (Operation *op = ops.front(); op != last->getNextNode();
         op = op->getNextNode()) {
      if (members.contains(op)) {
        if (readsAny(op, behind))
          return false;
        continue;
      }
      if (readsAny(op, members) || readsAny(op, behind)) {
        behind.insert(op);
        order.push_back(op);
      }
    }
    Operation *at = last;
    for (Operation *op : order) {
      op->moveAfter(at);
      at = op;
    }
    return true;
  }

  SmallVector<Value> valuesReadOutside() {
    llvm::SmallPtrSet<Operation *, 8> members(ops.begin(), ops.end());
    auto isInside = [&](Operation *user) {
      return llvm::any_of(
          members, [&](Operation *member) { return member->isAncestor(user); });
    };
    SmallVector<Value> values;
    for (Operation *op : ops)
      for (Value result : op->getResults())
        if (!llvm::all_of(result.getUsers(), isInside))
          values.push_back(result);
    return values;
  }

  /// The nodes' names, one behind the other; results keep theirs.
  Location location(ArrayRef<Value> results) {
    SmallVector<StringRef> names;
    for (Operation *op : ops)
      names.push_back(rl::nodeName(op->getLoc()));
    SmallVector<StringRef> resultNames;
    for (Value value : results)
      resultNames.push_back(
          rl::resultName(cast<OpResult>(value)).value_or(StringRef()));
    MLIRContext *context = ops.front()->getContext();
    return rl::NodeLoc::get(context, llvm::join(names, "+"), resultNames,
                            /*position=*/std::nullopt,
                            cast<LocationAttr>(UnknownLoc::get(context)));
  }

  std::string opTypes() {
    SmallVector<std::string> types;
    for (Operation *op : ops) {
      auto type = op->getAttrOfType<StringAttr>(rl::opTypeAttrName);
      types.push_back(type ? type.str() : op->getName().getStringRef().str());
    }
    return llvm::join(types, "+");
  }

  SmallVector<Operation *> ops;
};

class ApplyFusionPass : public impl::ApplyFusionBase<ApplyFusionPass> {
  void runOnOperation() override {
    // A number is one group's within its block.
    llvm::MapVector<std::pair<Block *, int64_t>, SmallVector<Operation *>>
        groups;
    getOperation().walk([&](Operation *op) {
      op->removeAttr(rl::fusionGroupsAttrName);
      auto id = dyn_cast_or_null<IntegerAttr>(
          op->removeAttr(rl::fusionGroupAttrName));
      if (id)
        groups[{op->getBlock(), id.getInt()}].push_back(op);
    });
    for (auto &[key, ops] : groups) {
      if (ops.size() < 2)
        continue;
      if (!Group(ops).fuse())
        ops.front()->emitRemark("its group isn't fused: an op outside of it "
                                "stands between its members");
    }
  }
};

} // namespace
} // namespace roofline
