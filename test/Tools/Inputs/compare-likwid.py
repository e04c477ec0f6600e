"""Compares a device file of `rl-run calibrate --threads=1` with likwid-bench.

compare-likwid.py DEVICE.json [TOLERANCE]: prints both figures side by side and
fails where they differ by more than the tolerance (0.15).

likwid-bench times by wall clock, which on a shared machine holds the time that
others ran. So it is run with N and with 3 N iterations: what it moved in
between, over the CPU time in between, is free of that and of its start. glibc
is told to ask for large pages, or for small ones, as rl-run does.
"""

import json
import os
import re
import resource
import statistics
import subprocess
import sys

RUNS = 3
SECONDS = 1.5  # of CPU time, for the shorter of two runs


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
    """What one run did (FLOP or bytes), its iterations and its CPU seconds."""
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
        found = re.search(rf"^{re.escape(label)}:\s+([\d.]+)", done.stdout, re.MULTILINE)
        if not found:
            sys.exit(f"{' '.join(command)}: {done.stdout}{done.stderr}")
        return float(found.group(1))

    flops = kernel.startswith("peakflops")
    work = number("Number of Flops" if flops else "Data volume (Byte)")
    cpu = after.ru_utime - before.ru_utime
    cpu += after.ru_stime - before.ru_stime
    return work, int(number("Iterations")), cpu


def likwid(kernel, kibibytes, pages):
    """The median of some runs, in FLOP/s or B/s of CPU time."""
    # likwid chooses iterations for a second by the wall clock.
    _, iterations, cpu = run(kernel, kibibytes, pages)
    few = max(10, int(iterations * SECONDS / cpu))
    rates = []
    for _ in range(RUNS):
        less, _, less_cpu = run(kernel, kibibytes, pages, few)
        more, _, more_cpu = run(kernel, kibibytes, pages, 3 * few)
        rates.append((more - less) / (more_cpu - less_cpu))
    return statistics.median(rates)


def size_of(level, device):
    """A working set in KiB, as docs/calibrate.md has it for one thread."""
    caches = {
        f"l{cache['level']}": cache["bytes"] // 1024
        for cache in device["environment"]["caches"]
        if cache["type"] != "Instruction"
    }
    if level == "l1":
        return caches[level] * 3 // 8
    return caches[level] // 4 if level in caches else 262144


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


def main():
    with open(sys.argv[1]) as file:
        device = json.load(file)
    tolerance = float(sys.argv[2]) if len(sys.argv) > 2 else 0.15
    failures = 0
    print(f"{'figure':26} {'rl-run':>9} {'likwid':>9} {'ratio':>6}  kernel")
    for name, ours, kernel, size, pages in pairs(device):
        theirs = likwid(kernel, size, pages)
        ratio = ours / theirs
        apart = abs(ratio - 1) > tolerance
        failures += apart
        print(
            f"{name:26} {ours / 1e9:9.2f} {theirs / 1e9:9.2f} {ratio:6.3f}"
            f"  {kernel} {size} KiB{'  <-- apart' if apart else ''}",
            flush=True,
        )
    sys.exit(f"{failures} figures differ by more than {tolerance:.0%}" if failures else 0)


if __name__ == "__main__":
    main()
