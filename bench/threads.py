#!/usr/bin/env python3
"""How this project's kernels scale with threads.

  bench/threads.py [--tools build/release/bin] [--threads 1,2] [--markdown]

Each kernel with every number of threads, by wall time, the numbers in turn so
that all of them see the same machine; the median of a few runs, each itself a
median. Which share of the ideal speed-up it is stands last. Other processes
lengthen wall times: `rl-run` says so, and so does this.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

MIB = 1 << 20


def product(size):
    return f"g (float[{size},{size}] a, float[{size},{size}] b) => (y) {{ y = MatMul(a, b) }}"


def map_of(op, operands):
    names = "xy"[:operands]
    count = 256 * MIB // 4
    inputs = ", ".join(f"float[{count}] {name}" for name in names)
    return f"g ({inputs}) => (z) {{ z = {op}({', '.join(names)}) }}"


# A name, and the body of a model of one op.
KERNELS = [
    ("product 1024", product(1024)),
    ("product 2048", product(2048)),
    ("conv 64x56 64 k3", "g (float[1,64,56,56] x, float[64,64,3,3] w) => (y) "
     "{ y = Conv<pads = [1, 1, 1, 1]>(x, w) }"),
    ("conv 256x14 1024 k1", "g (float[1,256,14,14] x, float[1024,256,1,1] w) => (y) "
     "{ y = Conv(x, w) }"),
    ("relu 256 MiB", map_of("Relu", 1)),
    ("add 256 MiB", map_of("Add", 2)),
    ("gelu 4096x1024", "g (float[4096,1024] x) => (y) { y = Gelu(x) }"),
    ("softmax 8192x1024", "g (float[8192,1024] x) => (y) { y = Softmax(x) }"),
    ("layer norm 8192x1024", "g (float[8192,1024] x, float[1024] s) => (y) "
     "{ y = LayerNormalization(x, s) }"),
    ("reduce rows 8192x1024", "g (float[8192,1024] x) => (y) "
     "{ c = Constant<value_ints = [1]>() y = ReduceSum(x, c) }"),
    ("relu 16 KiB", "g (float[4096] x) => (y) { y = Relu(x) }"),
]


def run(tools, model, threads, folder):
    measured = folder / "measured.json"
    done = subprocess.run(
        [f"{tools}/rl-run", str(model), f"--threads={threads}", "--no-whole", "--no-groups",
         "--max-seconds=1", "-o", str(measured)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr + done.stdout)
    found = json.loads(measured.read_text())
    return found["ops"][0], found["environment"].get("competing_cpus", 0)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", default="build/release/bin")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="kernels whose name begins so")
    parser.add_argument("--markdown", action="store_true")
    args = parser.parse_args()
    counts = [int(count) for count in args.threads.split(",")]

    def show(cells):
        if args.markdown:
            print("| " + " | ".join(cells) + " |", flush=True)
        else:
            print(f"{cells[0]:24}" + "".join(f"{cell:>16}" for cell in cells[1:]), flush=True)

    show(["kernel"] + [f"{count} threads, µs" for count in counts] + ["speed-up", "of ideal"])
    if args.markdown:
        show(["---"] * (len(counts) + 3))
    busiest = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        model = folder / "kernel.onnxtxt"
        for title, body in KERNELS:
            if not title.startswith(args.only):
                continue
            model.write_text('<ir_version: 10, opset_import: ["" : 21]>\n' + body)
            times = {count: [] for count in counts}
            for _ in range(args.rounds):
                for count in counts:
                    op, others = run(args.tools, model, count, folder)
                    times[count].append(op["wall_seconds"])
                    busiest = max(busiest, others)
            medians = [statistics.median(times[count]) for count in counts]
            speedup = medians[0] / medians[-1]
            show([title] + [f"{median * 1e6:.1f}" for median in medians] +
                 [f"{speedup:.2f}", f"{speedup * counts[0] / counts[-1]:.0%}"])
    if busiest > 0.1:
        print(f"other processes used up to {busiest:.1f} CPUs meanwhile", file=sys.stderr)


if __name__ == "__main__":
    main()
