#!/usr/bin/env python3
"""This project's kernels beside the libraries that everyone knows.

  bench/kernels.py [--tools build/release/bin] [--markdown]

f32 products against OpenBLAS (the one in NumPy's wheel), ResNet-50's convolutions
against oneDNN (roofline-onednn-conv, built where Debian's libdnnl-dev is), one
thread each, CPU time, medians, one after the other in one run. Attention a block
of scores at a time against the same with all scores in memory. Elementwise ops,
softmax and layer norm against copies of the same bytes by rl-run's own ceilings:
see rl-run calibrate.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[variable] = "1"

PRODUCTS = [(512, 512, 512), (513, 513, 513), (768, 768, 768), (1000, 1000, 1000),
            (1024, 1024, 1024), (1500, 1500, 1500), (2048, 2048, 2048)]
# in, size, out, kernel, stride, pad: each shape of ResNet-50 once.
CONVOLUTIONS = [
    (3, 224, 64, 7, 2, 3), (64, 56, 64, 1, 1, 0), (64, 56, 64, 3, 1, 1),
    (64, 56, 256, 1, 1, 0), (256, 56, 64, 1, 1, 0), (256, 56, 128, 1, 1, 0),
    (128, 56, 128, 3, 2, 1), (128, 28, 512, 1, 1, 0), (256, 56, 512, 1, 2, 0),
    (512, 28, 128, 1, 1, 0), (128, 28, 128, 3, 1, 1), (512, 28, 256, 1, 1, 0),
    (256, 28, 256, 3, 2, 1), (256, 14, 1024, 1, 1, 0), (512, 28, 1024, 1, 2, 0),
    (1024, 14, 256, 1, 1, 0), (256, 14, 256, 3, 1, 1), (1024, 14, 512, 1, 1, 0),
    (512, 14, 512, 3, 2, 1), (512, 7, 2048, 1, 1, 0), (1024, 14, 2048, 1, 2, 0),
    (2048, 7, 512, 1, 1, 0), (512, 7, 512, 3, 1, 1)]


# batch, heads, rows, size.
ATTENTION = [(1, 12, 128, 64), (1, 12, 512, 64), (1, 12, 1024, 64), (1, 12, 2048, 64)]


HEADER = '<ir_version: 10, opset_import: ["" : 23]>\n'


def ours(tools, text, folder, *options):
    model = folder / "kernel.onnxtxt"
    model.write_text(HEADER + text)
    measured = folder / "kernel.json"
    done = subprocess.run([f"{tools}/rl-run", str(model), "-o", str(measured),
                           "--no-whole", "--no-groups", *options], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(measured.read_text())["ops"][0]["seconds"]["median"]


def openblas(m, k, n):
    import numpy
    a = numpy.random.rand(m, k).astype(numpy.float32)
    b = numpy.random.rand(k, n).astype(numpy.float32)
    c = numpy.empty((m, n), numpy.float32)
    times = []
    for i in range(25):
        start = time.thread_time()
        numpy.matmul(a, b, out=c)
        if i >= 5:
            times.append(time.thread_time() - start)
    return sorted(times)[len(times) // 2]


def onednn(tools, shape):
    program = f"{tools}/roofline-onednn-conv"
    if not os.path.exists(program):
        return None
    done = subprocess.run([program, *map(str, shape)], capture_output=True, text=True)
    return float(done.stdout) if done.returncode == 0 else None


def row(name, flops, mine, other, markdown):
    share = f"{other / mine:.0%}" if other else "?"
    theirs = f"{flops / other * 1e-9:.1f}" if other else "?"
    cells = [name, f"{mine * 1e6:.0f}", f"{flops / mine * 1e-9:.1f}", theirs, share]
    if markdown:
        print("| " + " | ".join(cells) + " |")
    else:
        print(f"{cells[0]:28}" + "".join(f"{cell:>10}" for cell in cells[1:]))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", default="build/release/bin")
    parser.add_argument("--markdown", action="store_true")
    args = parser.parse_args()
    head = ["kernel", "µs", "GFLOP/s", "library", "share"]
    if args.markdown:
        print("| " + " | ".join(head) + " |\n|" + " --- |" * len(head))
    else:
        print(f"{head[0]:28}" + "".join(f"{cell:>10}" for cell in head[1:]))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for m, k, n in PRODUCTS:
            text = f"g (float[{m},{k}] a, float[{k},{n}] b) => (y) {{ y = MatMul(a, b) }}"
            row(f"product {m}x{k}x{n}", 2 * m * k * n, ours(args.tools, text, folder),
                openblas(m, k, n), args.markdown)
        for shape in CONVOLUTIONS:
            cin, size, out, kernel, stride, pad = shape
            text = (f"g (float[1,{cin},{size},{size}] x, "
                    f"float[{out},{cin},{kernel},{kernel}] w) => (y) {{ "
                    f"y = Conv<strides = [{stride}, {stride}], "
                    f"pads = [{pad}, {pad}, {pad}, {pad}]>(x, w) }}")
            result = (size + 2 * pad - kernel) // stride + 1
            flops = 2 * out * result * result * cin * kernel * kernel
            row(f"conv {cin}x{size} {out} k{kernel} s{stride}", flops,
                ours(args.tools, text, folder), onednn(args.tools, shape), args.markdown)
        for shape in ATTENTION:
            dims = ", ".join(map(str, shape))
            text = (f"g (float[{dims}] q, float[{dims}] k, float[{dims}] v) => (y) "
                    "{ y = Attention(q, k, v) }")
            batch, heads, rows, size = shape
            row(f"attention {'x'.join(map(str, shape))}",
                4 * batch * heads * rows * rows * size, ours(args.tools, text, folder),
                ours(args.tools, text, folder, "--all-scores"), args.markdown)


if __name__ == "__main__":
    main()
