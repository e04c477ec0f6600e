"""Checks the device file of a calibration with one thread: every figure is
there once, measured, above 0 and below what any core reaches."""

import json
import os
import sys

KINDS = {"read", "write", "copy", "triad"}
DRAM_KINDS = (
    KINDS
    | {f"{kind} (streaming)" for kind in KINDS - {"read"}}
    | {f"{kind} (small pages)" for kind in KINDS}
)


def check_figure(figure, measured):
    assert figure["origin"] == "measured", figure
    assert figure["source"].startswith("rl-run calibrate: "), figure
    values = [item["value"] for item in measured if item["unit"] == figure["unit"]]
    assert figure["value"] in values, (figure, measured)
    for item in measured:
        assert item["threads"] == 1, item
        assert item["value"] > 0 and item["spread"] >= 0, item
    kinds = [item["kind"] for item in measured]
    assert len(kinds) == len(set(kinds)), kinds


def main():
    with open(sys.argv[1]) as file:
        device = json.load(file)
    assert device["kind"] == "cpu", device["kind"]

    types = [(c["class"], c["type"]) for c in device["compute"]]
    assert len(types) == len(set(types)), types
    for expected in (
        [("matmul", t) for t in ("f32", "f64")]
        + [("vector", t) for t in ("f32", "f64", "i8", "i16", "i32", "i64")]
        + [("special", t) for t in ("f32", "f64")]
    ):
        assert expected in types, expected
    for ceiling in device["compute"]:
        check_figure(ceiling, ceiling["measured"])
        if ceiling["class"] == "special":
            kinds = {item["kind"] for item in ceiling["measured"]}
            assert kinds == {"exp", "div", "sqrt", "tanh"}, kinds

    levels = [level["level"] for level in device["memory"]]
    assert levels[0] == "dram" and levels[1:] == sorted(levels[1:], reverse=True), levels
    for level in device["memory"]:
        check_figure(level["bandwidth"], level["measured"])
        kinds = {item["kind"] for item in level["measured"]}
        assert kinds == (DRAM_KINDS if level["level"] == "dram" else KINDS), kinds
        units = {"MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12}
        bandwidth = level["bandwidth"]["value"] * units[level["bandwidth"]["unit"]]
        assert 1e7 < bandwidth < 1e13, bandwidth

    check_figure(device["launch"], device["launch"]["measured"])
    environment = device["environment"]
    for key in ("cpu", "architecture", "cores", "kernel", "compiler", "time"):
        assert environment[key], key
    # A container need not show the system's caches.
    if os.path.isdir("/sys/devices/system/cpu/cpu0/cache"):
        assert environment["caches"], "caches"
    assert not {"host", "hostname", "user"} & environment.keys()


main()
