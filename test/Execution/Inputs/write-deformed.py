#!/usr/bin/env python3
"""Writes a deformable convolution with its answer, one offset of which is no
number.

usage: write-deformed.py FOLDER
"""
import os
import sys

import numpy
import onnx
from onnx import numpy_helper


def main():
    folder = sys.argv[1]
    x = numpy.arange(9, dtype=numpy.float32).reshape(1, 1, 3, 3)
    w = numpy.ones((1, 1, 1, 1), numpy.float32)
    offset = numpy.zeros((1, 2, 3, 3), numpy.float32)
    offset[0, 0, 1, 1] = numpy.nan
    offset[0, 1, 2, 2] = 1e30  # far outside: 0
    y = x.copy()
    y[0, 0, 1, 1] = numpy.nan
    y[0, 0, 2, 2] = 0
    infos = {name: onnx.helper.make_tensor_value_info(
        name, onnx.TensorProto.FLOAT, value.shape)
        for name, value in (("x", x), ("w", w), ("offset", offset), ("y", y))}
    node = onnx.helper.make_node("DeformConv", ["x", "w", "offset"], ["y"])
    graph = onnx.helper.make_graph(
        [node], "deformed", [infos[n] for n in ("x", "w", "offset")], [infos["y"]])
    model = onnx.helper.make_model(
        graph, ir_version=9, opset_imports=[onnx.helper.make_opsetid("", 19)])
    data = os.path.join(folder, "test_data_set_0")
    os.makedirs(data, exist_ok=True)
    onnx.save(model, os.path.join(folder, "model.onnx"))
    for name, value in (("input_0", x), ("input_1", w), ("input_2", offset),
                        ("output_0", y)):
        onnx.save_tensor(numpy_helper.from_array(value),
                         os.path.join(data, f"{name}.pb"))


if __name__ == "__main__":
    main()
