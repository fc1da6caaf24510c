#!/usr/bin/env bash
# What `viaduct report` writes in each format and what `viaduct check` says, read by other programs' parsers.
#
#   reports_test.sh SCENARIO VIADUCT SOURCES

set -euo pipefail

scenario=$1
viaduct=$2
sources=$3

folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
cd -- "$folder"

command -v python3 >/dev/null || { echo "SKIPPED: python3 is not installed"; exit 77; }

fail() {
  echo "failed: $*"
  exit 1
}

make() {
  python3 "$sources/tests/html/make_result.py" "$1" "$1.jsonl"
}

# expect CODE COMMAND...: its output lies in out and err.
expect() {
  local want=$1 code=0
  shift
  timeout 60 "$@" >out 2>err </dev/null || code=$?
  [[ $code -eq $want ]] || { cat out err; fail "'$*' ended with $code, wanted $want"; }
}

says() {
  grep -qE -- "$1" out || { cat out err; fail "no line of the output matches: $1"; }
}

complains() {
  [[ $(wc -l <err) -eq 1 ]] || { cat err; fail "not one line of complaint"; }
  grep -qE -- "$1" err || { cat err; fail "the complaint does not match: $1"; }
}

csv() {
  make paths
  expect 0 "$viaduct" report paths.jsonl paths.jsonl --format csv -o report.csv
  python3 - paths.jsonl report.csv <<'PYTHON'
import csv, json, sys
measured = [r for r in map(json.loads, open(sys.argv[1], encoding="utf-8")) if r["record"] == "measurement"]
with open(sys.argv[2], newline="", encoding="utf-8") as stream:
    rows = list(csv.DictReader(stream, strict=True))
assert len(rows) == 2 * len(measured), (len(rows), len(measured))
for row, record in zip(rows, measured + measured):
    assert None not in row and None not in row.values(), row
    assert row["path"] == record["path"] and int(row["size_bytes"]) == record["size_bytes"]
    assert row["status"] == record["status"] and row["reason"] == (record["reason"] or "")
    if record["time_us"]:
        assert float(row["time_median_us"]) == record["time_us"]["median"]
        assert float(row["busbw_gbs"]) == record["busbw_gbs"]
PYTHON
}

junit() {
  make paths
  expect 0 "$viaduct" report paths.jsonl --format junit -o report.xml
  expect 7 "$viaduct" check paths.jsonl --gates sound --junit gates.xml
  python3 - report.xml gates.xml <<'PYTHON'
import sys, xml.etree.ElementTree as xml
suite = xml.parse(sys.argv[1]).getroot().find("testsuite")
cases = suite.findall("testcase")
assert len(cases) == int(suite.get("tests")), len(cases)
for kind, attribute in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
    assert len(suite.findall(f"testcase/{kind}")) == int(suite.get(attribute)) == 1, kind
assert any("<script>" in case.get("classname") for case in cases)
gates = xml.parse(sys.argv[2]).getroot().find("testsuite")
assert [case.get("name") for case in gates.findall("testcase")] == [
    "the run came to its end", "data is right", "no path is contradicted"]
assert len(gates.findall("testcase/failure")) == 2
PYTHON
}

partial() {
  make partial
  for format in text csv markdown nccl-tests junit; do
    expect 0 "$viaduct" report partial.jsonl --format "$format"
    says "partial"
  done
  expect 8 "$viaduct" check partial.jsonl --gates sound
  says "failed +the run came to its end +partial: the file has no end"
}

check() {
  make paths
  cp -- "$sources/tests/fixtures/gates/every_kind.json" gates.json
  expect 0 "$viaduct" check paths.jsonl --gates gates.json
  says "^7 gates: 7 passed$"
  sed -i 's/"at_least": 250/"at_least": 350/' gates.json
  expect 8 "$viaduct" check paths.jsonl --gates gates.json
  says "^  failed +absolute +2 of 2 rows failed, worst: all_reduce 16M .* at least 350"
  says "failing: absolute$"
  expect 8 "$viaduct" check paths.jsonl --gates gates.json --json
  python3 - out <<'PYTHON'
import json, sys
document = json.load(open(sys.argv[1], encoding="utf-8"))
assert document["exit_code"] == 8 and document["passed"] is False
assert [v["name"] for v in document["verdicts"] if v["fails"]] == ["absolute"]
assert len(document["verdicts"]) == 7
PYTHON
}

check_words() {
  make paths
  expect 2 "$viaduct" check paths.jsonl
  complains "--gates is required"
  expect 2 "$viaduct" check paths.jsonl --gates soudn
  complains "'soudn'; did you mean 'sound'"
  expect 2 "$viaduct" check none.jsonl --gates sound
  complains "none.jsonl"
  echo '[{"name": "a", "kind": "limit", "at_leest": 1}]' >bad.json
  expect 2 "$viaduct" check paths.jsonl --gates bad.json
  complains "bad.json: /0/at_leest: unknown key 'at_leest'.*'at_least'.*allowed keys"
  echo '[{"name": "a", "kind": "baseline", "baseline": "old.jsonl", "metric": "time_us", "at_most": 1}]' >base.json
  expect 2 "$viaduct" check paths.jsonl --gates base.json
  complains "gate 'a'.*old.jsonl"
  cp paths.jsonl copy.jsonl
  expect 2 "$viaduct" check paths.jsonl --gates sound --junit paths.jsonl
  complains "--junit paths.jsonl"
  cmp paths.jsonl copy.jsonl || fail "the result was overwritten"
  expect 2 "$viaduct" report paths.jsonl --audit --format csv
  complains "--audit is text"
  expect 2 "$viaduct" report paths.jsonl --format csv -o no-folder/report.csv
  complains "-o no-folder/report.csv: no file can be written there"
  expect 2 "$viaduct" report paths.jsonl --format csv -o paths.jsonl
  complains "-o paths.jsonl"
  cmp paths.jsonl copy.jsonl || fail "the result was overwritten"
}

schema() {
  make paths
  cp -- "$sources/tests/fixtures/gates/every_kind.json" "$sources"/configs/gates/*.json .
  python3 "$sources/tests/lint/validate_results.py" "$sources/results/viaduct-result.schema.json" paths.jsonl ||
    exit $?
  exec python3 "$sources/tests/lint/validate_gates.py" "$sources/results/viaduct-gates.schema.json" "$viaduct" \
    paths.jsonl ./*.json
}

# A report of many megabytes: not a benchmark, but no step of it may grow with the square of the records.
large() {
  python3 "$sources/tests/html/make_result.py" large large.jsonl 30000000
  for format in text csv markdown nccl-tests junit html; do
    code=0
    (
      ulimit -v 700000
      timeout 30 "$viaduct" report large.jsonl --format "$format" -o out 2>err
    ) || code=$?
    [[ $code -eq 2 && $format == html ]] && grep -q "Chart.js" err && continue
    [[ $code -eq 0 ]] || { cat err; fail "$format ended with $code"; }
    [[ -s out ]] || fail "$format wrote nothing"
  done
}

case $scenario in
  csv | junit | partial | check | check_words | schema | large) "$scenario" ;;
  *) fail "no scenario '$scenario'" ;;
esac
