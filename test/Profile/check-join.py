#!/usr/bin/env python3
"""check-join.py REPORT.json LEAST-SHARE [RULE...]

Whether a report's measurement joined: at least this share of the time of the
model's nodes (without what the runtime put in) is claimed by rows, no event is
left unmatched, and only RULEs joined, if given. Whatever a row shows must be
what its event measured.
"""

import json
import sys

report = json.load(open(sys.argv[1]))
measured = report["measured"]
least, rules = float(sys.argv[2]), set(sys.argv[3:])

assert measured["events_unmatched"] == 0, measured["events_unmatched"]
of_nodes = measured["total_seconds"] - measured["made_seconds"]
assert measured["claimed_seconds"] >= least * of_nodes, measured["claimed_seconds"]
parts = [measured[part + "_seconds"] for part in ("claimed", "made", "unmatched")]
assert abs(sum(parts) - measured["total_seconds"]) < 1e-9, parts

groups = {group["id"]: group for group in measured["groups"]}
events = {event["name"]: event for event in measured["events"]}
for event in measured["events"]:
    assert not rules or event["join"] in rules, event
    for index in event["ops"] + event["inferred_ops"]:
        row = report["ops"][index]["measured"]
        assert row["event"] == event["name"] and row["join"] == event["join"]
        if event["group"] is None:
            assert row["covered_by"] is None and row["seconds"] > 0, row
        else:
            assert row["covered_by"] == event["group"], row
            assert row["seconds"] is None, "a group's time is never split"
            assert index in groups[event["group"]]["ops"]
held = sum(row["measured"] is not None for row in report["ops"])
assert held == measured["rows_measured"], (held, measured["rows_measured"])
print(
    f"{measured['events_joined']} events of {len(events)} joined to {held} of "
    f"{len(report['ops'])} rows, {measured['claimed_share']:.4f} of the time"
)
