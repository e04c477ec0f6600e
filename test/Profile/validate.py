#!/usr/bin/env python3
"""validate.py SCHEMA FILE...

Checks JSON files against a schema that may refer to others of its folder.
"""

import json
import pathlib
import sys

import jsonschema
import referencing

path = pathlib.Path(sys.argv[1])
registry = referencing.Registry().with_resources(
    (file.name, referencing.Resource.from_contents(json.loads(file.read_text())))
    for file in path.parent.glob("*.schema.json")
)
schema = json.loads(path.read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema, registry=registry)
problems = 0
for file in sys.argv[2:]:
    for error in validator.iter_errors(json.loads(pathlib.Path(file).read_text())):
        problems += 1
        print(f"{file}: {error.json_path}: {error.message[:200]}")
print(f"{len(sys.argv) - 2} files, {problems} problems")
