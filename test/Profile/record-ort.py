#!/usr/bin/env python3
"""record-ort.py MODEL OPTIMIZATION RUNS OUTPUT [NAME=SIZE...]

Runs a model in onnxruntime on one CPU thread and writes its profile to OUTPUT.
OPTIMIZATION is none or all. Weights that aren't in the file and the inputs are
made up; NAME=SIZE binds a dimension, other open ones are 1.
"""

import os
import sys
import tempfile

import numpy
import onnx
import onnxruntime


def made_up(generator, element_type, shape):
    dtype = onnx.helper.tensor_dtype_to_np_dtype(element_type)
    if numpy.issubdtype(dtype, numpy.floating):
        # Small and positive: variances and divisors among them.
        return (generator.random(shape) * 0.1 + 0.01).astype(dtype)
    return numpy.zeros(shape, dtype)  # an index that is always there


def fill_weights(model, generator):
    constants = [
        attribute.t
        for node in model.graph.node
        for attribute in node.attribute
        if attribute.type == onnx.AttributeProto.TENSOR
    ]
    for weight in [*model.graph.initializer, *constants]:
        if weight.data_location == onnx.TensorProto.EXTERNAL:
            value = made_up(generator, weight.data_type, list(weight.dims))
            weight.CopyFrom(onnx.numpy_helper.from_array(value, weight.name))


def inputs_of(model, generator, sizes):
    stored = {weight.name for weight in model.graph.initializer}
    values = {}
    for value in model.graph.input:
        if value.name in stored:
            continue
        tensor = value.type.tensor_type
        shape = [
            dim.dim_value or sizes.get(dim.dim_param, 1)
            for dim in tensor.shape.dim
        ]
        values[value.name] = made_up(generator, tensor.elem_type, shape)
    return values


def main():
    path, optimization, runs, output = sys.argv[1:5]
    sizes = {}
    for text in sys.argv[5:]:
        name, size = text.split("=")
        sizes[name] = int(size)
    levels = onnxruntime.GraphOptimizationLevel
    model = onnx.load(path, load_external_data=False)
    generator = numpy.random.default_rng(1)
    fill_weights(model, generator)
    with tempfile.TemporaryDirectory() as folder:
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = {
            "none": levels.ORT_DISABLE_ALL,
            "all": levels.ORT_ENABLE_ALL,
        }[optimization]
        options.intra_op_num_threads = 1
        options.enable_profiling = True
        options.profile_file_prefix = os.path.join(folder, "profile")
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(
            model.SerializeToString(), options, ["CPUExecutionProvider"]
        )
        values = inputs_of(model, generator, sizes)
        for _ in range(int(runs)):
            session.run(None, values)
        os.replace(session.end_profiling(), output)


main()
