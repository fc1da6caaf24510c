#!/usr/bin/env python3
"""Writes a result file with made-up numbers, for tests of reports and gates. The same words give the same bytes.

    make_result.py KIND FILE [BYTES]

  paths    two paths over ten sizes, with evidence, limits, a gate, hosts that differ, one wrong, lost and skipped case,
           and names that are markup
  pairs    pair_unidirectional over 8 ranks of two hosts on two paths, one pair slow
  many     as pairs, with 80 ranks
  partial  paths, cut off in the middle of a line
  large    as many measurements as fill BYTES (default 100000000)
"""

import itertools
import json
import random
import sys

HOSTILE = "<script>document.title='taken'</script>"


def rank_info(rank, per_host):
    host = f"node{rank // per_host:02}"
    if rank == 1:
        host = f"node00{HOSTILE}"
    return {
        "rank": rank, "local_rank": rank % per_host, "host": host, "boot_id": "5d0c", "pid": 4000 + rank,
        "launcher_cpus": str(rank), "worker_cpus": "0-47", "numa_node": rank % 2, "node_cpus": "0-47",
        "nearest_nic": "mlx5_0", "peer_access": None,
        "cuda_visible_devices": "(unset)",
        "gpu": {"device": rank % per_host, "name": "NVIDIA H200", "uuid": f"GPU-{rank:04}",
                "bus_id": f"0000:{16 + rank % per_host:02x}:00.0", "memory_bytes": 150754820096},
    }


def host_info(name, driver):
    return {
        "host": name, "kernel": "Linux 6.1", "driver": driver, "memory_bytes": 1082331758592, "cpus": 96,
        "variables": {"NCCL_DEBUG": "INFO"}, "files": {}, "shm_bytes": 541165879296, "shm_free_bytes": 541165879296,
        "memlock_bytes": "unlimited", "cgroup_cpus": "0-95", "acs": None, "iommu": False, "iommu_options": "",
        "peermem": True, "dma_buf": True,
    }


def topology(hosts, gpus):
    pcie = {"generation": 4, "width": 16, "generation_max": 5, "width_max": 16}
    links = [{"link": number, "up": True, "rate_gbs": 26.562, "version": "4.0", "remote": "switch",
              "remote_bus_id": None, "p2p": True} for number in range(18)]
    return {
        "hosts": hosts,
        "gpus": [{"index": gpu, "name": "NVIDIA H200", "bus_id": f"0000:{16 + gpu:02x}:00.0", "numa_node": gpu % 2,
                  "cpus": "0-47", "pcie": pcie, "c2c": None, "nvlinks": links} for gpu in range(gpus)],
        "why_no_gpus": None,
        "nics": [{"name": "mlx5_0", "interface": "ib0", "kind": "infiniband", "bus_id": "0000:40:00.0", "up": True,
                  "rate_gbs": 50.0, "numa_node": 0, "pcie": pcie}],
        "distances": [" ".join("X" if a == b else "NV18" if b < gpus and a < gpus else "PIX"
                               for b in range(gpus + 1)) for a in range(gpus + 1)],
        "p2p_read": [" ".join("X" if a == b else "OK" for b in range(gpus)) for a in range(gpus)],
        "acs": False, "notes": [],
    }


def path_spec(name, rules):
    return {"name": name, "engine": "nccl", "summary": "A path.", "clears_path_variables": True,
            "set": {"NCCL_P2P_LEVEL": "SYS"}, "unset": [], "must": rules, "is_preset": not name.startswith("<")}


