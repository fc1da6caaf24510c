#!/usr/bin/env bash
# `viaduct import -o` and `viaduct compare` on result files, with changes planted into copies of them.
#
#   compare_test.sh SCENARIO VIADUCT SOURCE_FOLDER

set -euo pipefail

scenario=${1:?right: compare_test.sh SCENARIO VIADUCT SOURCE_FOLDER}
viaduct=${2:?}
source_folder=${3:?}
here=$(cd -- "$(dirname -- "$0")" && pwd)
baselines=$source_folder/tests/fixtures/baselines
python=/usr/bin/python3
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

fail() {
  echo "FAIL: $*" >&2
  exit 1
}

expect() {
  "$here/expect.sh" "$@" || exit 1
}

# change FROM TO PROGRAM: a copy in which PROGRAM (Python) changed each measurement m and the manifest.
change() {
  "$python" - "$1" "$2" "$3" <<'PYTHON'
import json
import sys

source, target, program = sys.argv[1:]
with open(source, encoding="utf-8") as lines, open(target, "w", encoding="utf-8") as out:
    for line in lines:
        record = json.loads(line)
        m = record if record["record"] == "measurement" else {}
        manifest = record if record["record"] == "manifest" else {}
        exec(program)
        out.write(json.dumps(record) + "\n")
PYTHON
}

# A result with intervals: what one launch of ours has of each case.
make_result() {
  "$viaduct" import "$baselines/all_reduce-direct.json" --path direct -o "$work/imported.jsonl" >/dev/null
  change "$work/imported.jsonl" "$1" '
if m:
    m["time_us"].update(samples=30, low=m["time_us"]["median"] * 0.998, high=m["time_us"]["median"] * 1.002)'
}

validate() {
  local code=0
  "$python" "$source_folder/tests/lint/validate_results.py" \
    "$source_folder/results/viaduct-result.schema.json" "$1" || code=$?
  [[ $code -eq 0 || $code -eq 77 ]] || fail "$1 breaks the schema"
}

scenario_import_writes_a_result() {
  expect --err-lines 0 -- "$viaduct" import "$baselines/all_reduce-direct.json" -o "$work/a.jsonl"
  validate "$work/a.jsonl"
  expect --out 'all_reduce, float32 sum, out-of-place, stream, nccl buffers, method nccl-tests, 2 ranks' --out '7\.491' --out '2 ranks on 1 host .vm., 2 x NVIDIA H200' -- \
    "$viaduct" report "$work/a.jsonl"
  expect --out '^unclear 18$' -- "$viaduct" compare "$work/a.jsonl" "$baselines/all_reduce-p2p-disabled.json"
  expect --exit 2 --err-lines 1 --err 'not there yet' -- \
    "$viaduct" import "$baselines/all_reduce-direct.json" -o "$work/a.jsonl"
  expect --exit 2 --err-lines 1 --err 'ends in .jsonl' -- "$viaduct" import "$baselines/sym.txt" -o "$work/a.json"
  "$viaduct" import "$baselines/periter.json" -o "$work/each.jsonl" >/dev/null
  validate "$work/each.jsonl"
  ! grep -q OMPI_COMM "$work/each.jsonl" || fail "the environment of the source was copied on"
}

# What a source does not say is no number in the record, in any format.
scenario_import_invents_nothing() {
  printf '%s\n' '{"numCycle":0,"name":"AllReduce","ranks":8,"size":8388607,"type":"float","redop":"sum","inPlace":0,"time":90.0,"algBw":93.2,"busBw":163.1,"wrong":"3"}' >"$work/rccl.txt"
  expect --err-lines 1 --err 'wrong data in 1 of 1 rows' -- "$viaduct" import "$work/rccl.txt" -o "$work/a.jsonl"
  validate "$work/a.jsonl"
  grep -q '"not_known":.*"buffers".*"count"' "$work/a.jsonl" || fail "buffers and count are not listed as not known"
  expect --out '^8 ranks, hosts not known$' --out '^8388607 +- ' --out '1 wrong, .* exit code 7$' \
    --out '^all_reduce, float32 sum, out-of-place, stream, method nccl-tests, 8 ranks$' -- "$viaduct" report "$work/a.jsonl"
  expect --out '^# count is not known of every row: 0 stands for it$' -- "$viaduct" report --format nccl-tests "$work/a.jsonl"
  "$viaduct" report --format csv "$work/a.jsonl" | "$python" -c '
import csv, sys
[row] = csv.DictReader(sys.stdin)
for key in ("count", "buffers", "memory_bytes", "slots", "settled"):
    assert row[key] == "", (key, row[key])
assert row["size_bytes"] == "8388607"' || fail "the CSV has values that the source does not"
}

