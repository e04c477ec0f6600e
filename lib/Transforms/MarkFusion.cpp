//===- MarkFusion.cpp - mark groups that could be one kernel --------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "roofline/Analysis/FusionAnalysis.h"
#include "roofline/Analysis/Names.h"
#include "roofline/Dialect/RL/RL.h"
#include "roofline/Models/Register.h"
#include "roofline/Transforms/Entry.h"
#include "roofline/Transforms/Passes.h"

using namespace mlir;

namespace roofline {
#define GEN_PASS_DEF_MARKFUSION
#include "roofline/Transforms/Passes.h.inc"

namespace {
class MarkFusionPass : public impl::MarkFusionBase<MarkFusionPass> {
public:
  using MarkFusionBase::MarkFusionBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    MarkFusionBase::getDependentDialects(registry);
    registerModels(registry);
  }

  void runOnOperation() override {
    llvm::Expected<PlacementTarget> target =
        findPlacementTarget(getOperation(), entry, device);
    if (!target) {
      getOperation().emitError() << llvm::toString(target.takeError());
      return signalPassFailure();
    }
    auto &[func, chosen] = *target;
    CostAnalysis costs(func);
    std::vector<FusionGroup> groups =
        markFusion(costs, placeRows(costs, chosen, {}), chosen, {});
    NameTable names(costs);
    func->walk([](Operation *op) { op->removeAttr(rl::fusionGroupAttrName); });
    Builder builder(&getContext());
    SmallVector<Attribute> all;
    for (auto [id, group] : llvm::enumerate(groups)) {
      for (unsigned row : group.rows)
        costs.rows()[row].op->setAttr(rl::fusionGroupAttrName,
                                      builder.getI64IntegerAttr(id));
      all.push_back(attribute(id, group, costs, names));
    }
    func->setAttr(rl::fusionGroupsAttrName, builder.getArrayAttr(all));
  }

private:
  /// A number, or a formula's text.
  Attribute amount(const Expr &expr) {
    Builder builder(&getContext());
    if (std::optional<int64_t> number = expr.asInt64())
      return builder.getI64IntegerAttr(*number);
    return builder.getStringAttr(expr.str());
  }

  DictionaryAttr attribute(unsigned id, const FusionGroup &group,
                           const CostAnalysis &costs, NameTable &names) {
    Builder builder(&getContext());
    NamedAttrList fields;
    SmallVector<Attribute> ops;
    for (unsigned row : group.rows)
      ops.push_back(builder.getStringAttr(names.op(costs.rows()[row].op)));
    fields.set("id", builder.getI64IntegerAttr(id));
    fields.set("kind", builder.getStringAttr(group.kind));
    fields.set("ops", builder.getArrayAttr(ops));
    if (group.bytesBefore && group.bytesAfter) {
      fields.set("bytes_before", amount(*group.bytesBefore));
      fields.set("bytes_after", amount(*group.bytesAfter));
      fields.set("bytes_saved", amount(*group.bytesBefore - *group.bytesAfter));
    }
    if (group.secondsBefore && group.secondsAfter) {
      fields.set("seconds_saved", builder.getF64FloatAttr(*group.secondsBefore -
                                                          *group.secondsAfter));
      if (*group.secondsAfter > 0)
        fields.set("speedup", builder.getF64FloatAttr(*group.secondsBefore /
                                                      *group.secondsAfter));
    }
    if (!group.blockedBy.empty())
      fields.set("blocked_by", builder.getStringAttr(group.blockedBy));
    return fields.getDictionary(&getContext());
  }
};
} // namespace
} // namespace roofline
