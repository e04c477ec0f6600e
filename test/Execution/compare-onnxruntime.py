#!/usr/bin/env python3
"""Compares what `rl-run` computes for a whole model with onnxruntime's answer.

usage: compare-onnxruntime.py RL_RUN MODEL FOLDER [DIM=SIZE...]

The model's weights are left out: they are made up (the same ones every time),
and so are the inputs. Both go to FOLDER as ONNX's tests have them, with what
onnxruntime computes as the outputs, and `rl-run verify` runs that. A result may
be off by TOLERANCE of itself and of the greatest result.
"""
import os
import shutil
import subprocess
import sys

import numpy
import onnx
import onnxruntime

TOLERANCE = 1e-4


def made_up(shape, dtype, random):
    """Numbers whose products neither grow nor vanish from layer to layer."""
    if dtype.kind != "f":
        return random.integers(0, 2, shape).astype(dtype)
    fan = numpy.prod(shape[1:]) if len(shape) > 1 else 12
    most = numpy.sqrt(3 / max(fan, 1))
    return random.uniform(-most, most, shape).astype(dtype)


def graphs(graph):
    """A graph and those of its nodes."""
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield from graphs(attribute.g)


def weights(graph):
    """Tensors whose elements are left out: initializers and constants."""
    constants = (
        attribute.t
        for node in graph.node
        for attribute in node.attribute
        if attribute.type == onnx.AttributeProto.TENSOR
    )
    for tensor in (*graph.initializer, *constants):
        if tensor.data_location == onnx.TensorProto.EXTERNAL:
            yield tensor


def fill_weights(model, random):
    for graph in graphs(model.graph):
        variances = {
            node.input[4] for node in graph.node if node.op_type == "BatchNormalization"
        }
        for tensor in weights(graph):
            dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type)
            values = made_up(list(tensor.dims), dtype, random)
            if tensor.name in variances:
                values = numpy.abs(values) + dtype.type(0.5)
            tensor.CopyFrom(onnx.numpy_helper.from_array(values, tensor.name))


def make_inputs(model, sizes, random):
    stored = {tensor.name for tensor in model.graph.initializer}
    inputs = {}
    for info in model.graph.input:
        if info.name in stored:
            continue
        type_ = info.type.tensor_type
        shape = [
            sizes[dim.dim_param] if dim.dim_param else dim.dim_value
            for dim in type_.shape.dim
        ]
        dtype = onnx.helper.tensor_dtype_to_np_dtype(type_.elem_type)
        inputs[info.name] = made_up(shape, dtype, random)
    return inputs


def run_onnxruntime(path, inputs):
    options = onnxruntime.SessionOptions()
    levels = onnxruntime.GraphOptimizationLevel
    options.graph_optimization_level = levels.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(
        path, options, providers=["CPUExecutionProvider"]
    )
    return session.run(None, inputs)


def write_tensors(folder, kind, tensors):
    for number, tensor in enumerate(tensors):
        with open(os.path.join(folder, f"{kind}_{number}.pb"), "wb") as file:
            file.write(onnx.numpy_helper.from_array(tensor).SerializeToString())


def main():
    rl_run, source, folder, *dims = sys.argv[1:]
    sizes = {name: int(size) for name, size in (dim.split("=") for dim in dims)}
    random = numpy.random.default_rng(0)
    model = onnx.load(source, load_external_data=False)
    fill_weights(model, random)
    inputs = make_inputs(model, sizes, random)

    shutil.rmtree(folder, ignore_errors=True)
    data = os.path.join(folder, "test_data_set_0")
    os.makedirs(data)
    path = os.path.join(folder, "model.onnx")
    onnx.save(model, path)
    outputs = run_onnxruntime(path, inputs)
    write_tensors(data, "input", inputs.values())
    write_tensors(data, "output", outputs)

    if not all(numpy.isfinite(output).all() for output in outputs):
        sys.exit("onnxruntime's answer isn't finite: the weights are no test")
    most = max(float(numpy.abs(output).max(initial=0)) for output in outputs)
    tolerances = [f"--rtol={TOLERANCE}", f"--atol={TOLERANCE * most}"]
    command = [rl_run, "verify", folder, *tolerances]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
