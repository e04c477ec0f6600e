#!/usr/bin/env python3
"""Holds rl-opt against other tools on one machine: CPU time of whole processes, peak memory.

Per model: the release rl-opt writing its JSON report; ONNX's own C++ parse and shape inference
(roofline-bare-parse); onnxsim's ModelInfo in a Python process of its own; and, on graphs that hold
their weights (the light set of ONNX's own test data), onnx-tool's profile. Prints the figures, the
ratios and the worst of each against its limit. It judges nothing: the exit status is 0.

To set up:
    cmake --preset release && cmake --build build/release --target rl-opt roofline-bare-parse
    python3 -m venv .deps/bench
    .deps/bench/bin/pip install --require-hashes -r bench/requirements.txt
To run, on a machine that does nothing else:
    bench/compare.py --markdown

MODELS is a folder of .onnx files; an expected.json in it may give, by a file's name without its
ending, the "dims" and "flags" that rl-opt needs.
"""

import argparse
import json
import os
import sys

sys.dont_write_bytecode = True
from measure import Figure, measure, least_peak, run_once  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

ONNXSIM = """
import sys, onnx
from onnxsim.model_info import ModelInfo
info = ModelInfo(onnx.load(sys.argv[1], load_external_data=False))
print(info.macs, info.mem_access, info.memory_footprint)
"""
ONNX_TOOL = """
import sys, onnx_tool
onnx_tool.model_profile(sys.argv[1])
"""

# What each ratio may be at most; docs/performance.md says where they come from.
LIMIT_ONNXSIM = 1 / 40
LIMIT_ONNX_TOOL = 1 / 15
LIMIT_BARE = 1.0
LIMIT_BARE_FOLDING = 1.3
LIMIT_PEAK = 40e6
# From here on a graph counts as one of thousands of nodes.
MANY_NODES = 1000


class Row:
    """One model and what each tool took for it: a Figure, a reason why not, or None."""

    def __init__(self, name):
        self.name = name
        self.nodes = None
        self.ops = None
        self.ours = self.bare = self.onnxsim = self.onnx_tool = None

    @property
    def bare_limit(self):
        folding = self.nodes and self.ops and self.nodes >= MANY_NODES and self.ops < self.nodes
        return LIMIT_BARE_FOLDING if folding else LIMIT_BARE

    def ratio(self, other):
        if isinstance(self.ours, Figure) and isinstance(other, Figure):
            return self.ours.minimum / other.minimum
        return None


def models_of(folder):
    """(path, arguments of rl-opt) of each model in a folder."""
    expected = {}
    listing = os.path.join(folder, "expected.json")
    if os.path.exists(listing):
        with open(listing, encoding="utf-8") as file:
            expected = json.load(file)
    for name in sorted(os.listdir(folder)):
        if name.endswith(".onnx"):
            entry = expected.get(name[: -len(".onnx")], {})
            dims = [f"--dim={dim}={size}" for dim, size in entry.get("dims", {}).items()]
            yield os.path.join(folder, name), dims + entry.get("flags", [])


def light_folder(python):
    """The light set inside the onnx wheel of the peers' environment."""
    found = run_once([python, "-c", "import onnx; print(onnx.__path__[0])"], keep_output=True)
    if found.failed:
        return None
    package = found.output.decode().strip()
    return os.path.join(package, "backend", "test", "data", "light")


def measure_model(args, path, flags, with_onnx_tool):
    row = Row(os.path.basename(path)[: -len(".onnx")])
    ours = [args.rl_opt, path, "--roofline-report", "--report-format=json", *flags]
    first = run_once(ours, keep_output=True)
    if first.failed:
        row.ours = first.failed
    else:
        # One row an op; not worth parsing all of it.
        row.ops = first.output.count(b'"index":')
        row.ours = measure(ours, args.runs)
    if os.path.exists(args.bare):
        nodes = run_once([args.bare, path], keep_output=True)
        if not nodes.failed:
            row.nodes = int(nodes.output)
        row.bare = measure([args.bare, path], args.runs)
    if not args.no_peers:
        row.onnxsim = measure([args.python, "-c", ONNXSIM, path], args.peer_runs)
        if with_onnx_tool:
            row.onnx_tool = measure([args.python, "-c", ONNX_TOOL, path], args.peer_runs)
    return row


def milliseconds(figure):
    if figure is None:
        return ""
    if isinstance(figure, str):
        return "fails"
    return f"{figure.minimum * 1e3:.1f} ({figure.median * 1e3:.1f})"


def times(ratio):
    """A ratio below 1 as '1/x', which reads better here."""
    if ratio is None:
        return ""
    return f"1/{1 / ratio:.0f}" if ratio < 0.1 else f"{ratio:.2f}"


HEAD = ["model", "nodes", "rl-opt ms", "peak MB", "bare parse ms", "ratio", "onnxsim ms", "ratio",
        "onnx-tool ms", "ratio"]


def cells(row):
    peak = f"{row.ours.peak_bytes / 1e6:.1f}" if isinstance(row.ours, Figure) else ""
    bare = row.ratio(row.bare)
    mark = "" if bare is None or bare <= row.bare_limit else " !"
    return [row.name, str(row.nodes or ""), milliseconds(row.ours), peak, milliseconds(row.bare),
            times(bare) + mark, milliseconds(row.onnxsim), times(row.ratio(row.onnxsim)),
            milliseconds(row.onnx_tool), times(row.ratio(row.onnx_tool))]


