//===- ModelInfo.cpp - parameters -----------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorData.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;

namespace {

/// What makes two tensors one: the same proto, or the same place in the same
/// external file.
using Identity = std::tuple<std::string, uint64_t, uint64_t>;

class ParameterCount {
public:
  explicit ParameterCount(Model &model) : model(model) {}

  void run() {
    forEachGraph(*model.graph, [&](Graph &graph) { findPacked(graph); });
    forEachGraph(*model.graph, [&](Graph &graph) {
      for (const Value &value : graph.values)
        if (value.tensor)
          add(*value.tensor);
    });
    for (const onnx::SparseTensorProto &sparse :
         model.proto->graph().sparse_initializer())
      add(sparse.values());
  }

private:
  /// Byte tensors that hold narrower values, as the `bits` of their reader
  /// says.
  void findPacked(const Graph &graph) {
    for (const std::unique_ptr<Node> &node : graph.nodes) {
      if (node->domain().empty())
        continue; // no standard op has it
      int64_t bits = node->attributeInt("bits", 0);
      if (bits != 1 && bits != 2 && bits != 4)
        continue;
      for (const Value *input : node->inputs)
        if (input && input->tensor &&
            (input->tensor->data_type() == onnx::TensorProto::UINT8 ||
             input->tensor->data_type() == onnx::TensorProto::INT8))
          packed[input->tensor] = bits;
    }
  }

  bool isNew(const onnx::TensorProto &tensor) {
    if (std::optional<ExternalLocation> place = externalLocation(tensor);
        place && place->length && *place->length > 0)
      return places.insert({place->path.str(), place->offset, *place->length})
          .second;
    return tensors.insert(&tensor).second;
  }

  void add(const onnx::TensorProto &tensor) {
    ElementType type = elementTypeOf(tensor.data_type());
    std::optional<unsigned> bits = bitWidth(type);
    bool isParameter = bits && (kind(type) == ElementKind::Float || *bits <= 8);
    if (!isParameter || tensor.dims_size() == 0 || !isNew(tensor))
      return;
    int64_t valuesPerElement = 1;
    if (auto found = packed.find(&tensor); found != packed.end())
      valuesPerElement = 8 / found->second;
    model.parameters += declaredElements(tensor) * Int(valuesPerElement);
    model.parameterBytes += *declaredBytes(tensor);
  }

  Model &model;
  DenseMap<const onnx::TensorProto *, int64_t> packed;
  DenseSet<const onnx::TensorProto *> tensors;
  std::set<Identity> places;
};

} // namespace

void roofline::onnx_import::countParameters(Model &model) {
  model.parameters = model.parameterBytes = Int(0);
  ParameterCount(model).run();
}
