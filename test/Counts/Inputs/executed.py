"""What a kernel executes, counted by valgrind, beside what was predicted.

  executed.py TOOL LIST REPORT --cxx=CXX --work=FOLDER

LIST is the standard output of `rl-run --emit-objects`; its last kernel (a
fusion group's, where there is one) is linked with harness.cpp and run under
TOOL. REPORT is `rl-opt --roofline-report --report-format=json` of the model.

Figures are those of one call: those of several calls less those of one, over
the difference, so that neither the start of the program nor the first touch of
its buffers counts.

  lackey      operations by the type of their result: F32 has the lanes of
              fused multiply-adds, one each, since valgrind takes these lane by
              lane; V256 has one for each other instruction on a whole register
  callgrind   floating-point operations by instruction: times executed, times
              lanes, times 2 for a fused multiply-add
  cachegrind  bytes that miss the last level, a line a miss, of loads and of
              stores, which read their line first (a write-allocate)
"""

import argparse
import collections
import json
import os
import re
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LINE_BYTES = 64

# Lanes by the suffix of an instruction and the register it works on.
ELEMENT_BITS = {"ps": 32, "ss": 32, "pd": 64, "sd": 64}
REGISTER_BITS = {"x": 128, "y": 256}
ARITHMETIC = re.compile(
    r"v(?:(?P<fused>fn?m(?:add|sub)\d+)|add|sub|mul|div|sqrt|max|min|cmp[a-z]+?)"
    r"(?P<kind>[ps][sd])$"
)


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", choices=sorted(TOOLS))
    parser.add_argument("list")
    parser.add_argument("report")
    parser.add_argument("--cxx", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--calls", type=int, default=10,
                        help="that are averaged (default 10)")
    parser.add_argument("--option", action="append", default=[],
                        help="of the tool (repeatable)")
    return parser.parse_args()


def run(*command):
    """Standard output and error of a command, which has to succeed."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{shlex.join(command)}:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def link(arguments):
    """The harness with the last kernel of the list, and its buffers' sizes."""
    with open(arguments.list) as lines:
        path, _, *sizes = lines.readlines()[-1].split()
    program = os.path.join(arguments.work, "harness")
    # All in one file at fixed addresses, without debug information, which older
    # valgrinds can't read. The harness itself has no vector instructions.
    run(arguments.cxx, "-O1", "-fno-vectorize", "-static", "-no-pie",
        "-Wl,--strip-debug", os.path.join(HERE, "harness.cpp"), path, "-lm",
        "-o", program)
    return program, sizes


def valgrind(tool, options, program, calls, sizes):
    return run("valgrind", f"--tool={tool}", *options, program, str(calls),
               *sizes)


def count_lackey(arguments, program, sizes, calls):
    text = valgrind("lackey", ["--detailed-counts=yes", *arguments.option],
                    program, calls, sizes)
    counts = {}
    for kind in ("F32", "F64", "V128", "V256"):
        found = re.search(rf"\s{kind}\s+[\d,]+\s+[\d,]+\s+([\d,]+)", text)
        counts[kind] = int(found.group(1).replace(",", ""))
    return counts


def instructions(program):
    """Address to mnemonic and operands."""
    text = run("llvm-objdump", "-d", "--no-show-raw-insn", program)
    found = re.findall(r"^\s*([0-9a-f]+):\s+(\S+)[ \t]*(.*)$", text, re.M)
    return {int(address, 16): (name, rest) for address, name, rest in found}


def executions(path):
    """Address to how often, from a file that callgrind wrote."""
    counts = collections.Counter()
    of_callee = False
    with open(path) as lines:
        for line in lines:
            if line.startswith("calls="):
                of_callee = True  # the next line is the callee's sum
            elif line.startswith("0x"):
                if not of_callee:
                    address, _, count = line.split()[:3]
                    counts[int(address, 16)] += int(count)
                of_callee = False
    return counts


def operations(name, operands):
    """Floating-point operations of one execution."""
    match = ARITHMETIC.match(name)
    if not match:
        return 0
    element = ELEMENT_BITS[match["kind"]]
    register = re.findall(r"%([xyz])mm", operands)[-1]
    lanes = 1 if match["kind"][0] == "s" else REGISTER_BITS[register] // element
    return lanes * (2 if match["fused"] else 1)


def count_callgrind(arguments, program, sizes, calls):
    out = os.path.join(arguments.work, "callgrind.out")
    valgrind("callgrind", ["--dump-instr=yes", "--compress-pos=no",
                           f"--callgrind-out-file={out}", *arguments.option],
             program, calls, sizes)
    code = instructions(program)
    counts = collections.Counter()
    for address, times in executions(out).items():
        name, operands = code.get(address, ("", ""))
        if work := operations(name, operands):
            counts[name] += times * work
    return counts


def count_cachegrind(arguments, program, sizes, calls):
    text = valgrind("cachegrind", ["--cachegrind-out-file=/dev/null",
                                   "--cache-sim=yes", *arguments.option],
                    program, calls, sizes)
    number = r"([\d,]+)"
    pattern = rf"LLd misses:\s+{number}\s*\(\s*{number} rd\s*\+\s*{number} wr"
    _, loads, stores = re.search(pattern, text).groups()
    return {"loads": int(loads.replace(",", "")) * LINE_BYTES,
            "stores": int(stores.replace(",", "")) * LINE_BYTES}


TOOLS = {"lackey": count_lackey, "callgrind": count_callgrind,
         "cachegrind": count_cachegrind}


def count_one_call(arguments, program, sizes):
    """Name to count, without those that are 0."""
    few, many = (TOOLS[arguments.tool](arguments, program, sizes, calls)
                 for calls in (1, 1 + arguments.calls))
    counts = {}
    for name in sorted(many):
        count = (many[name] - few.get(name, 0)) / arguments.calls
        if count:
            counts[name] = int(count) if count.is_integer() else count
    return counts


def main():
    arguments = parse_arguments()
    os.makedirs(arguments.work, exist_ok=True)
    program, sizes = link(arguments)
    counts = count_one_call(arguments, program, sizes)
    for name, count in counts.items():
        print(f"{name}: {count}")
    with open(arguments.report) as report:
        totals = json.load(report)["totals"]
    if arguments.tool == "cachegrind":
        print(f"predicted read: {totals['bytes_read']}")
        print(f"predicted written: {totals['bytes_written']}")
        predicted = totals["bytes_read"] + totals["bytes_written"]
        found = sum(counts.values())
        print(f"simulated / predicted: {found / predicted:.3f}")
        sys.exit(abs(found / predicted - 1) > 0.1)
    if arguments.tool == "callgrind":
        print(f"executed: {sum(counts.values())}")
    print(f"predicted: {totals['flops']}")


if __name__ == "__main__":
    main()
