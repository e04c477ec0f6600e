#!/usr/bin/env python3
"""This project's kernels beside onnxruntime's, op by op.

  bench/ops.py [--tools build/release/bin] [--markdown]

Ops that aren't products or convolutions (those are in bench/kernels.py): f32, one
thread, medians of CPU time, one after the other in one run. onnxruntime's time is
that of a whole session's run, some microseconds of which are its own. Needs the
packages onnx and onnxruntime.
"""
import argparse
import pathlib
import sys
import tempfile
import time

import numpy
import onnx.parser
import onnxruntime
from kernels import HEADER, ours

# Name, the graph in ONNX's text form.
OPS = [
    ("transpose 256 x 3136", "(float[256,3136] x) => (y) { y = Transpose<perm = [1, 0]>(x) }"),
    ("transpose 1999 x 2001",
     "(float[1999,2001] x) => (y) { y = Transpose<perm = [1, 0]>(x) }"),
    ("transpose 12 x 128 x 64",
     "(float[12,128,64] x) => (y) { y = Transpose<perm = [0, 2, 1]>(x) }"),
    ("gemm 8 x 256 x 256, transB",
     "(float[8,256] x, float[256,256] w) => (y) { y = Gemm<transB = 1>(x, w) }"),
    ("gemm 1 x 9216 x 4096, transB",
     "(float[1,9216] x, float[4096,9216] w) => (y) { y = Gemm<transB = 1>(x, w) }"),
    ("gemm 1 x 9216 x 4096",
     "(float[1,9216] x, float[9216,4096] w) => (y) { y = Gemm(x, w) }"),
    ("convtranspose 128 x 64² to 64, k4 s2",
     "(float[1,128,64,64] x, float[128,64,4,4] w) => (y) "
     "{ y = ConvTranspose<strides = [2, 2], pads = [1, 1, 1, 1]>(x, w) }"),
    ("convtranspose 128 x 256² to 64, k2 s2",
     "(float[1,128,256,256] x, float[128,64,2,2] w) => (y) "
     "{ y = ConvTranspose<strides = [2, 2]>(x, w) }"),
    ("lstm 64 steps x 4 x 512",
     "(float[64,4,512] x, float[1,2048,512] w, float[1,2048,512] r) => (y) "
     "{ y = LSTM<hidden_size = 512>(x, w, r) }"),
    ("topk 300 of 3234",
     "(float[3234] x) => (y, z) <int64[1] k = {300}> { y, z = TopK(x, k) }"),
    ("gather 128 rows of 768",
     "(float[30522,768] x, int64[128] i) => (y) { y = Gather(x, i) }"),
    ("resize nearest 96 x 40² by 2",
     "(float[1,96,40,40] x) => (y) <float[0] r = {}, float[4] s = {1, 1, 2, 2}> "
     "{ y = Resize<mode = \"nearest\", coordinate_transformation_mode = \"asymmetric\", "
     "nearest_mode = \"floor\">(x, r, s) }"),
    ("softmax 1024 x 1024", "(float[1024,1024] x) => (y) { y = Softmax(x) }"),
    ("layer norm 1024 x 1024",
     "(float[1024,1024] x, float[1024] s, float[1024] b) => (y) "
     "{ y = LayerNormalization(x, s, b) }"),
    ("gelu 1024 x 1024", "(float[1024,1024] x) => (y) { y = Gelu(x) }"),
]


def theirs(text):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    model = onnx.shape_inference.infer_shapes(onnx.parser.parse_model(text))
    session = onnxruntime.InferenceSession(model.SerializeToString(), options,
                                           providers=["CPUExecutionProvider"])
    random = numpy.random.default_rng(1)
    inputs = {}
    for value in session.get_inputs():
        if value.type == "tensor(int64)":
            inputs[value.name] = random.integers(0, 30522, value.shape)
        else:
            inputs[value.name] = random.standard_normal(value.shape, numpy.float32)
    times = []
    end = time.monotonic() + 1.5
    while len(times) < 10 or (time.monotonic() < end and len(times) < 300):
        start = time.thread_time()
        session.run(None, inputs)
        times.append(time.thread_time() - start)
    return sorted(times[3:])[len(times[3:]) // 2]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", default="build/release/bin")
    parser.add_argument("--markdown", action="store_true")
    args = parser.parse_args()
    head = ["op", "µs", "onnxruntime µs", "ratio"]
    if args.markdown:
        print("| " + " | ".join(head) + " |\n| --- |" + " ---: |" * 3)
    else:
        print(f"{head[0]:40}" + "".join(f"{cell:>16}" for cell in head[1:]))
    with tempfile.TemporaryDirectory() as name:
        for title, graph in OPS:
            text = f"g {graph}\n"
            mine = ours(args.tools, text, pathlib.Path(name))
            other = theirs(HEADER + text)
            cells = [title, f"{mine * 1e6:.1f}", f"{other * 1e6:.1f}",
                     f"{other / mine:.2f}"]
            if args.markdown:
                print("| " + " | ".join(cells) + " |")
            else:
                print(f"{cells[0]:40}" + "".join(f"{cell:>16}" for cell in cells[1:]))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
