//===- KernelLibrary.cpp - ops computed by a library ----------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifdef ROOFLINE_WITH_ONEDNN
#include "OneDNN.h"
#else
#include "roofline/Runtime/OpKernel.h"
#endif

using namespace llvm;

namespace roofline::runtime {

#ifdef ROOFLINE_WITH_ONEDNN

namespace {
class OneDNNLibrary final : public KernelLibrary {
public:
  std::string name() const override { return "oneDNN " + onednn::version(); }

  Expected<std::unique_ptr<OpKernel>> compile(mlir::Operation *op) override {
    if (std::optional<ProductProblem> product = productProblem(op))
      return onednn::compile(*product);
    if (std::optional<ConvProblem> conv = convProblem(op))
      return onednn::compile(*conv);
    return std::unique_ptr<OpKernel>();
  }
};
} // namespace

Expected<std::unique_ptr<KernelLibrary>> createOneDNN(unsigned threads) {
  if (!onednn::useThreads(threads))
    return createStringError(
        "this oneDNN doesn't let its threads be chosen: it "
        "isn't built with OpenMP");
  return std::make_unique<OneDNNLibrary>();
}

#else

Expected<std::unique_ptr<KernelLibrary>> createOneDNN(unsigned) {
  return createStringError("this program was built without oneDNN: install "
                           "oneDNN 2 (Debian's libdnnl-dev), then configure "
                           "and build it again");
}

#endif

} // namespace roofline::runtime
