//===- Place.cpp - place every op on a device's roofline ------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "roofline/Analysis/PlacementAnalysis.h"
#include "roofline/Dialect/RL/RL.h"
#include "roofline/Models/Register.h"
#include "roofline/Transforms/Entry.h"
#include "roofline/Transforms/Passes.h"

using namespace mlir;

namespace roofline {
#define GEN_PASS_DEF_PLACE
#include "roofline/Transforms/Passes.h.inc"

namespace {
class PlacePass : public impl::PlaceBase<PlacePass> {
public:
  using PlaceBase::PlaceBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    PlaceBase::getDependentDialects(registry);
    registerModels(registry);
  }

  void runOnOperation() override {
    llvm::Expected<PlacementTarget> target =
        findPlacementTarget(getOperation(), entry, device);
    if (!target) {
      emitError(getOperation().getLoc()) << llvm::toString(target.takeError());
      return signalPassFailure();
    }
    auto &[func, chosen] = *target;
    CostAnalysis costs(func);
    PlacementOptions options;
    options.allowTF32 = allowTF32;
    std::vector<Placement> placements = placeRows(costs, chosen, options);
    for (auto [row, placement] : llvm::zip(costs.rows(), placements))
      if (!row.isControl)
        row.op->setAttr(rl::placementAttrName, attribute(placement, chosen));
  }

private:
  rl::PlacementAttr attribute(const Placement &placement,
                              const Device &device) {
    Builder builder(&getContext());
    auto number = [&](const std::optional<double> &value) {
      return value ? builder.getF64FloatAttr(*value) : FloatAttr();
    };
    return rl::PlacementAttr::get(
        &getContext(), builder.getStringAttr(device.name),
        builder.getStringAttr(name(placement.bound)),
        placement.limiter.empty() ? StringAttr()
                                  : builder.getStringAttr(placement.limiter),
        number(placement.intensity), number(placement.attainable),
        number(placement.seconds));
  }
};
} // namespace
} // namespace roofline