def print_table(head, rows, markdown):
    if markdown:
        print("| " + " | ".join(head) + " |")
        print("| --- |" + " ---: |" * (len(head) - 1))
        for row in rows:
            print("| " + " | ".join(row) + " |")
        return
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    for row in [head, *rows]:
        padded = [row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:])]
        print("  ".join(padded).rstrip())


def worst(rows, value, limit):
    """(name, value, limit) of the row that is furthest towards or past its limit."""
    known = [(value(row) / limit(row), row.name, value(row), limit(row))
             for row in rows if value(row) is not None]
    return max(known)[1:] if known else None


def summary(rows):
    def line(what, found, show, over):
        if not found:
            return [what, "", "", "", "not measured"]
        name, value, limit = found
        return [what, show(value), name, show(limit), "over" if over(value, limit) else "within"]

    def above(value, limit):
        return value > limit

    few = [row for row in rows if row.bare_limit == LIMIT_BARE]
    many = [row for row in rows if row.bare_limit != LIMIT_BARE]
    peak = [row for row in rows if isinstance(row.ours, Figure)]
    return [
        line("of onnxsim's time", worst(rows, lambda r: r.ratio(r.onnxsim), lambda r: LIMIT_ONNXSIM),
             times, above),
        line("of onnx-tool's time", worst(rows, lambda r: r.ratio(r.onnx_tool),
                                          lambda r: LIMIT_ONNX_TOOL), times, above),
        line("of the bare parse's time", worst(few, lambda r: r.ratio(r.bare), lambda r: LIMIT_BARE),
             times, above),
        line("the same, thousands of nodes that fold",
             worst(many, lambda r: r.ratio(r.bare), lambda r: LIMIT_BARE_FOLDING), times, above),
        line("peak memory", worst(peak, lambda r: r.ours.peak_bytes, lambda r: LIMIT_PEAK),
             lambda v: f"{v / 1e6:.1f} MB", above),
    ]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    build = os.path.join(ROOT, "build", "release", "bin")
    deps = os.environ.get("ROOFLINE_DEPS", os.path.join(ROOT, ".deps"))
    parser.add_argument("models", nargs="?", default=os.path.join(ROOT, "models"),
                        metavar="MODELS", help="folder of models (default: models/)")
    parser.add_argument("--rl-opt", default=os.path.join(build, "rl-opt"))
    parser.add_argument("--bare", default=os.path.join(build, "roofline-bare-parse"))
    parser.add_argument("--python", default=os.path.join(deps, "bench", "bin", "python3"),
                        help="the Python that has onnxsim and onnx-tool")
    parser.add_argument("--runs", type=int, default=20, help="runs of rl-opt and the bare parse")
    parser.add_argument("--peer-runs", type=int, default=3, help="runs of onnxsim and onnx-tool")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="these models only")
    parser.add_argument("--no-peers", action="store_true", help="without onnxsim and onnx-tool")
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")
    return parser.parse_args()


def main():
    args = parse_arguments()
    if not os.path.exists(args.rl_opt):
        sys.exit(f"compare.py: {args.rl_opt} isn't there; --help says how to build it")
    if not os.path.exists(args.bare):
        print(f"compare.py: {args.bare} isn't there: not compared", file=sys.stderr)
    if not args.no_peers and not os.path.exists(args.python):
        print(f"compare.py: {args.python} isn't there: onnxsim and onnx-tool are not compared "
              "(--help says how to install them)", file=sys.stderr)
        args.no_peers = True
    work = [(path, flags, False) for path, flags in models_of(args.models)]
    light = None if args.no_peers else light_folder(args.python)
    if light and os.path.isdir(light):
        work += [(path, flags, True) for path, flags in models_of(light)]
    rows = []
    for path, flags, with_onnx_tool in work:
        name = os.path.basename(path)[: -len(".onnx")]
        if args.only and name not in args.only:
            continue
        print(f"compare.py: {name}", file=sys.stderr)
        rows.append(measure_model(args, path, flags, with_onnx_tool))
    if not rows:
        sys.exit(f"compare.py: no models in {args.models}")
    print(f"CPU time in ms, the least (and the median) of {args.runs} runs, of {args.peer_runs} for "
          "onnxsim and onnx-tool, each after a warm-up; ratios are rl-opt's least over the other's. "
          f"'!' marks a ratio to the bare parse above its limit. Peaks below {least_peak() / 1e6:.1f} "
          "MB can't be told apart.\n")
    print_table(HEAD, [cells(row) for row in rows], args.markdown)
    print()
    print_table(["worst", "value", "model", "limit", "is"], summary(rows), args.markdown)
    failures = [(row.name, tool, figure) for row in rows for tool, figure in
                (("rl-opt", row.ours), ("bare parse", row.bare), ("onnxsim", row.onnxsim),
                 ("onnx-tool", row.onnx_tool)) if isinstance(figure, str)]
    if failures:
        print("\nFailures:\n")
    for name, tool, reason in failures:
        print(f"- {name}, {tool}: {reason}")


if __name__ == "__main__":
    main()
