#!/usr/bin/python3
"""Compares result files of one plan under several launchers; prints what differs besides numbers and launcher fields.

What may differ: measured numbers and how operations were batched, when and how long, process ids, the launcher's
variables (which GPUs are visible too) and CPU masks, limits that a launcher hands on, and warnings about any of these.
Everything else, how many operations were timed, and the order of the records must be the same.
"""

import json
import sys

from check_manifest import in_full

MEASURED = {
    "time_us", "algbw_gbs", "busbw_gbs", "per_rank_median_us", "slowest_rank", "samples_us", "first_operation_us",
    "settled", "stopped", "thinned_by", "launches", "batch_operations", "checked_operations",
}
OF_MANIFEST = {"started_at", "lanes_open_s", "warnings"}
OF_RANK = {"pid", "launcher_cpus", "worker_cpus", "cuda_visible_devices"}
OF_HOST = {"variables", "shm_free_bytes", "memlock_bytes", "cgroup_cpus"}
OF_END = {"elapsed_s"}


def without(record, keys):
    return {key: value for key, value in record.items() if key not in keys}


def compared(record):
    """The record without what may differ. That a number is there or null is compared."""
    kind = record["record"]
    if kind == "manifest":
        record = without(record, OF_MANIFEST)
        record["rank_info"] = [without(rank, OF_RANK) for rank in in_full(record["rank_info"])]
        record["hosts"] = [without(host, OF_HOST) for host in in_full(record["hosts"])]
        return record
    if kind == "end":
        return without(record, OF_END)
    numbers = {key: record[key] is None for key in MEASURED & record.keys() if key not in ("slowest_rank", "launches")}
    operations = record["time_us"]["operations"] if record.get("time_us") else None
    return without(record, MEASURED) | {"null": numbers, "operations": operations}


def differences(name, first, other):
    if isinstance(first, dict) and isinstance(other, dict):
        found = []
        for key in sorted(first.keys() | other.keys()):
            if key not in first or key not in other:
                found.append(f"{name}.{key} is only in one")
            else:
                found += differences(f"{name}.{key}", first[key], other[key])
        return found
    if isinstance(first, list) and isinstance(other, list) and len(first) == len(other):
        found = []
        for index, pair in enumerate(zip(first, other)):
            found += differences(f"{name}[{index}]", *pair)
        return found
    return [] if first == other else [f"{name}: {first!r} and {other!r}"]


def main():
    results = []
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:
            results.append([compared(json.loads(line)) for line in file])
    if len(results) < 2 or any(len(result) < 3 for result in results):
        sys.exit(f"wanted two result files or more with measurements, got {sys.argv[1:]}")
    faults = []
    for name, result in zip(sys.argv[2:], results[1:]):
        faults += [f"{name}: {fault}" for fault in differences("record", results[0], result)]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
