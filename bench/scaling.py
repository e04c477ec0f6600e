#!/usr/bin/env python3
"""How rl-opt's time and memory grow: a 20 GB file with its weights inline, graphs of many ops.

The files are written here, byte by byte in protobuf's encoding: the 20 GB file is sparse and takes
a few kB on disk; the weights of the large graphs are external data that isn't there. All are
removed at the end. Prints figures against their limits and judges nothing: the exit status is 0.

To set up:
    cmake --preset release && cmake --build build/release --target rl-opt
To run, on a machine that does nothing else:
    bench/scaling.py --markdown
"""

import argparse
import os
import signal
import sys
import tempfile

sys.dont_write_bytecode = True
from measure import Figure, measure, least_peak  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# --- protobuf's wire format ---------------------------------------------------------------------


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def head(field, length):
    """The key and the length of a field whose bytes follow."""
    return varint(field << 3 | 2) + varint(length)


def message(field, data):
    return head(field, len(data)) + data


def text(field, value):
    return message(field, value.encode())


# --- ONNX's messages; the numbers are the fields' in onnx.proto ---------------------------------

FLOAT, FLOAT16 = 1, 10


def node(op, inputs, outputs, name):
    return message(1, b"".join([*(text(1, i) for i in inputs), *(text(2, o) for o in outputs),
                                text(3, name), text(4, op)]))


def value_info(field, name, element_type, sizes):
    shape = b"".join(message(1, number(1, size)) for size in sizes)
    tensor_type = number(1, element_type) + message(2, shape)
    return message(field, text(1, name) + message(2, message(1, tensor_type)))


def tensor_head(name, element_type, sizes):
    return b"".join(number(1, size) for size in sizes) + number(2, element_type) + text(8, name)


def external(name, element_type, sizes):
    """A weight in a file beside the model, of which the graph says only shape and type."""
    entry = text(1, "location") + text(2, "weights.bin")
    return message(5, tensor_head(name, element_type, sizes) + message(13, entry) + number(14, 1))


def model_head():
    return number(1, 9) + message(8, text(1, "") + number(2, 17))


# --- The 20 GB file -----------------------------------------------------------------------------

WEIGHTS = 40
WIDTH = 16384  # 16384 x 16384 f16 is 512 MiB


def write_inline(path):
    """A chain of 40 products whose weights, 21.5 GB, stand in the file."""
    payload = 2 * WIDTH * WIDTH
    before = b""
    tensors = []
    for i in range(WEIGHTS):
        last = "y" if i == WEIGHTS - 1 else f"h{i + 1}"
        before += node("MatMul", [f"h{i}" if i else "x", f"w{i}"], [last], f"product_{i}")
        fields = tensor_head(f"w{i}", FLOAT16, [WIDTH, WIDTH]) + head(9, payload)
        tensors.append(head(5, len(fields) + payload) + fields)
    before += text(2, "inline")
    after = value_info(11, "x", FLOAT16, [1, WIDTH]) + value_info(12, "y", FLOAT16, [1, WIDTH])
    length = len(before) + sum(len(t) + payload for t in tensors) + len(after)
    with open(path, "wb") as file:
        file.write(model_head() + head(7, length) + before)
        for tensor in tensors:
            file.write(tensor)
            file.seek(payload, os.SEEK_CUR)  # a hole
        file.write(after)


# --- Graphs of many ops -------------------------------------------------------------------------


def block(index, source, target):
    """Ten ops with weights of their own: two layers, a gate, a residual, two transposes."""
    def n(part):
        return f"b{index}.{part}"

    ops = [
        ("MatMul", [source, n("w1")], n("p1")), ("Add", [n("p1"), n("c1")], n("s1")),
        ("Relu", [n("s1")], n("r")), ("MatMul", [n("r"), n("w2")], n("p2")),
        ("Add", [n("p2"), n("c2")], n("s2")), ("Sigmoid", [n("s2")], n("g")),
        ("Mul", [n("s2"), n("g")], n("m")), ("Transpose", [n("m")], n("t")),
        ("Transpose", [n("t")], n("u")), ("Add", [n("u"), source], target),
    ]
    nodes = b"".join(node(op, inputs, [output], f"b{index}/{op}_{i}")
                     for i, (op, inputs, output) in enumerate(ops))
    weights = (external(n("w1"), FLOAT, [64, 256]) + external(n("c1"), FLOAT, [256]) +
               external(n("w2"), FLOAT, [256, 64]) + external(n("c2"), FLOAT, [64]))
    return nodes, weights


