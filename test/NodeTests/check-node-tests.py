#!/usr/bin/env python3
"""Runs ONNX's node tests through `rl-run verify` and compares with a list.

usage: check-node-tests.py RL_RUN FOLDER NOT_RUN

The tests are those of the installed onnx package, without the forms expanded
from functions; they are written into FOLDER where they aren't yet. NOT_RUN has
the tests that don't pass, a line each: `NAME: reason`. What fails and isn't
there, what is there and passes or is no test, and too few passes are mistakes:
each is printed and makes the exit code 1.
"""
import os
import re
import shutil
import subprocess
import sys
import warnings

FEWEST_PASSES = 900
RESULT = re.compile(r"(pass|FAIL) (\w+)(?:: (.*))?")


def protos(values, infos):
    """Values as the files of a data set; what is optional and absent has none."""
    import numpy
    import onnx

    for number, (value, info) in enumerate(zip(values, infos)):
        if value is None:
            continue
        if isinstance(value, (list, tuple)):
            value = onnx.numpy_helper.from_list(value, info.name)
        elif not isinstance(value, onnx.TensorProto):
            value = onnx.numpy_helper.from_array(numpy.asarray(value), info.name)
        yield number, value.SerializeToString()


def write_case(case, folder):
    import onnx

    os.makedirs(folder)
    onnx.save(case.model, os.path.join(folder, "model.onnx"))
    graph = case.model.graph
    for i, (inputs, outputs) in enumerate(case.data_sets):
        data = os.path.join(folder, f"test_data_set_{i}")
        os.makedirs(data)
        for kind, values, infos in (
            ("input", inputs, graph.input),
            ("output", outputs, graph.output),
        ):
            for number, content in protos(values, infos):
                with open(os.path.join(data, f"{kind}_{number}.pb"), "wb") as file:
                    file.write(content)


def generate(folder):
    """Writes the tests, whole or not at all."""
    import numpy

    numpy.random.seed(0)
    warnings.simplefilter("ignore")  # casts that overflow are what tests are for
    from onnx.backend.test.case.node import collect_testcases

    parts = folder + ".part"
    shutil.rmtree(parts, ignore_errors=True)
    for case in collect_testcases(None):
        if "_expanded" not in case.name:
            write_case(case, os.path.join(parts, case.name))
    os.rename(parts, folder)


def verify(rl_run, folder):
    """What came of each test: None, or why it failed; and the last line."""
    run = subprocess.run(
        [rl_run, "verify", folder], capture_output=True, text=True, check=False
    )
    if run.returncode not in (0, 1) or not run.stdout:
        sys.exit(f"{rl_run} verify: exit {run.returncode}: {run.stderr[-2000:]}")
    *lines, counts = run.stdout.splitlines()
    found = {}
    for line in lines:
        if match := RESULT.match(line):
            found[match[2]] = match[3] if match[1] == "FAIL" else None
    return found, counts


def read_list(path):
    reasons = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, colon, reason = line.strip().partition(": ")
                if not colon:
                    sys.exit(f"{path}: '{name}' has no reason: write NAME: reason")
                reasons[name] = reason
    return reasons


def mistakes(found, reasons, path):
    name_of_list = os.path.basename(path)
    for name, error in found.items():
        if error is not None and name not in reasons:
            yield f"{name} fails: {error}"
        if error is None and name in reasons:
            yield f"{name} passes: take it off {name_of_list}"
    for name in reasons:
        if name not in found:
            yield f"{name} is no test any more: take it off {name_of_list}"
    passes = sum(error is None for error in found.values())
    if passes < FEWEST_PASSES:
        yield f"{passes} tests pass, fewer than {FEWEST_PASSES}"


def main():
    rl_run, folder, path = sys.argv[1:]
    try:
        import onnx
    except ImportError:
        sys.exit(f"{sys.executable} has no onnx: scripts/setup makes one that has")
    os.makedirs(folder, exist_ok=True)
    folder = os.path.join(folder, "onnx-" + onnx.__version__)
    if not os.path.isdir(folder):
        generate(folder)
    found, counts = verify(rl_run, folder)
    wrong = list(mistakes(found, read_list(path), path))
    for mistake in wrong:
        print(mistake)
    print(counts)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
