#!/usr/bin/env python3
"""Writes a model that takes a tensor out of a sequence, and data for it.

usage: write-sequence.py FOLDER
"""
import os
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper


def main():
    folder = sys.argv[1]
    list_ = helper.make_tensor_sequence_value_info("list", TensorProto.FLOAT, [2])
    result = helper.make_tensor_value_info("result", TensorProto.FLOAT, [2])
    zero = helper.make_tensor("zero", TensorProto.INT64, [], [0])
    node = helper.make_node("SequenceAt", ["list", "zero"], ["result"])
    graph = helper.make_graph([node], "first", [list_], [result], [zero])
    opset = helper.make_opsetid("", 13)
    data = os.path.join(folder, "test_data_set_0")
    os.makedirs(data, exist_ok=True)
    onnx.save(helper.make_model(graph, ir_version=8, opset_imports=[opset]), os.path.join(folder, "model.onnx"))
    pair = numpy.zeros(2, numpy.float32)
    with open(os.path.join(data, "input_0.pb"), "wb") as file:
        file.write(numpy_helper.from_list([pair, pair], "list").SerializeToString())
    onnx.save_tensor(numpy_helper.from_array(pair, "result"), os.path.join(data, "output_0.pb"))


if __name__ == "__main__":
    main()
