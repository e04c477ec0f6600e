#!/usr/bin/env python3
"""How well predictions of this machine's kernels did.

  bench/predict.py --device host.json MODEL...

Runs each model op by op with rl-run, in rounds, reports it with rl-opt on the calibrated
device, and prints over all of its kernels: the median and the 90th percentile of
|predicted - measured| / measured, Spearman's rank correlation, and the error of
the whole. Ops of less than 100 ns, which the clock hardly resolves, are left out
but for the whole. The device file is one of `rl-run calibrate` and `rl-run fit`: neither
ever saw the models.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return done


def quantile(values, fraction):
    values = sorted(values)
    at = fraction * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (at - low) * (values[high] - values[low])


def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    result = [0.0] * len(values)
    for rank, i in enumerate(order):
        result[i] = rank
    return result


def correlation(x, y):
    mx, my = sum(x) / len(x), sum(y) / len(y)
    cov = sum((a - mx) * (b - my) for a, b in zip(x, y))
    vx = sum((a - mx) ** 2 for a in x)
    vy = sum((b - my) ** 2 for b in y)
    return cov / (vx * vy) ** 0.5 if vx and vy else float("nan")


def flags_of(model):
    """--dim and other flags from the expected.json beside a model."""
    expected = model.parent / "expected.json"
    if not expected.exists():
        return []
    entry = json.loads(expected.read_text()).get(model.stem, {})
    dims = [f"--dim={name}={size}" for name, size in entry.get("dims", {}).items()]
    return dims + list(entry.get("flags", []))


def middle_mean(values):
    """The mean of the middle half: of a machine that is now in one state, now in
    another, between the two, where a median is one of them."""
    values = sorted(values)
    cut = len(values) // 4
    values = values[cut:len(values) - cut]
    return sum(values) / len(values)


def run_round(tools, model, keep, number, flags):
    """Where a run of its own process left what it measured; none if it failed."""
    path = keep / f"{model.stem}.{number}.json"
    path.unlink(missing_ok=True)
    done = run([tools + "/rl-run", str(model), "-o", str(path), "--no-groups",
                *flags])
    if not path.exists():
        print(f"{model.name}: {done.stderr.strip()}", file=sys.stderr)
        return None
    return path


def combine(paths, out):
    """One measurement of several."""
    rounds = [json.loads(path.read_text()) for path in paths]
    merged = rounds[0]
    timed = []
    if "whole" in merged:  # not of one that runs op by op only
        timed.append((merged["whole"], [other["whole"] for other in rounds]))
    for i, op in enumerate(merged["ops"]):
        timed.append((op, [other["ops"][i] for other in rounds]))
    for op, others in timed:
        medians = [other["seconds"]["median"] for other in others
                   if other.get("seconds")]
        if op.get("seconds"):
            op["seconds"]["median"] = middle_mean(medians)
    out.write_text(json.dumps(merged))
    return merged


def report_of(tools, model, device, measured, flags):
    done = run([tools + "/rl-opt", str(model), "--roofline-report",
                "--report-format=json", f"--device={device}",
                f"--measured={measured}", *flags])
    if done.returncode != 0:
        print(f"{model.name}: {done.stderr.strip()}", file=sys.stderr)
        return None
    return json.loads(done.stdout)


# The clock counts in tens of nanoseconds.
LEAST = 100e-9


def compare(measured, report):
    """(predicted, measured, row) of the ops that the clock resolves."""
    pairs = []
    for op in measured["ops"]:
        if op.get("index") is None:
            continue
        row = report["ops"][op["index"]]
        if row["seconds"] and op["seconds"]["median"] >= LEAST:
            pairs.append((row["seconds"], op["seconds"]["median"], row))
    return pairs


def line(name, pairs, whole=None, predicted=None):
    errors = [abs(p - m) / m for p, m, _ in pairs]
    rho = correlation(ranks([p for p, _, _ in pairs]),
                      ranks([m for _, m, _ in pairs]))
    total = predicted or sum(p for p, _, _ in pairs)
    took = whole or sum(m for _, m, _ in pairs)
    print(f"{name:32} {len(pairs):5} {quantile(errors, 0.5):7.1%} "
          f"{quantile(errors, 0.9):7.1%} {rho:7.3f} {total / took - 1:+7.1%}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", default="build/release/bin")
    parser.add_argument("--device", required=True)
    parser.add_argument("--keep", type=pathlib.Path,
                        help="a folder for what was measured")
    parser.add_argument("--threads", type=int, default=1,
                        help="that share a kernel (default 1)")
    parser.add_argument("--rounds", type=int, default=5,
                        help="measurements of each model, in turn (default 5): "
                        "shared caches change from second to second")
    parser.add_argument("--worst", type=int, default=0,
                        help="also print the kernels that are farthest off")
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    if args.rounds < 1:
        parser.error("--rounds: at least 1")
    stems = [model.stem for model in args.models]
    if twice := {stem for stem in stems if stems.count(stem) > 1}:
        parser.error(f"two models are called {', '.join(sorted(twice))}: "
                     "what is measured is kept by name")
    with tempfile.TemporaryDirectory() as folder:
        keep = args.keep or pathlib.Path(folder)
        keep.mkdir(exist_ok=True)
        flags = {model: flags_of(model) + ([f"--threads={args.threads}"]
                                           if args.threads > 1 else [])
                 for model in args.models}
        paths = {model: [] for model in args.models}
        for number in range(args.rounds):
            for model in args.models:
                if len(paths[model]) < number:
                    continue  # it failed before
                if path := run_round(args.tools, model, keep, number,
                                     flags[model]):
                    paths[model].append(path)
        everything = []
        print(f"{'model':32} {'ops':>5} {'median':>7} {'p90':>7} {'rank':>7} "
              f"{'whole':>7}")
        for model in args.models:
            if len(paths[model]) < args.rounds:
                continue
            merged = keep / (model.stem + ".json")
            measured = combine(paths[model], merged)
            report = report_of(args.tools, model, args.device, merged,
                               flags[model])
            if not report:
                continue
            pairs = compare(measured, report)
            if not pairs:
                print(f"{model.stem:32}     0")
                continue
            everything += pairs
            whole = measured.get("whole", {}).get("seconds", {}).get("median")
            # Rows in branches and loops are part of ops that are measured.
            predicted = sum(row["seconds"] or 0 for row in report["ops"])
            line(model.stem, pairs, whole, predicted if whole else None)
        if everything:
            line("all", everything, None)
        kinds = {}
        for predicted, took, row in everything:
            kinds.setdefault(row["op_type"], []).append(abs(predicted - took) / took)
        poor = sorted(((quantile(e, 0.5), len(e), k) for k, e in kinds.items()),
                      reverse=True)
        print("\npoor at: " + ", ".join(
            f"{kind} ({error:.0%} of {count})" for error, count, kind in poor
            if error > 0.15))
        for predicted, took, row in sorted(
                everything, key=lambda t: -abs(t[0] - t[1]))[:args.worst]:
            print(f"{took * 1e6:10.1f} us, predicted {predicted * 1e6:10.1f}: "
                  f"{row['op_type']} {row['name']} "
                  f"{[i['shape'] for i in row['inputs']]}")


if __name__ == "__main__":
    main()
