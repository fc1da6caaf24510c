#!/usr/bin/python3
"""Asserts what a result file says of its run; prints each assertion that does not hold, exit 1 when there is one.

The schema is another test's matter (tests/lint/validate_results.py). Here: how the run ended, which cases were
measured on which paths, and that no element was wrong.
"""

import argparse
import json
import sys


def read_records(name):
    records = []
    with open(name, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                records.append(json.loads(line))
            except ValueError as error:
                sys.exit(f"{name}:{number}: not JSON: {error}")
    return records


def check_end(records, wanted):
    ends = [record for record in records if record["record"] == "end"]
    if wanted == "none":
        return [] if not ends else [f"the file has an end record: {ends[0]}"]
    if len(ends) != 1 or records[-1] is not ends[0]:
        return [f"{len(ends)} end records, or not the last line"]
    if ends[0]["status"] != wanted:
        return [f"end says {ends[0]['status']}, wanted {wanted}"]
    return []


def check_measurement(record):
    case = f"{record['path']} {record['operation']} {record['size_bytes']} B {record['mode']}"
    if record["status"] == "skipped":
        return [] if record["reason"] else [f"{case}: skipped without a reason"]
    if record["status"] != "ok":
        return [f"{case}: status {record['status']}: {record['reason']}"]
    faults = []
    # Nothing to compare in a case of 0 bytes: it is not checked, and says so.
    if record["wrong"] != (0 if record["size_bytes"] > 0 else None):
        faults.append(f"{case}: wrong is {record['wrong']}")
    time = record["time_us"]
    if not 0 < time["low"] <= time["median"] <= time["high"]:
        faults.append(f"{case}: the interval does not hold the median: {time}")
    if not time["min"] <= time["median"] <= time["max"]:
        faults.append(f"{case}: the median is outside of min and max: {time}")
    # What all ranks move counts where an operation has several messages at the same time.
    messages = {"pair_bidirectional": 2, "message_rate": record["ranks"] // 2}.get(record["operation"], 1)
    algbw = messages * record["size_bytes"] / time["median"] / 1e3
    if abs((record["algbw_gbs"] or 0) - algbw) > 0.01 * algbw + 1e-9:
        faults.append(f"{case}: algbw {record['algbw_gbs']} GB/s, size over median is {algbw}")
    # The ranks of an interrupted case are not asked any more.
    medians = 0 if record["stopped"] == "interrupted" else record["ranks"]
    if len(record["per_rank_median_us"]) not in (medians, record["ranks"]):
        faults.append(f"{case}: {len(record['per_rank_median_us'])} medians for {record['ranks']} ranks")
    return faults


def check_set(what, wanted, measurements, key, separator=","):
    if wanted is None:
        return []
    seen = sorted({str(record[key]) for record in measurements})
    return [] if seen == sorted(wanted.split(separator)) else [f"{what} {separator.join(seen)}, wanted {wanted}"]


def check_legs(wanted, measurements):
    if wanted is None:
        return []
    path, _, names = wanted.partition(":")
    faults = []
    for record in measurements:
        legs = [leg["name"] for leg in record["legs"]]
        if legs != (names.split(",") if record["path"] == path else []):
            faults.append(f"{record['path']} {record['operation']} {record['size_bytes']} B: legs {legs}")
        if any(not leg["median_us"] > 0 for leg in record["legs"]):
            faults.append(f"{record['path']} {record['operation']}: a leg that took no time: {record['legs']}")
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--end", default="complete", help="status of the end record, or none")
    parser.add_argument("--ranks", type=int)
    parser.add_argument("--ok", type=int, help="measurements with status ok")
    parser.add_argument("--at-least-ok", type=int, default=0)
    parser.add_argument("--paths")
    parser.add_argument("--ok-paths", help="paths that have a measurement with status ok")
    parser.add_argument("--operations")
    parser.add_argument("--sizes")
    parser.add_argument("--placements")
    parser.add_argument("--groups", help="names of the groups of ranks, joined by semicolons")
    parser.add_argument("--from-to", help="ranks of the pairs, as 0>1,1>0; of measurements that have any")
    parser.add_argument("--measurements", type=int, help="measurements in all, ok or skipped")
    parser.add_argument("--batch-operations", type=int, help="timed operations of every measurement")
    parser.add_argument("--legs", help="PATH:LEG,LEG: its ok measurements have these, the others none")
    words = parser.parse_args()

    records = read_records(words.file)
    faults = check_end(records, words.end)
    if records[0]["record"] != "manifest" or sum(r["record"] == "manifest" for r in records) != 1:
        faults.append("the first record, and no other, is the manifest")
    measurements = [record for record in records if record["record"] == "measurement"]
    good = [record for record in measurements if record["status"] == "ok"]
    for record in measurements:
        faults += check_measurement(record)
        if words.ranks is not None and record["ranks"] != words.ranks:
            faults.append(f"{record['ranks']} ranks, wanted {words.ranks}")
        if words.batch_operations is not None and record["status"] == "ok":
            if record["time_us"]["operations"] != words.batch_operations:
                faults.append(f"{record['time_us']['operations']} operations, wanted {words.batch_operations}")
    if words.ok is not None and len(good) != words.ok:
        faults.append(f"{len(good)} measurements are ok, wanted {words.ok}")
    if len(good) < words.at_least_ok:
        faults.append(f"{len(good)} measurements are ok, wanted {words.at_least_ok} or more")
    faults += check_set("paths", words.paths, measurements, "path")
    faults += check_set("paths that are ok", words.ok_paths, good, "path")
    faults += check_set("operations", words.operations, measurements, "operation")
    faults += check_set("sizes", words.sizes, measurements, "size_bytes")
    faults += check_set("placements", words.placements, measurements, "placement")
    faults += check_legs(words.legs, good)
    if words.groups is not None:
        names = [{"group": record["group"]["name"]} for record in measurements if record["group"]]
        faults += check_set("groups", words.groups, names, "group", ";")
    if words.from_to is not None:
        pairs = [{"pair": f"{r['from']}>{r['to']}"} for r in measurements if r["from"] is not None]
        faults += check_set("pairs", words.from_to, pairs, "pair")
    if words.measurements is not None and len(measurements) != words.measurements:
        faults.append(f"{len(measurements)} measurements, wanted {words.measurements}")
    for fault in faults:
        print(f"{words.file}: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
