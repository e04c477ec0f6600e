"""Compares what rl-run calibrate measures with what likwid-bench does.

compare-likwid.py [--tolerance=0.15] [--rounds=3] [--only=REGEX]: prints both
figures side by side and fails where their medians differ by more than the
tolerance.

A round is one calibration with one thread, then each figure by likwid-bench, on
the same core, with the same working set and pages: what the machine does
meanwhile, both see. A figure that is still apart after the rounds is measured
in as many again.

likwid-bench times by wall clock, which on a shared machine holds the time that
others ran. So it is run with N and with 3 N iterations: what it moved in
between, over the CPU time in between, is free of that and of its start. glibc
is told to ask for large pages, or for small ones, as rl-run does.
"""

import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile

# For the shorter of two runs: where the set is larger than caches of a core,
# setting it up takes a part of a second that isn't the same each time.
SECONDS, SECONDS_LARGE = 0.3, 1.0
LARGE = 4096  # KiB
GRANULE = 12  # KiB, that working sets are whole multiples of


def cpu_flags():
    with open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("flags"):
                return set(line.split())
    return set()


def kernels():
    """likwid's kernels of the width that rl-run chooses: figure -> name."""
    flags = cpu_flags()
    if "avx512f" in flags:
        width, fma = "avx512", "avx512_fma"
    elif "fma" in flags:
        width, fma = "avx", "avx_fma"
    else:
        width, fma = "sse", "sse"
    return {
        "fma f64": f"peakflops_{fma}",
        "fma f32": f"peakflops_sp_{fma}",
        "read": f"load_{width}",
        "write": f"store_{width}",
        "copy": f"copy_{width}",
        "triad": f"stream_{fma}",
        "write (streaming)": f"store_mem_{width}",
        "copy (streaming)": f"copy_mem_{width}",
        "triad (streaming)": f"stream_mem_{fma if fma != 'avx512_fma' else width}",
    }


def run(kernel, kibibytes, pages, iterations=None):
    """What one run did (FLOP or bytes), its CPU seconds, and the iterations
    that its loop does in a second."""
    command = ["likwid-bench", "-t", kernel, "-w", f"S0:{kibibytes}kB:1"]
    if iterations:
        command += ["-i", str(iterations)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {
        **os.environ,
        "GLIBC_TUNABLES": f"glibc.malloc.hugetlb={int(pages == 'large')}",
    }
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)

    def number(label):
        found = re.search(rf"^{re.escape(label)}:\s+([\d.e+-]+)", done.stdout, re.MULTILINE)
        if not found:
            sys.exit(f"{' '.join(command)}: {done.stdout}{done.stderr}")
        return float(found.group(1))

    flops = kernel.startswith("peakflops")
    work = number("Number of Flops" if flops else "Data volume (Byte)")
    cpu = after.ru_utime - before.ru_utime
    cpu += after.ru_stime - before.ru_stime
    return work, cpu, number("Iterations") / number("Time")


iterations_for = {}


def likwid(kernel, kibibytes, pages):
    """In FLOP/s or B/s of CPU time."""
    key = kernel, kibibytes, pages
    if key not in iterations_for:
        *_, rate = run(kernel, kibibytes, pages)
        seconds = SECONDS_LARGE if kibibytes >= LARGE else SECONDS
        iterations_for[key] = max(10, int(rate * seconds))
    few = iterations_for[key]
    less, less_cpu, _ = run(kernel, kibibytes, pages, few)
    more, more_cpu, _ = run(kernel, kibibytes, pages, 3 * few)
    return (more - less) / (more_cpu - less_cpu)


def size_of(level, device):
    """The working set in KiB, as docs/calibrate.md has it for one thread."""
    caches = {
        f"l{cache['level']}": cache["bytes"] // 1024
        for cache in device["environment"]["caches"]
        if cache["type"] != "Instruction"
    }
    if level == "dram":
        return max(256 * 1024, 4 * max(caches.values(), default=0))
    size, inside = caches[level], caches.get(f"l{int(level[1:]) - 1}", 0)
    size = min(max(size // 4, 4 * inside), size * 3 // 4) if inside else size // 2
    return size // GRANULE * GRANULE


def pairs(device):
    """(figure, ours, likwid's kernel, its working set) for each in common."""
    names = kernels()
    units = {"GFLOP/s": 1e9, "TFLOP/s": 1e12, "GB/s": 1e9, "TB/s": 1e12}
    for ceiling in device["compute"]:
        for item in ceiling.get("measured", []):
            key = f"{item['kind']} {ceiling['type']}"
            if key in names:
                yield key, item["value"] * units[item["unit"]], names[key], 12, "large"
    for level in device["memory"]:
        for item in level["measured"]:
            kind = item["kind"].removesuffix(" (small pages)")
            yield (
                f"{level['level']} {item['kind']}",
                item["value"] * units[item["unit"]],
                names[kind],
                size_of(level["level"], device),
                "large" if kind == item["kind"] else "small",
            )


def calibrated():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "host.json")
        command = ["rl-run", "calibrate", "--threads=1", "--allow-noise", "-o", path]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        with open(path) as file:
            return json.load(file)


def measure(rounds, only, found):
    """Adds to `found`: figure -> (ours, likwid's, what ran) of each round."""
    for _ in range(rounds):
        for name, ours, kernel, size, pages in pairs(calibrated()):
            if only(name):
                entry = found.setdefault(name, ([], [], f"{kernel} {size} KiB"))
                entry[0].append(ours)
                entry[1].append(likwid(kernel, size, pages))
                print(f"  {name}: {ours / 1e9:.2f} and {entry[1][-1] / 1e9:.2f}", file=sys.stderr)


def ratio(entry):
    return statistics.median(entry[0]) / statistics.median(entry[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tolerance", type=float, default=0.15)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()

    def is_apart(name):
        return abs(ratio(found[name]) - 1) > arguments.tolerance

    found = {}
    measure(arguments.rounds, re.compile(arguments.only).search, found)
    if any(map(is_apart, found)):
        apart = set(filter(is_apart, found))
        measure(arguments.rounds, apart.__contains__, found)
    print(f"{'figure':26} {'rl-run':>9} {'likwid':>9} {'ratio':>6}  kernel")
    for name, entry in found.items():
        ours, theirs = (statistics.median(entry[i]) / 1e9 for i in (0, 1))
        mark = "  <-- apart" if is_apart(name) else ""
        print(f"{name:26} {ours:9.2f} {theirs:9.2f} {ratio(entry):6.3f}  {entry[2]}{mark}")
    failures = sum(map(is_apart, found))
    if failures or not found:
        sys.exit(f"{failures} of {len(found)} figures differ by more than {arguments.tolerance:.0%}")


if __name__ == "__main__":
    main()
