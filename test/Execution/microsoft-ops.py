#!/usr/bin/env python3
"""Runs small models of onnxruntime's own ops and compares with its answers.

usage: microsoft-ops.py RL_RUN FOLDER [NAME...]

Each case is one node with made-up inputs; it goes to FOLDER as ONNX's tests have
them, with what onnxruntime computes as the outputs, and `rl-run verify` runs all
of them, attention both by blocks and with all scores. NAMEs pick cases.
"""
import os
import shutil
import subprocess
import sys

import numpy
import onnx
import onnxruntime

RANDOM = numpy.random.default_rng(0)


def floats(*shape):
    return RANDOM.uniform(-1, 1, shape).astype(numpy.float32)


def bytes_(*shape):
    return RANDOM.integers(0, 256, shape).astype(numpy.uint8)


def number(value, dtype=numpy.float32):
    return numpy.array(value, dtype)


def integers(values):
    return numpy.array(values, numpy.int32)


def lengths(*values):
    return integers(values)


# Name: op, inputs (None: left out), the number of outputs, attributes. An input
# in a list is a constant of the model.
def cases():
    heads = {"num_heads": 2}
    projection = [floats(2, 5, 8), floats(8, 24), floats(24)]
    mask = integers([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]])
    yield "attention", "Attention", projection, 1, heads
    yield "attention_mask", "Attention", [*projection, mask], 1, heads
    yield "attention_lengths", "Attention", [*projection, lengths(5, 2)], 1, heads
    yield "attention_causal", "Attention", projection, 1, {**heads, "unidirectional": 1}
    yield "attention_past", "Attention", [
        *projection, None, floats(2, 2, 2, 3, 4)], 2, {**heads, "unidirectional": 1}
    yield "attention_bias", "Attention", [
        *projection, mask, None, floats(2, 2, 5, 5)], 1, heads
    yield "attention_widths", "Attention", [
        floats(2, 5, 8), floats(8, 28), floats(28)], 1, {
            **heads, "qkv_hidden_sizes": [8, 8, 12]}
    yield "attention_long", "Attention", [
        floats(1, 150, 8), floats(8, 24), floats(24)], 1, heads

    q, k, v = floats(2, 5, 8), floats(2, 7, 8), floats(2, 7, 12)
    many = "MultiHeadAttention"
    yield "multi", many, [q, k, v], 1, heads
    yield "multi_bias", many, [q, k, v, floats(28)], 1, heads
    yield "multi_lengths", many, [q, k, v, None, lengths(7, 3)], 1, heads
    yield "multi_added", many, [q, k, v, None, None, floats(1, 2, 5, 7)], 1, heads
    yield "multi_crossed", many, [q, floats(2, 2, 7, 4), floats(2, 2, 7, 4)], 1, heads
    yield "multi_past", many, [
        q, floats(2, 5, 8), floats(2, 5, 8), None, None, None,
        floats(2, 2, 3, 4), floats(2, 2, 3, 4)], 3, heads
    yield "multi_causal", many, [q, floats(2, 5, 8), floats(2, 5, 8)], 1, {
        **heads, "unidirectional": 1}

    group = "GroupQueryAttention"
    grouped = {"num_heads": 4, "kv_num_heads": 2}
    fresh = [floats(2, 5, 64), floats(2, 5, 32), floats(2, 5, 32)]
    step = [floats(2, 1, 64), floats(2, 1, 32), floats(2, 1, 32)]
    past = [floats(2, 2, 6, 16), floats(2, 2, 6, 16)]
    tables = [floats(16, 8), floats(16, 8)]
    yield "group_first", group, [
        *fresh, None, None, lengths(4, 4), [number(5, numpy.int32)]], 3, grouped
    yield "group_first_rotary", group, [
        *fresh, None, None, lengths(4, 4), [number(5, numpy.int32)], *tables], 3, {
            **grouped, "do_rotary": 1}
    yield "group_step", group, [
        *step, *past, lengths(6, 6), [number(7, numpy.int32)]], 3, grouped
    yield "group_step_rotary", group, [
        *step, *past, lengths(6, 6), [number(7, numpy.int32)], *tables], 3, {
            **grouped, "do_rotary": 1, "rotary_interleaved": 1}
    yield "group_step_lengths", group, [
        *step, *past, lengths(6, 3), [number(7, numpy.int32)]], 3, grouped
    yield "group_packed", group, [
        floats(2, 5, 128), None, None, None, None, lengths(4, 4),
        [number(5, numpy.int32)]], 3, {**grouped, "softcap": 0.5}
    yield "group_window", group, [
        *fresh, None, None, lengths(4, 4), [number(5, numpy.int32)]], 3, {
            **grouped, "local_window_size": 2}

    places = numpy.array([[0, 1, 2, 3, 4], [3, 4, 5, 6, 7]], numpy.int64)
    yield "rotary", "RotaryEmbedding", [floats(2, 5, 32), places, *tables], 1, {}
    yield "rotary_offset", "RotaryEmbedding", [
        floats(2, 2, 5, 16), places[1, :1], *tables], 1, {"interleaved": 1}
    yield "rotary_part", "RotaryEmbedding", [
        floats(2, 5, 48), places, *tables], 1, {
            "num_heads": 2, "rotary_embedding_dim": 16}

    ids = RANDOM.integers(0, 9, (2, 5)).astype(numpy.int32)
    embedding = [floats(9, 8), floats(6, 8), floats(2, 8), floats(8), floats(8)]
    yield "embedding", "EmbedLayerNormalization", [
        ids, ids % 2, *embedding, mask], 2, {}
    yield "embedding_sum", "EmbedLayerNormalization", [
        ids, None, *embedding[:2], None, *embedding[3:], None, ids % 6], 3, {}
    yield "skip_norm", "SkipLayerNormalization", [
        q, floats(2, 5, 8), floats(8), floats(8), floats(8)], 1, {}
    yield "bias_gelu", "BiasGelu", [q, floats(8)], 1, {}
    yield "fast_gelu", "FastGelu", [q, floats(8)], 1, {}
    yield "quick_gelu", "QuickGelu", [q], 1, {}
    yield "fused_matmul", "FusedMatMul", [q, floats(2, 7, 8)], 1, {
        "transB": 1, "alpha": 0.5}

    def triple(*shape):
        return [bytes_(*shape), number(0.02), number(100, numpy.uint8)]

    result = [number(0.03), number(120, numpy.uint8)]
    yield "quantised_add", "QLinearAdd", [
        *triple(2, 3, 4), *triple(3, 1), *result], 1, {}
    yield "quantised_mul", "QLinearMul", [
        *triple(2, 3, 4), *triple(2, 3, 4), *result], 1, {}
    yield "quantised_sigmoid", "QLinearSigmoid", [
        *triple(2, 3, 4), [number(0.004)], [number(0, numpy.uint8)]], 1, {}
    yield "quantised_leaky", "QLinearLeakyRelu", [
        *triple(2, 3, 4), *result], 1, {"alpha": 0.1}
    yield "quantised_mean", "QLinearGlobalAveragePool", [
        *triple(2, 3, 4, 5), *result], 1, {}
    yield "quantised_concat", "QLinearConcat", [
        *result, *triple(2, 3), *triple(2, 4)], 1, {"axis": 1}
    yield "quantised_gemm", "QGemm", [
        *triple(2, 3), *triple(4, 3), integers([5, -900, 2, 7]), number(0.05),
        number(120, numpy.uint8)], 1, {"transB": 1}
    yield "quantised_gemm_real", "QGemm", [*triple(2, 3), *triple(3, 4)], 1, {}


