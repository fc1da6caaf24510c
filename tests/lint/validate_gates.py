#!/usr/bin/env python3
"""Validates files of gates against their JSON Schema, and that the schema and the program refuse the same.

    validate_gates.py SCHEMA PROGRAM RESULT FILE...

Every FILE must be valid, and the program must be able to read it. Each is then changed in many ways (a key too many,
one missing, a value of another type or out of range); the schema must refuse every change, and so must the program
(exit code 2). RESULT is a result file for the program to judge.

Exit 1: something was accepted or refused that should not be. Exit 77: python3-jsonschema is not installed.
"""

import copy
import json
import os
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("SKIPPED: python3-jsonschema is not installed (Debian: python3-jsonschema)")
    sys.exit(77)

# A value that is wrong wherever the key stands.
WRONG_VALUES = {
    "name": 3, "kind": "absolut", "where": [], "allow": ["skiped"], "strict": "yes", "metric": "busbw",
    "at_least": 0, "at_most": "1", "without_interval": "mean", "baseline": 7, "baseline_path": 1, "reference": None,
    "state": "prooven", "operations": [], "paths": "direct", "sizes": {}, "modes": ["strem"], "datatypes": ["flaot32"],
    "reductions": ["summ"], "placements": ["inplace"], "from": -1, "to": "1Q", "gates": [], "summary": 1,
    "allow_partial": 0,
}
REQUIRED = {"name", "kind", "metric", "baseline", "reference", "state", "gates"}


def objects(value, path=()):
    if isinstance(value, dict):
        yield path
        for key, inner in value.items():
            yield from objects(inner, path + (key,))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from objects(inner, path + (index,))


def at(value, path):
    for step in path:
        value = value[step]
    return value


def broken_copies(gates):
    """(what was changed, changed document)."""
    for path in objects(gates):
        place = "/".join(str(step) for step in path)
        changed = copy.deepcopy(gates)
        at(changed, path)["not_a_key"] = 1
        yield f"a key too many in /{place}", changed
        for key in at(gates, path):
            changed = copy.deepcopy(gates)
            at(changed, path)[key] = WRONG_VALUES[key]
            yield f"/{place}/{key} is {WRONG_VALUES[key]!r}", changed
            # The name of the whole file may be left out, that of a gate not.
            if key in REQUIRED and (path or key != "name"):
                changed = copy.deepcopy(gates)
                del at(changed, path)[key]
                yield f"no /{place}/{key}", changed


def program_code(program, result, file):
    done = subprocess.run([program, "check", result, "--gates", file], capture_output=True, text=True, timeout=60)
    if done.returncode == 2 and done.stderr.count("\n") != 1:
        print(f"{file}: the program complains in more than one line: {done.stderr}")
        return -1
    return done.returncode


def check_broken(validator, program, result, folder, what, changed):
    """Faults of one changed document."""
    file = os.path.join(folder, "changed.json")
    with open(file, "w", encoding="utf-8") as stream:
        json.dump(changed, stream)
    faults = 0
    if validator.is_valid(changed):
        print(f"the schema accepts: {what}")
        faults += 1
    code = program_code(program, result, file)
    if code != 2:
        print(f"the program ends with {code}: {what}")
        faults += 1
    return faults


def check_file(validator, program, result, folder, file):
    """(changes tried, faults)."""
    with open(file, encoding="utf-8") as stream:
        gates = json.load(stream)
    faults = 0
    for error in validator.iter_errors(gates):
        print(f"{file}: /{'/'.join(str(step) for step in error.absolute_path)}: {error.message[:300]}")
        faults += 1
    # 8: it was read and judged; which way does not matter here.
    if program_code(program, result, file) not in (0, 5, 6, 7, 8):
        print(f"{file}: the program cannot read it")
        faults += 1
    tried = 0
    for what, changed in broken_copies(gates):
        tried += 1
        faults += check_broken(validator, program, result, folder, f"{file}: {what}", changed)
    return tried, faults


def main():
    if len(sys.argv) < 5:
        print("validate_gates: right: validate_gates.py SCHEMA PROGRAM RESULT FILE...")
        return 2
    schema_file, program, result, *files = sys.argv[1:]
    with open(schema_file, encoding="utf-8") as stream:
        schema = json.load(stream)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            tried, faults = check_file(validator, program, result, folder, file)
            print(f"{file}: {tried} changes tried, {faults} faults")
            bad += faults + (tried == 0)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
