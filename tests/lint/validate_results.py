#!/usr/bin/env python3
"""Validates result files line by line against the JSON Schema of one line.

    validate_results.py SCHEMA FILE...           exit 0: every line of every file is valid
    validate_results.py --self-test SCHEMA FILE  also changes each line in ways that the schema must refuse

Exit 1: a line is invalid, or a change was accepted. Exit 2: wrong use. Exit 77: python3-jsonschema is not installed.
"""

import argparse
import copy
import json
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed (Debian: python3-jsonschema)")
    sys.exit(77)

# Objects whose keys are names: of variables, files and transports.
OPEN_OBJECTS = {"set", "must", "variables", "files", "transports"}

# Keys that files from before they were kept do not have: such files stay valid.
ADDED_LATER = {"cpu_vendor", "pcie_bytes", "rdma_bytes", "net_bytes"}


def read_json_lines(file):
    """(line number, value) of each line; raises ValueError with the line."""
    with open(file, encoding="utf-8") as stream:
        for number, line in enumerate(stream, 1):
            try:
                yield number, json.loads(line)
            except json.JSONDecodeError as error:
                raise ValueError(f"{file}:{number}: not JSON: {error}") from error


def closed_objects(value, path=()):
    """Paths of the objects in a record that may hold only the keys of the schema."""
    if isinstance(value, dict):
        if not path or path[-1] not in OPEN_OBJECTS:
            yield path
        for key, inner in value.items():
            yield from closed_objects(inner, path + (key,))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from closed_objects(inner, path + (index,))


def at(value, path):
    for step in path:
        value = value[step]
    return value


def is_inside_open(path):
    return any(step in OPEN_OBJECTS for step in path)


def broken_copies(record):
    """(what was changed, changed record): one key too many, one missing, one of another type."""
    for path in closed_objects(record):
        if is_inside_open(path):
            continue
        place = ".".join(str(step) for step in path) or "the record"
        changed = copy.deepcopy(record)
        at(changed, path)["not_a_key"] = 1
        yield f"a key too many in {place}", changed
        for key in at(record, path):
            if key not in ADDED_LATER:
                changed = copy.deepcopy(record)
                del at(changed, path)[key]
                yield f"no {key} in {place}", changed
            changed = copy.deepcopy(record)
            at(changed, path)[key] = {"of another": "type"} if key not in OPEN_OBJECTS else 1
            yield f"{key} of another type in {place}", changed


def first_fault(validator, record):
    """The error to show, or None. Asks the record's own part of the schema: the whole one only says "no part fits"."""
    if validator.is_valid(record):
        return None
    parts = validator.schema["$defs"]
    kind = record.get("record") if isinstance(record, dict) else None
    if kind in ("manifest", "measurement", "evidence", "verdict", "gate", "end"):
        part = jsonschema.Draft7Validator({**parts[kind], "$defs": parts})
        fault = jsonschema.exceptions.best_match(part.iter_errors(record))
        if fault is not None:
            return fault
    return jsonschema.exceptions.best_match(validator.iter_errors(record))


def check_file(validator, file):
    """Prints what is wrong; returns (lines, faults)."""
    lines = faults = 0
    for number, record in read_json_lines(file):
        lines += 1
        error = first_fault(validator, record)
        if error is not None:
            place = "/".join(str(step) for step in error.absolute_path)
            print(f"{file}:{number}: /{place}: {error.message[:300]}")
            faults += 1
    return lines, faults


def self_test(validator, file):
    """Every broken copy of every line must be refused; returns (tried, accepted)."""
    tried = accepted = 0
    for number, record in read_json_lines(file):
        for what, changed in broken_copies(record):
            tried += 1
            if validator.is_valid(changed):
                print(f"{file}:{number}: accepted although there is {what}")
                accepted += 1
    return tried, accepted


def main():
    parser = argparse.ArgumentParser(description="Validates result files against their schema.")
    parser.add_argument("--self-test", action="store_true", help="the schema must refuse changed lines")
    parser.add_argument("schema")
    parser.add_argument("files", nargs="+")
    words = parser.parse_args()
    try:
        with open(words.schema, encoding="utf-8") as stream:
            schema = json.load(stream)
        jsonschema.Draft7Validator.check_schema(schema)
        validator = jsonschema.Draft7Validator(schema)
        bad = 0
        for file in words.files:
            lines, faults = check_file(validator, file)
            bad += faults + (lines == 0)
            print(f"{file}: {lines} lines, {faults} not valid")
            if words.self_test:
                tried, accepted = self_test(validator, file)
                bad += accepted + (tried == 0)
                print(f"{file}: {tried} changed lines, {accepted} accepted")
    except (OSError, ValueError, jsonschema.SchemaError) as error:
        print(f"validate_results: {error}")
        return 2
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