def manifest(ranks, per_host, paths):
    hosts = sorted({rank // per_host for rank in range(ranks)})
    return {
        "record": "manifest", "schema_version": 1, "viaduct_version": "0.1.0", "started_at": "2026-11-30T10:48:17Z",
        "command_line": ["viaduct", "run", "all_reduce", "-b", "8", "--out", "a folder"], "plan": "", "engine": "nccl",
        "ranks": ranks, "group": "all", "lanes": "together", "method": "viaduct", "seed": 1,
        "mpi_library": "Open MPI 4.1.6", "nccl_built": 22809, "nccl_running": 22803, "cuda_driver": 13000,
        "cuda_runtime": 13000, "lanes_open_s": 1.9,
        "paths": [path_spec(name, {"same_host": "P2P"} if name == "direct" else {}) for name in paths],
        "rank_info": [rank_info(rank, per_host) for rank in range(ranks)],
        "hosts": [host_info(f"node{host:02}", "580.65" if host == 0 else "570.12") for host in hosts],
        "topologies": [topology([f"node{host:02}" for host in hosts], per_host)],
        "warnings": ["rank 1 sees one GPU"],
    }


def case(operation, size, datatype="float32", reduction="sum", root=None, placement="out-of-place", mode="stream"):
    return {"operation": operation, "size_bytes": size, "datatype": datatype, "reduction": reduction, "root": root,
            "placement": placement, "mode": mode, "traffic": None, "window": None}


def measurement(path, the_case, time_us, ranks=2, **more):
    size = the_case["size_bytes"]
    record = {"record": "measurement", "path": path, "engine": "nccl", **the_case, "count": size // 4, "ranks": ranks,
              "group": None, "from": None, "to": None, "pair_class": None, "pair_alone": None,
              "status": "ok", "reason": None, "wrong": 0, "checked": "timed",
              "checked_operations": 400, "tolerance_ulp": 0,
              "time_us": {"median": time_us, "low": time_us * 0.97, "high": time_us * 1.04, "min": time_us * 0.95,
                          "mean": time_us * 1.001, "p95": None, "p99": None, "max": time_us * 1.1, "cv": 0.0123,
                          "samples": 18, "operations": 7200},
              "algbw_gbs": size / time_us * 1e-3, "busbw_gbs": size / time_us * 1e-3,
              "messages_per_s": None, "one_way_ratio": None,
              "per_rank_median_us": [time_us] * min(ranks, 8), "slowest_rank": None, "launches": None,
              "samples_us": None, "method": "viaduct", "stopped": "interval", "settled": True,
              "batch_operations": 400, "replays": 1, "slots": 64, "memory_bytes": 67108864, "thinned_by": 1,
              "lanes": "together", "buffers": "plain", "offset_bytes": 0, "allocator": "cudaMalloc",
              "registration": "none", "first_operation_us": 1234.5,
              "evidence": {"state": "proven", "by": "both", "reason": "P2P/CUMEM on 2 of 2 pairs",
                           "transports": {"P2P/CUMEM": 2}, "counted": None},
              "algorithm": {"algorithm": "RING", "protocol": "LL" if size < 65536 else "SIMPLE", "channels": 24},
              "health": None, "limit_gbs": None, "limit_formula": None, "legs": []}
    record.update(more)
    return record


def without_numbers(record, status, reason):
    record.update({"status": status, "reason": reason, "time_us": None, "algbw_gbs": None, "busbw_gbs": None,
                   "wrong": None, "checked": "none", "checked_operations": 0, "per_rank_median_us": [],
                   "stopped": None, "evidence": None, "algorithm": None})
    return record


def verdict(path, reference, the_case, ratio, word, ranks=2):
    return {"record": "verdict", "reference": reference, "path": path, "engine": "nccl", **the_case, "ranks": ranks,
            "group": None, "from": None, "to": None, "method": "viaduct",
            "ratio": {"median": ratio, "low": ratio * 0.98, "high": ratio * 1.02, "rounds": 18}, "verdict": word,
            "reason": None}


def evidence(path, ranks, transport, state):
    pairs = [{"from": a, "to": b, "transports": [transport(a, b)], "channels": 24, "state": state, "reason": None}
             for a, b in itertools.permutations(range(ranks), 2)]
    return {"record": "evidence", "path": path, "state": state, "pairs_state": state,
            "reason": "as the path says" if state == "proven" else None, "pairs": pairs, "pair_classes": [],
            "pairs_left_out": 0, "variable_notes": [], "variables": {"NCCL_P2P_LEVEL": "SYS"}, "warnings": [],
            "lines_read": 400, "lines_torn": 0}


def end(records, exit_code):
    measured = [record for record in records if record["record"] == "measurement"]
    count = {status: sum(record["status"] == status for record in measured) for status in ("skipped", "lost", "wrong")}
    return {"record": "end", "status": "complete", "exit_code": exit_code, "reason": None, "elapsed_s": 12.25,
            "measurements": len(measured), **count}


def paths_records():
    names = ["direct", "host-staged", HOSTILE]
    records = [manifest(2, 1, names)]
    for size in [0] + [8 << (3 * step) for step in range(9)]:
        the_case = case("all_reduce", size)
        direct = 10 + size / 330e3
        staged = 9 + size / 27e3
        limit = {"limit_gbs": 478.1, "limit_formula": "GPU0: 18 links x 26.562 GB/s"}
        records.append(measurement("direct", the_case, direct, **limit))
        records.append(measurement("host-staged", the_case, staged, **limit))
        records.append(verdict("host-staged", "direct", the_case, staged / direct,
                               "slower" if staged > 1.03 * direct else "faster"))
        if size == 0:
            continue
        records.append(measurement(HOSTILE, the_case, direct * 1.5))
    lost = without_numbers(measurement("host-staged", case("all_gather", 1024, reduction=None), 1), "lost",
                           "rank 1 on node00: signal 6 (Aborted)")
    skipped = without_numbers(measurement(HOSTILE, case("all_gather", 1024, reduction=None), 1), "skipped",
                              "NCCL has no network plugin here")
    wrong = measurement("direct", case("all_gather", 1024, reduction=None), 11.5, status="wrong", wrong=17,
                        reason="17 of 2048 elements differ", health="rank 1: throttled: power")
    records += [wrong, lost, skipped]
    records.append(evidence("direct", 2, lambda a, b: "P2P/CUMEM", "proven"))
    records.append(evidence("host-staged", 2, lambda a, b: "SHM/direct", "proven"))
    records.append({"record": "gate", "name": "fast enough", "kind": "absolute", "state": "passed", "fails": False,
                    "reason": "busbw_gbs 300 [290, 310], at least 280", "rows": 3, "rows_failed": 0,
                    "rows_unclear": 0, "rows_skipped": 0})
    return records + [end(records, 7)]


def pairs_records(ranks, per_host):
    chance = random.Random(7)
    names = ["direct", "host-staged"]
    records = [manifest(ranks, per_host, names)]
    for (a, b), name in itertools.product(itertools.permutations(range(ranks), 2), names):
        inside = a // per_host == b // per_host
        time_us = (3 if inside else 20) * (1 if name == "direct" else 2) * (1 + 0.01 * chance.random())
        if (a, b) == (2, 1) and name == "direct":
            time_us *= 3
        records.append(measurement(name, case("pair_unidirectional", 1 << 20, reduction=None), time_us, ranks,
                                   **{"from": a, "to": b}))
    for name in names:
        records.append(evidence(name, ranks,
                                lambda a, b: "P2P/CUMEM" if a // per_host == b // per_host else "NET/IB/0", "proven"))
    return records + [end(records, 0)]


def large_records(most_bytes):
    chance = random.Random(7)
    names = ["direct", "host-staged"]
    written = 0
    yield manifest(8, 8, names)
    measured = 0
    for run in itertools.count():
        for operation, datatype, step in itertools.product(
                ("all_reduce", "all_gather", "reduce_scatter", "alltoall", "broadcast"),
                ("int8", "int32", "float16", "bfloat16", "float32", "float64"), range(10)):
            the_case = case(operation, 8 << (3 * step), datatype, "sum" if "reduce" in operation else None,
                            run if operation == "broadcast" else None)
            the_case["traffic"] = f"run {run}"
            time_us = (10 + the_case["size_bytes"] / 250e3) * (1 + 0.02 * chance.random())
            records = [measurement("direct", the_case, time_us, 8), measurement("host-staged", the_case, 3 * time_us, 8),
                       verdict("host-staged", "direct", the_case, 3.0, "slower", 8)]
            for record in records:
                written += len(json.dumps(record, separators=(",", ":"))) + 1
                measured += record["record"] == "measurement"
                yield record
            if written >= most_bytes:
                yield {"record": "end", "status": "complete", "exit_code": 0, "reason": None, "elapsed_s": 100.0,
                       "measurements": measured, "skipped": 0, "lost": 0, "wrong": 0}
                return


def main():
    if len(sys.argv) not in (3, 4):
        print(__doc__)
        return 2
    kind, file = sys.argv[1:3]
    size = int(sys.argv[3]) if len(sys.argv) == 4 else 100000000
    makers = {"paths": paths_records, "partial": paths_records, "pairs": lambda: pairs_records(8, 4),
              "many": lambda: pairs_records(80, 8), "large": lambda: large_records(size)}
    if kind not in makers:
        print(f"make_result: no kind '{kind}'; known: {', '.join(makers)}")
        return 2
    with open(file, "w", encoding="utf-8") as stream:
        for record in makers[kind]():
            stream.write(json.dumps(record, separators=(",", ":")) + "\n")
        if kind == "partial":
            stream.seek(0, 2)
            stream.truncate(stream.tell() * 2 // 3)
    return 0


if __name__ == "__main__":
    sys.exit(main())
