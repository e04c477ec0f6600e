#!/usr/bin/env python3
"""Writes models with their answers, of the shapes that choose each schedule.

usage: write-schedules.py FOLDER

Elements are small integers, so that sums are exact in any order and answers
must be met to the last bit.
"""
import itertools
import os
import sys

import numpy
import onnx
from onnx import numpy_helper

random = numpy.random.default_rng(1)


def integers(*shape):
    return random.integers(-4, 5, shape).astype(numpy.float32)


def write(folder, name, op, inputs, answer, attributes=None, constants=()):
    """A model of one node; the inputs whose numbers are in `constants` are part
    of it."""
    names = [f"x{i}" for i in range(len(inputs))]
    known = [numpy_helper.from_array(inputs[i], names[i]) for i in constants]
    given = [i for i in range(len(inputs)) if i not in constants]
    info = [onnx.helper.make_tensor_value_info(
        names[i], onnx.helper.np_dtype_to_tensor_dtype(inputs[i].dtype),
        inputs[i].shape) for i in given]
    y = onnx.helper.make_tensor_value_info(
        "y", onnx.TensorProto.FLOAT, answer.shape)
    node = onnx.helper.make_node(op, names, ["y"], **(attributes or {}))
    graph = onnx.helper.make_graph([node], name, info, [y], known)
    model = onnx.helper.make_model(
        graph, ir_version=10, opset_imports=[onnx.helper.make_opsetid("", 13)])
    data = os.path.join(folder, name, "test_data_set_0")
    os.makedirs(data, exist_ok=True)
    onnx.save(model, os.path.join(folder, name, "model.onnx"))
    for kind, tensors in (("input", [inputs[i] for i in given]),
                          ("output", [answer])):
        for i, tensor in enumerate(tensors):
            onnx.save_tensor(numpy_helper.from_array(tensor),
                             os.path.join(data, f"{kind}_{i}.pb"))


def windows(x, kernel, stride, pad, fill):
    """All windows: [n, c, y, x, ky, kx]."""
    x = numpy.pad(x, [(0, 0), (0, 0), (pad, pad), (pad, pad)],
                  constant_values=fill)
    seen = numpy.lib.stride_tricks.sliding_window_view(x, (kernel, kernel), (2, 3))
    return seen[:, :, ::stride, ::stride]


def write_windows(folder):
    # Whole vectors, parts of one and several; strides of which one vector, two
    # and one element each are loaded; planes alone, and several together.
    sizes = [(1, 6, 5), (2, 3, 40), (1, 64, 9)]
    for (n, c, size), stride, kernel in itertools.product(sizes, (1, 2, 3), (3, 5)):
        x, w = integers(n, c, size, size), integers(c, 1, kernel, kernel)
        pad = kernel // 2
        name = f"{n}x{c}x{size}-k{kernel}-s{stride}"
        settings = {"strides": [stride] * 2, "pads": [pad] * 4}
        answer = numpy.einsum("ncyxij,cij->ncyx",
                              windows(x, kernel, stride, pad, 0), w[:, 0])
        write(folder, "depthwise-" + name, "Conv", [x, w],
              answer.astype(numpy.float32), {**settings, "group": c})
        answer = windows(x, kernel, stride, pad, -numpy.inf).max((4, 5))
        write(folder, "max-pool-" + name, "MaxPool", [x],
              numpy.ascontiguousarray(answer),
              {**settings, "kernel_shape": [kernel] * 2})


def write_columns(folder):
    # Rows more or fewer than are read side by side, a rest of rows, a rest of a
    # vector, more columns than are summed at once.
    for rows, columns in itertools.product((5, 16, 17, 40), (30, 65, 2100)):
        x = integers(3, rows, columns)
        write(folder, f"max-{rows}x{columns}", "ReduceMax", [x], x.max(1),
              {"axes": [1], "keepdims": 0})
        write(folder, f"sum-{rows}x{columns}", "ReduceSum",
              [x, numpy.array([1])], x.sum(1), {"keepdims": 0}, constants=[1])
        a, b = integers(1, rows), integers(rows, columns)
        write(folder, f"vector-{rows}x{columns}", "MatMul", [a, b], a @ b)


def main():
    write_windows(sys.argv[1])
    write_columns(sys.argv[1])


if __name__ == "__main__":
    main()
