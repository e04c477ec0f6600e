#!/usr/bin/env python3
"""Writes a model that computes y = -x, and data for it whose answer is off.

usage: write-negation.py FOLDER TYPE OFF

The input is -1, the answer stated is 1 + OFF.
"""
import os
import sys

import onnx


def tensor(name, type_, value):
    return onnx.helper.make_tensor(name, type_, [1], [value])


def main():
    folder, type_name, off = sys.argv[1:]
    type_ = onnx.TensorProto.DataType.Value(type_name)
    x, y = (onnx.helper.make_tensor_value_info(name, type_, [1]) for name in "xy")
    node = onnx.helper.make_node("Neg", ["x"], ["y"])
    graph = onnx.helper.make_graph([node], "negation", [x], [y])
    opset = onnx.helper.make_opsetid("", 13)
    model = onnx.helper.make_model(graph, ir_version=8, opset_imports=[opset])
    data = os.path.join(folder, "test_data_set_0")
    os.makedirs(data, exist_ok=True)
    onnx.save(model, os.path.join(folder, "model.onnx"))
    onnx.save_tensor(tensor("x", type_, -1), os.path.join(data, "input_0.pb"))
    answer = tensor("y", type_, 1 + float(off))
    onnx.save_tensor(answer, os.path.join(data, "output_0.pb"))


if __name__ == "__main__":
    main()
