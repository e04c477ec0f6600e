#!/usr/bin/env python3
"""Runs rl-opt on every model of a folder and compares with its expected.json.

usage: check-models.py RL_OPT FOLDER

Products, convolutions and recurrences must do exactly the FLOPs stated, the
parameters be those stored, and nothing be left uncovered or unbound. Prints what
falls short, then how many models hold; exits with 1 if one doesn't.
"""
import json
import os
import subprocess
import sys


def report_on(rl_opt, path, want):
    command = [rl_opt, path, "--roofline-report", "--report-format=json"]
    command += [f"--dim={name}={size}" for name, size in want["dims"].items()]
    run = subprocess.run(command + want["flags"], capture_output=True, timeout=120)
    if run.returncode:
        raise RuntimeError(f"exit {run.returncode}: {run.stderr.decode()[:300]}")
    return json.loads(run.stdout)


def differences(report, want):
    totals = report["totals"]
    found = {
        "matmul_conv_flops": sum(totals["flops_by_class"]["matmul"].values()),
        "stored_params": report["model"]["parameters"],
    }
    for key, value in found.items():
        if value != want[key]:
            yield f"{key} {value}, not {want[key]}"
    for key in ("uncovered", "unbound_dims"):
        if totals[key]:
            yield f"{key}: {totals[key]}"
    if not totals["complete"]:
        yield "totals are incomplete"


def main():
    rl_opt, folder = sys.argv[1:]
    with open(os.path.join(folder, "expected.json"), encoding="utf-8") as file:
        models = json.load(file)
    fell = 0
    for name, want in models.items():
        try:
            path = os.path.join(folder, name + ".onnx")
            problems = list(differences(report_on(rl_opt, path, want), want))
        except (RuntimeError, ValueError, subprocess.TimeoutExpired) as error:
            problems = [str(error)]
        for problem in problems:
            print(f"{name}: {problem}")
        fell += bool(problems)
    print(f"{len(models) - fell} passed, {fell} failed")
    return 1 if fell or not models else 0


if __name__ == "__main__":
    sys.exit(main())