def make(op, given, outputs, attributes):
    """The model and its inputs by name."""
    names, inputs, constants = [], {}, []
    for position, value in enumerate(given):
        name = f"x{position}" if value is not None else ""
        names.append(name)
        if isinstance(value, list):
            constants.append(onnx.numpy_helper.from_array(value[0], name))
        elif value is not None:
            inputs[name] = value
    results = [f"y{i}" for i in range(outputs)]
    node = onnx.helper.make_node(
        op, names, results, name=op, domain="com.microsoft", **attributes)
    infos = [
        onnx.helper.make_tensor_value_info(
            name, onnx.helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
        for name, value in inputs.items()]
    graph = onnx.helper.make_graph(
        [node], op, infos, [onnx.ValueInfoProto(name=name) for name in results],
        constants)
    opsets = [onnx.helper.make_opsetid("", 17),
              onnx.helper.make_opsetid("com.microsoft", 1)]
    return onnx.helper.make_model(graph, opset_imports=opsets, ir_version=8), inputs


def write(folder, model, inputs):
    data = os.path.join(folder, "test_data_set_0")
    os.makedirs(data)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    outputs = session.run(None, inputs)
    for kind, tensors in (("input", inputs.values()), ("output", outputs)):
        for i, tensor in enumerate(tensors):
            with open(os.path.join(data, f"{kind}_{i}.pb"), "wb") as file:
                file.write(onnx.numpy_helper.from_array(tensor).SerializeToString())
    # The types of the outputs, which onnxruntime knows.
    for info, output in zip(model.graph.output, outputs):
        info.CopyFrom(onnx.helper.make_tensor_value_info(
            info.name, onnx.helper.np_dtype_to_tensor_dtype(output.dtype),
            output.shape))
    onnx.save(model, os.path.join(folder, "model.onnx"))


def main():
    rl_run, root, *wanted = sys.argv[1:]
    shutil.rmtree(root, ignore_errors=True)
    folders = []
    for name, op, given, outputs, attributes in cases():
        if wanted and name not in wanted:
            continue
        folder = os.path.join(root, name)
        write(folder, *make(op, given, outputs, attributes))
        folders.append(folder)
    command = [rl_run, "verify", "--rtol=1e-4", "--atol=1e-5", *folders]
    codes = [subprocess.run([*command, *options], check=False).returncode
             for options in ([], ["--all-scores"])]
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
