#!/usr/bin/env python3
"""check-expected.py EXPECTED.json FILE MODEL.onnx REPORT.json

Whether each of the FILE's nodes joined the row that EXPECTED.json says, by the
rule and with the rows that it covers. "#12" there is the model's node 12, which
has no name.
"""

import json
import sys

import onnx

expected, file, model, report = sys.argv[1:]
nodes = json.load(open(expected))[file]["answer"]["nodes"]
graph = onnx.load(model, load_external_data=False).graph
report = json.load(open(report))
events = {event["name"]: event for event in report["measured"]["events"]}


def row_name(node):
    if node.startswith("#"):
        return graph.node[int(node[1:])].output[0]
    return node


for name, answer in nodes.items():
    event, join = events[name], answer["join"]
    assert event["join"] == join["rule"], (name, event["join"], join)
    assert event["count"] == answer["count"], (name, event["count"])
    assert abs(event["median_seconds"] - answer["median_us"] * 1e-6) < 1e-12
    assert abs(event["total_seconds"] - answer["total_us"] * 1e-6) < 1e-12
    if "node" in join:
        assert report["ops"][event["op"]]["name"] == row_name(join["node"]), name
    else:
        assert event["op"] is None and event["ops"] == [], name
    if "covers" in join:
        covered = [report["ops"][index]["name"] for index in event["ops"]]
        assert covered == join["covers"], (name, covered)
print(f"{len(nodes)} nodes joined as expected")
