#!/usr/bin/env python3
"""Checks JSON reports against the schema and against themselves.

usage: validate.py SCHEMA REPORT...

What the schema can't say: indices are in order; totals are the sums of the
rows; bytes by role add up; no traffic model moves more than a looser one.
"""
import json
import sys

import jsonschema


def sums(values):
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def check_sums(report):
    totals, ops = report["totals"], report["ops"]
    if [op["index"] for op in ops] != list(range(len(ops))):
        yield "indices are out of order"
    if not totals["complete"]:
        return
    for field in ("flops", "bytes_read", "bytes_written"):
        if ops and sums(op[field] for op in ops) != totals[field]:
            yield f"totals.{field} isn't the sum of the rows"
    for cls, types in totals["flops_by_class"].items():
        for name, count in types.items():
            rows = [op["flops_by_class"].get(cls, {}).get(name) for op in ops]
            if sums(rows) != count:
                yield f"totals.flops_by_class.{cls}.{name} isn't the rows' sum"
    if sums(totals["bytes_by_role"].values()) != (
        totals["bytes_read"] + totals["bytes_written"]
    ):
        yield "bytes_by_role doesn't add up"


def check_traffic(report):
    models = report["totals"]["traffic"]
    moved = [models[name]["bytes"] for name in ("compulsory", "fused", "unfused")]
    if None not in moved and moved != sorted(moved):
        yield f"traffic isn't compulsory <= fused <= unfused: {moved}"
    interval = report["totals"]["seconds_interval"]
    if interval and interval[0] > interval[1]:
        yield "seconds_interval is the wrong way round"


def check_references(report):
    for group in report["fusion_groups"]:
        for index in group["ops"]:
            if report["ops"][index]["fusion_group"] != group["id"]:
                yield f"op {index} and group {group['id']} disagree"


def check(report):
    for rule in (check_sums, check_traffic, check_references):
        yield from rule(report)


def no_constant(text):
    raise ValueError(f"{text} is no JSON")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        validator = jsonschema.Draft202012Validator(json.load(file))
    problems = 0
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            document = json.load(file, parse_constant=no_constant)
        reports = document if isinstance(document, list) else [document]
        found = [
            f"{error.json_path}: {error.message[:200]}"
            for error in validator.iter_errors(document)
        ]
        found += [problem for report in reports for problem in check(report)]
        for problem in found:
            print(f"{path}: {problem}")
        problems += len(found)
    print(f"{len(sys.argv) - 2} reports, {problems} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