scenario_planted_regression() {
  make_result "$work/a.jsonl"
  change "$work/a.jsonl" "$work/b.jsonl" '
if m and m["size_bytes"] == 262144 and m["placement"] == "in-place":
    for key in ("median", "low", "high", "min", "mean", "max"):
        m["time_us"][key] *= 1.05'
  expect --err-lines 0 --out '^same 18$' -- "$viaduct" compare "$work/a.jsonl" "$work/a.jsonl"
  expect --exit 8 --err-lines 0 --out '^regression: all_reduce 256K float32 sum in-place stream: B is 5.00 % slower' \
    --out '^regression 1, same 17$' -- "$viaduct" compare "$work/a.jsonl" "$work/b.jsonl"
  expect --exit 8 --out '"exit_code": 8' -- "$viaduct" compare --json "$work/a.jsonl" "$work/b.jsonl"
  expect --out 'improvement 1' -- "$viaduct" compare "$work/b.jsonl" "$work/a.jsonl"
  expect --out '^same 17, unclear 1$|^same 18$' -- \
    "$viaduct" compare --margin 6% "$work/a.jsonl" "$work/b.jsonl"
}

scenario_paths_of_one_result() {
  make_result "$work/direct.jsonl"
  # The same measurements once more, as another path that is three times slower.
  change "$work/direct.jsonl" "$work/both.jsonl" '
if m:
    out.write(json.dumps(m) + "\n")
    m["path"] = "host-staged"
    for key in ("median", "low", "high", "min", "mean", "max"):
        m["time_us"][key] *= 3
manifest and manifest.update(lanes="together")'
  expect --exit 8 --out '^regression 18$' --out 'in turn in one launch' -- \
    "$viaduct" compare "$work/both.jsonl:direct" "$work/both.jsonl:host-staged"
  expect --out '^same 18$' -- "$viaduct" compare --path host-staged "$work/both.jsonl" "$work/both.jsonl"
  expect --exit 2 --err-lines 1 --err "no path 'socket'; its paths: direct, host-staged" -- \
    "$viaduct" compare "$work/both.jsonl:socket" "$work/both.jsonl:direct"
  expect --exit 2 --err-lines 1 --err 'several paths \(direct, host-staged\); name one' -- \
    "$viaduct" compare "$work/both.jsonl" "$work/direct.jsonl"
}

scenario_unequal_results() {
  make_result "$work/a.jsonl"
  change "$work/a.jsonl" "$work/nccl.jsonl" 'manifest and manifest.update(nccl_running=22901)'
  expect --exit 2 --err-lines 1 --out-empty --err 'nccl: 2.28.3 and 2.29.1.*--allow nccl' -- \
    "$viaduct" compare "$work/a.jsonl" "$work/nccl.jsonl"
  expect --out 'unequal, as allowed: nccl: 2.28.3 and 2.29.1' -- \
    "$viaduct" compare --allow nccl "$work/a.jsonl" "$work/nccl.jsonl"
  change "$work/a.jsonl" "$work/ranks.jsonl" 'm and m.update(ranks=4)'
  expect --exit 2 --err-lines 1 --out-empty --err 'ranks: 2 and 4' -- \
    "$viaduct" compare "$work/a.jsonl" "$work/ranks.jsonl"
  change "$work/a.jsonl" "$work/other.jsonl" 'm and m.update(buffers="plain", method="viaduct")'
  expect --exit 2 --err-lines 1 --err 'method: nccl-tests and viaduct; buffers: nccl and plain.*--allow method,buffers' -- \
    "$viaduct" compare "$work/a.jsonl" "$work/other.jsonl"
}

scenario_wrong_and_lost() {
  make_result "$work/a.jsonl"
  change "$work/a.jsonl" "$work/wrong.jsonl" '
if m and m["size_bytes"] == 8:
    m.update(status="wrong", reason="7 elements are not right to the bit", wrong=7)'
  expect --exit 7 --out '^broken: all_reduce 8 .*B has wrong data: 7 elements' -- \
    "$viaduct" compare "$work/a.jsonl" "$work/wrong.jsonl"
  change "$work/a.jsonl" "$work/lost.jsonl" '
if m and m["size_bytes"] == 8:
    m.update(status="lost", reason="rank 1 hung", time_us=None)'
  expect --exit 6 --out '^lost: all_reduce 8 .*rank 1 hung' -- "$viaduct" compare "$work/a.jsonl" "$work/lost.jsonl"
}

"scenario_$scenario"