def write_graph(path, ops):
    """A graph of `ops` ops. Its length has to stand before it: the parts are kept first."""
    blocks = ops // 10
    nodes, weights = bytearray(), bytearray()
    for i in range(blocks):
        target = "y" if i == blocks - 1 else f"b{i + 1}.x"
        more, stored = block(i, f"b{i}.x" if i else "x", target)
        nodes += more
        weights += stored
    ends = (text(2, "many") + value_info(11, "x", FLOAT, [32, 64]) +
            value_info(12, "y", FLOAT, [32, 64]))
    with open(path, "wb") as file:
        file.write(model_head() + head(7, len(nodes) + len(weights) + len(ends)))
        for part in (nodes, weights, ends):
            file.write(part)


# --- Measuring ----------------------------------------------------------------------------------


def measure_file(args, path, runs):
    return measure([args.rl_opt, path, "--roofline-report", "--report-format=json"], runs)


def row_of(what, size, figure):
    if isinstance(figure, str):
        return [what, f"{size / 1e6:.1f}", "fails: " + figure, "", ""]
    return [what, f"{size / 1e6:.1f}", f"{figure.minimum:.3f}", f"{figure.median:.3f}",
            f"{figure.peak_bytes / 1e6:.0f}"]


def print_table(rows, markdown):
    columns = ["input", "file MB", "least s", "median s", "peak MB"]
    if markdown:
        print("| " + " | ".join(columns) + " |\n| --- |" + " ---: |" * (len(columns) - 1))
        for row in rows:
            print("| " + " | ".join(row) + " |")
        return
    widths = [max(len(row[i]) for row in [columns, *rows]) for i in range(len(columns))]
    for row in [columns, *rows]:
        print("  ".join([row[0].ljust(widths[0])] +
                        [c.rjust(w) for c, w in zip(row[1:], widths[1:])]))


def verdict(what, value, shown, limit, limit_shown):
    return f"- {what}: {shown}, {'within' if value <= limit else 'over'} the limit of {limit_shown}"


def verdicts(inline, graphs):
    if isinstance(inline, Figure):
        yield verdict("20 GB inline, seconds", inline.minimum, f"{inline.minimum:.3f}", 0.1, "0.1")
    small, large = graphs.get(10_000), graphs.get(100_000)
    if isinstance(small, Figure) and isinstance(large, Figure):
        ratio = large.minimum / small.minimum
        yield verdict("100 000 ops over 10 000 ops, time", ratio, f"{ratio:.1f}", 12, "12")
    most = graphs.get(1_000_000)
    if isinstance(most, Figure):
        peak = most.peak_bytes
        yield verdict("1 000 000 ops, peak memory", peak, f"{peak / 1e9:.2f} GB", 4e9, "4 GB")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rl-opt",
                        default=os.path.join(ROOT, "build", "release", "bin", "rl-opt"))
    parser.add_argument("--runs", type=int, default=5, help="runs of each, 1 of the largest")
    parser.add_argument("--ops", type=int, nargs="*", default=[10_000, 100_000, 1_000_000],
                        help="sizes of the graphs")
    parser.add_argument("--dir", help="where the files are put for the time being")
    parser.add_argument("--markdown", action="store_true", help="print a Markdown table")
    args = parser.parse_args()
    if not os.path.exists(args.rl_opt):
        sys.exit(f"scaling.py: {args.rl_opt} isn't there; --help says how to build it")

    # A folder of tempfile's goes only when Python ends by itself.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    rows, graphs = [], {}
    with tempfile.TemporaryDirectory(prefix="roofline-scaling-", dir=args.dir) as folder:
        path = os.path.join(folder, "inline.onnx")
        write_inline(path)
        inline = measure_file(args, path, args.runs)
        rows.append(row_of(f"{WEIGHTS} products, weights inline", os.path.getsize(path), inline))
        os.remove(path)
        for ops in args.ops:
            print(f"scaling.py: {ops} ops", file=sys.stderr)
            path = os.path.join(folder, f"ops-{ops}.onnx")
            write_graph(path, ops)
            graphs[ops] = measure_file(args, path, args.runs if ops < 1_000_000 else 1)
            rows.append(row_of(f"{ops:,} ops".replace(",", " "), os.path.getsize(path),
                               graphs[ops]))
            os.remove(path)
    print(f"CPU time and peak memory of rl-opt writing its JSON report, {args.runs} runs after a "
          f"warm-up (1 from a million ops on). Peaks below {least_peak() / 1e6:.1f} MB can't be told "
          "apart.\n")
    print_table(rows, args.markdown)
    print()
    for line in verdicts(inline, graphs):
        print(line)


if __name__ == "__main__":
    main()
