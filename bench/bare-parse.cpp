//===- bare-parse.cpp - what ONNX's own library needs for a model ---------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The yardstick of bench/compare.py: parses a model and runs ONNX's shape
// inference with the stock schema registry and data propagation, and nothing
// else. Prints how many nodes the graph has, those of subgraphs included.
//
//===----------------------------------------------------------------------===//

#include "onnx/onnx_pb.h"
#include "onnx/shape_inference/implementation.h"

#include <cstdio>
#include <exception>
#include <fstream>

static size_t countNodes(const onnx::GraphProto &graph) {
  size_t count = graph.node_size();
  for (const onnx::NodeProto &node : graph.node())
    for (const onnx::AttributeProto &attribute : node.attribute()) {
      if (attribute.has_g())
        count += countNodes(attribute.g());
      for (const onnx::GraphProto &nested : attribute.graphs())
        count += countNodes(nested);
    }
  return count;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: roofline-bare-parse MODEL\n");
    return 2;
  }
  onnx::ModelProto model;
  std::ifstream file(argv[1], std::ios::binary);
  if (!file || !model.ParseFromIstream(&file)) {
    std::fprintf(stderr, "%s: not a readable model\n", argv[1]);
    return 1;
  }
  try {
    onnx::ShapeInferenceOptions options(/*check_type_val=*/false,
                                        /*strict_mode_val=*/0,
                                        /*data_prop_val=*/true);
    onnx::shape_inference::InferShapes(
        model, onnx::OpSchemaRegistry::Instance(), options);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s: %s\n", argv[1], error.what());
    return 1;
  }
  std::printf("%zu\n", countNodes(model.graph()));
  return 0;
}
