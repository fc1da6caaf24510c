#!/usr/bin/env bash
# `viaduct run pairs` over four hosts made of network namespaces: names the host whose link is slow and no other, every
# time, and nobody where no link is slow.
#
#   pairs_test.sh SCENARIO BIN_FOLDER SOURCE_FOLDER
#
# VIADUCT_TEST_RUNS: how many runs of each scenario; 2 where it is not set.
#
# Hosts share the few cores of this machine, so each link is capped: what is compared then is links, not cores.

set -euo pipefail

scenario=${1:?right: pairs_test.sh SCENARIO BIN_FOLDER SOURCE_FOLDER}
bin=${2:?}
# shellcheck disable=SC2034
source_folder=${3:?}
# shellcheck source-path=SCRIPTDIR source=scenario.sh
source "$(dirname -- "$0")/scenario.sh"

# Each run takes tens of seconds: more of them where the time is there.
readonly times=${VIADUCT_TEST_RUNS:-2}
readonly hosts=(host1 host2 host3 host4)

end_scenario() {
  local code=$?
  trap - EXIT
  if [[ $code -ne 0 && $code -ne 77 ]]; then
    "$testbed/hosts-down" >/dev/null 2>&1 || true
  fi
  rm -rf -- "$work"
  exit "$code"
}
trap end_scenario EXIT

cap_every_host() {
  local host
  for host in "${hosts[@]}"; do
    "$testbed/hosts-slow" "$host" 1gbit 0 >/dev/null
  done
}

# The findings of one run, one subject a line; its text is left in $work/said.
subjects_of_a_run() {
  rm -rf -- "$out"
  # shellcheck disable=SC2154
  timeout --kill-after=10 300 "$testbed/hosts-run" mpirun "$viaduct" run pairs --engine mpi --paths tcp \
    -b 256K --time 0.3 --quiet --out "$out" >"$work/said" 2>&1 || fail "exit code $?: $(tail -n 40 "$work/said")"
  # shellcheck disable=SC2154
  "$python" - "$(result_file)" <<'PYTHON'
import json
import sys

records = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
measured = [r for r in records if r["record"] == "measurement"]
# Both directions and a latency for every two of the ranks; suspects more than once.
ranks = records[0]["ranks"]
cases = {(r["operation"], r["from"], r["to"]) for r in measured}
if len(cases) != 3 * ranks * (ranks - 1) // 2 or any(r["status"] != "ok" or r["wrong"] for r in measured):
    sys.exit(f"{len(cases)} cases of {ranks} ranks, or some are not ok")
print("\n".join(sorted({f"{r['kind']}: {r['subject']}" for r in records if r["record"] == "finding"})))
PYTHON
}

scenario_up() {
  need_namespaces
  "$testbed/hosts-up" 4 2
}

scenario_down() {
  "$testbed/hosts-down"
  rm -rf -- "$TESTBED_DIR"
}

scenario_slow_host() {
  local run slow found
  for ((run = 1; run <= times; ++run)); do
    slow=${hosts[run % 4]}
    cap_every_host
    "$testbed/hosts-slow" "$slow" 200mbit 0 >/dev/null
    found=$(subjects_of_a_run) || fail "run $run: $found"
    [[ $found == "slow host: host $slow" ]] ||
      fail "run $run: $slow is slow, found: ${found:-nobody}: $(cat "$work/said")"
  done
  cap_every_host
}

scenario_nobody() {
  local run found
  cap_every_host
  for ((run = 1; run <= times; ++run)); do
    found=$(subjects_of_a_run) || fail "run $run: $found"
    [[ -z $found ]] || fail "run $run: nothing is slow, found: $found: $(cat "$work/said")"
  done
}

declare -F "scenario_$scenario" >/dev/null || fail "no scenario '$scenario'"
[[ $scenario == up || -d $TESTBED_DIR/hosts ]] || skip "the hosts are not up"
"scenario_$scenario"
