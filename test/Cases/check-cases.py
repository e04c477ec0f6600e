#!/usr/bin/env python3
"""Runs rl-opt on every case of a folder and compares its reports with cases.json.

usage: check-cases.py RL_OPT FOLDER [NAME...]

README.md says what a case can expect. Prints what falls short, then how many
cases hold; exits with 1 if one doesn't.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

DISASTERS = (
    "PLEASE submit a bug report",
    "Stack dump",
    "Assertion",
    "Sanitizer",
    "terminate called",
)


class Run:
    """One report, and how it went."""

    def __init__(self, rl_opt, model, dims, seconds):
        command = [rl_opt, model, "--roofline-report", "--report-format=json"]
        command += [f"--dim={name}={size}" for name, size in dims.items()]
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            start = time.monotonic()
            child = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=err
            )
            self.status, self.megabytes = self.wait(child, start + seconds)
            self.seconds = time.monotonic() - start
            self.output, self.messages = (self.text(file) for file in (out, err))

    @staticmethod
    def wait(child, deadline):
        """The exit status, None past the deadline; the memory at its peak."""
        while True:
            ended, status, usage = os.wait4(child.pid, os.WNOHANG)
            if ended:
                child.returncode = os.waitstatus_to_exitcode(status)
                return child.returncode, usage.ru_maxrss / 1024
            if time.monotonic() > deadline:
                child.kill()
                child.wait()
                return None, 0
            time.sleep(0.005)

    @staticmethod
    def text(file):
        file.seek(0)
        return file.read().decode("utf-8", "replace")

    def mentions(self, word):
        return word.lower() in (self.output + self.messages).lower()


class Report:
    """A report, and what is asked of it by name."""

    def __init__(self, text):
        def refuse(constant):
            raise ValueError(f"{constant} is no number")

        self.json = json.loads(text, parse_constant=refuse)
        self.rows = {}
        self.shapes = {}
        for row in self.json["ops"]:
            names = [output["name"] for output in row["outputs"] if output["name"]]
            if names:
                self.rows.setdefault(names[0], row)
            for output in row["outputs"]:
                self.shapes[output["name"]] = output["shape"]

    @staticmethod
    def moved(part):
        read, written = part["bytes_read"], part["bytes_written"]
        return None if None in (read, written) else read + written

    def total(self, key):
        return {
            "total_flops": self.json["totals"]["flops"],
            "total_bytes": self.moved(self.json["totals"]),
            "unique_param_bytes": self.json["model"]["parameter_bytes"],
        }[key]

    def of_op(self, field, name):
        row = self.rows.get(name)
        if row is None:
            return f"that of no row at all (there is no '{name}')"
        return self.moved(row) if field == "bytes" else row[field]

    def count(self, op_type):
        return sum(row["op_type"] == op_type for row in self.json["ops"])

    def is_complete(self):
        return self.json["totals"]["complete"]


def exact(value):
    """Integers beyond 2^53 stand as strings."""
    return int(value) if isinstance(value, str) and value.isdigit() else value


class Comparison:
    """Collects differences; a lenient one lets what isn't known pass."""

    def __init__(self, lenient):
        self.lenient = lenient
        self.problems = []

    def passes(self, got):
        return got is None and self.lenient

    def same(self, what, got, want):
        if got != exact(want) and not self.passes(got):
            self.problems.append(f"{what} is {got}, not {want}")

    def within(self, what, got, limits):
        low, high = map(exact, limits)
        inside = isinstance(got, int) and low <= got <= high
        if not inside and not self.passes(got):
            self.problems.append(f"{what} is {got}, not within {low} to {high}")

    def shape(self, name, got, want):
        def agrees(size, wanted):
            if wanted is None:
                return not isinstance(size, int)
            return size == wanted or self.passes(size)

        if (
            got is None
            or len(got) != len(want)
            or not all(agrees(size, wanted) for size, wanted in zip(got, want))
        ):
            self.problems.append(f"shape of {name} is {got}, not {want}")


def compare(report, expect, lenient):
    result = Comparison(lenient)
    for key in ("total_flops", "total_bytes", "unique_param_bytes"):
        if key in expect:
            result.same(key, report.total(key), expect[key])
        if key + "_range" in expect:
            result.within(key, report.total(key), expect[key + "_range"])
    for field in ("flops", "bytes", "bound"):
        for name, want in expect.get(field, {}).items():
            result.same(f"{field} of {name}", report.of_op(field, name), want)
        for name, limits in expect.get(field + "_range", {}).items():
            result.within(f"{field} of {name}", report.of_op(field, name), limits)
    for name, want in expect.get("shapes", {}).items():
        result.shape(name, report.shapes.get(name), want)
    for op_type, want in expect.get("op_rows", {}).items():
        result.same(f"rows of {op_type}", report.count(op_type), want)
    return result.problems


def judge_end(run, expect):
    """What is wrong with how a run ended; nothing if its report can be read."""
    if run.status is None:
        yield "didn't end in time"
        return
    if run.status < 0:
        yield f"was ended by signal {-run.status}"
    for disaster in DISASTERS:
        if disaster in run.messages:
            yield f"printed '{disaster}'"
    if run.seconds > expect.get("max_seconds", 60):
        yield f"took {run.seconds:.1f} s"
    if run.megabytes > expect.get("max_rss_mb", 4000):
        yield f"took {run.megabytes:.0f} MB"
    if expect["outcome"] == "ok" and run.status != 0:
        yield f"exit {run.status}: {run.messages.strip()[:200]}"
    if expect["outcome"] == "error" and run.status == 0:
        yield "exit 0 where an error was due"
    if run.status != 0 and not run.messages.strip():
        yield "failed without a message"


def judge_words(run, expect):
    for word in expect.get("mention_all", []):
        if not run.mentions(word):
            yield f"doesn't mention '{word}'"
    keys = ["mention_any"] + (["error_mentions_any"] if run.status else [])
    for key in keys:
        words = expect.get(key, [])
        if words and not any(map(run.mentions, words)):
            yield f"mentions none of {', '.join(words)}"


def judge(run, expect):
    problems = list(judge_end(run, expect))
    if run.status is None or run.status < 0:
        return problems
    problems += judge_words(run, expect)
    if run.status != 0:
        return problems
    try:
        report = Report(run.output)
    except ValueError as error:
        return problems + [f"standard output is no report: {error}"]
    # Where either end will do, a report may leave open what it can't know.
    lenient = expect["outcome"] == "either" and not report.is_complete()
    return problems + compare(report, expect, lenient)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    rl_opt, folder, only = sys.argv[1], sys.argv[2], sys.argv[3:]
    with open(os.path.join(folder, "cases.json"), encoding="utf-8") as file:
        cases = json.load(file)
    held = fell = 0
    for case in cases:
        if only and os.path.splitext(case["file"])[0] not in only:
            continue
        expect = case["expect"]
        run = Run(
            rl_opt,
            os.path.join(folder, case["file"]),
            case.get("dims", {}),
            2 * expect.get("max_seconds", 30),
        )
        problems = judge(run, expect)
        if problems:
            print(f"{case['file']} ({case['what']}):")
            print("".join(f"    {problem}\n" for problem in problems), end="")
        held, fell = held + (not problems), fell + bool(problems)
    print(f"{held} passed, {fell} failed")
    return 1 if fell or not held else 0


if __name__ == "__main__":
    sys.exit(main())
