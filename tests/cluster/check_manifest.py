#!/usr/bin/python3
"""Asserts what a result file says of hosts and ranks; prints each assertion that does not hold, exit 1 when there is one."""

import argparse
import json
import sys


def in_full(entries):
    """Entries that are "like" an earlier one, with all their keys (results/README.md)."""
    full = []
    for entry in entries:
        if "like" not in entry:
            full.append(entry)
            continue
        whole = json.loads(json.dumps(full[entry["like"]]))
        for key, value in entry.items():
            if isinstance(value, dict) and isinstance(whole.get(key), dict):
                for name, text in value.items():
                    if text is None:
                        whole[key].pop(name, None)
                    else:
                        whole[key][name] = text
            elif key != "like":
                whole[key] = value
        full.append(whole)
    return full


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--hosts", required=True)
    parser.add_argument("--ranks-per-host", type=int, required=True)
    parser.add_argument("--variable", action="append", default=[], help="NAME=VALUE on every host")
    words = parser.parse_args()
    with open(words.file, encoding="utf-8") as file:
        manifest = json.loads(file.readline())
    hosts = in_full(manifest["hosts"])
    ranks = in_full(manifest["rank_info"])
    faults = []
    if [host["host"] for host in hosts] != words.hosts.split(","):
        faults.append(f"hosts {[host['host'] for host in hosts]}")
    if len(hosts) > 1 and not any("like" in host for host in manifest["hosts"]):
        faults.append("hosts that are alike are not folded")
    for number, rank in enumerate(ranks):
        place = number % words.ranks_per_host
        host = words.hosts.split(",")[number // words.ranks_per_host]
        if (rank["rank"], rank["host"], rank["local_rank"]) != (number, host, place):
            faults.append(f"rank {number} is {rank['rank']} on {rank['host']}, local rank {rank['local_rank']}")
    for variable in words.variable:
        name, value = variable.split("=", 1)
        for host in hosts:
            if host["variables"].get(name) != value:
                faults.append(f"{name} is {host['variables'].get(name)} on {host['host']}")
    for fault in faults:
        print(f"{words.file}: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
