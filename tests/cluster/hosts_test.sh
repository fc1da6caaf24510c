#!/usr/bin/env bash
# mpirun over four hosts made of network namespaces on this machine: what a run does when a link is slow or pulled, a
# rank is killed or stopped, and a host does not answer. Each ends within its deadline and leaves nothing behind.
#
#   hosts_test.sh SCENARIO BIN_FOLDER SOURCE_FOLDER

set -euo pipefail

scenario=${1:?right: hosts_test.sh SCENARIO BIN_FOLDER SOURCE_FOLDER}
bin=${2:?}
source_folder=${3:?}
# shellcheck source-path=SCRIPTDIR source=scenario.sh
source "$(dirname -- "$0")/scenario.sh"
trap 'end_scenario' EXIT

hostfile=$TESTBED_DIR/hosts/hostfile

on_host1() {
  "$testbed/hosts-run" "$@"
}

# Links whole again, nothing running, nothing in any host's /dev/shm.
nothing_is_left() {
  local host
  for host in 1 2 3 4; do
    "$testbed/hosts-link" "host$host" up >/dev/null
    "$testbed/hosts-slow" "host$host" off >/dev/null
  done
  wait_for 60 no_rank_runs || fail "ranks are left: $(ranks)"
  wait_for 30 no_process_is_in_a_host || fail "left in a host: $(ps -o pid,comm,args -p "$(processes_in_hosts)")"
  local files
  files=$(find "$TESTBED_DIR"/hosts/shm -mindepth 2)
  [[ -z $files ]] || fail "left in shared memory: $files"
}

processes_in_hosts() {
  local host inode
  for host in host1 host2 host3 host4; do
    inode=$(stat -Lc %i "$TESTBED_DIR/hosts/ns/$host.net")
    find /proc/[0-9]*/ns/net -maxdepth 0 -lname "net:\\[$inode\\]" 2>/dev/null | cut -d/ -f3
  done | paste -sd,
}

no_process_is_in_a_host() {
  [[ -z $(processes_in_hosts) ]]
}

end_scenario() {
  local code=$?
  trap - EXIT
  if [[ $code -ne 0 && $code -ne 77 ]]; then
    # The next scenario begins with fresh hosts.
    "$testbed/hosts-down" >/dev/null 2>&1 || true
  fi
  rm -rf -- "$work"
  exit "$code"
}

# rank_on HOST: the pid of a rank there.
rank_on() {
  local pid
  for pid in $(ranks); do
    if [[ $(nsenter --uts="/proc/$pid/ns/uts" uname -n) == "$1" ]]; then
      echo "$pid"
      return
    fi
  done
  fail "no rank runs on $1"
}

long_run=(run all_reduce --engine mpi --paths tcp -b 8 -e 1M -f 2 --time 2 --out "$out")

scenario_up() {
  "$testbed/hosts-up" 4 2
}

scenario_down() {
  "$testbed/hosts-down"
  ! grep -F " $TESTBED_DIR/" /proc/mounts || fail "mounts are left"
  rm -rf -- "$TESTBED_DIR"
}

# Ranks, hosts and the job's variables are the same everywhere, and 8 ranks of 4 hosts make a right result.
scenario_all_hosts() {
  NCCL_CHECK_POINTERS=0 expect --limit 120 --out '8 ranks on 4 hosts \(host1, host2, host3, host4\)' \
    --err 'mpirun keeps variables from other hosts: -x added for .*NCCL_CHECK_POINTERS' \
    --out 'warning: ranks 0 \(host1\) and 2 \(host2\), and those of 2 more, run on one machine' -- \
    "$testbed/hosts-run" "$viaduct" launch --per-host 2 --hosts "$hostfile" -x VIADUCT_TEST=1 -- \
    run all_reduce --engine mpi --paths tcp -b 8 -e 32K -f 64 -n 10 --out "$out"
  check_result --ranks 8 --at-least-ok 3
  "$python" "$here/check_manifest.py" "$(result_file)" --hosts host1,host2,host3,host4 --ranks-per-host 2 \
    --variable NCCL_CHECK_POINTERS=0 || fail "the manifest is not as wanted"
  expect --out '^rank +host .*NUMA' --out '^ +7 +host4 ' -- "$viaduct" report --audit "$(result_file)"
}

# The variable of the launcher is wrong on one rank: MPI's word counts, and the table says so.
scenario_local_rank() {
  expect --limit 60 --out 'rank 0 on host host1 is local rank 0 by MPI, but OMPI_COMM_WORLD_LOCAL_RANK=7 says' -- \
    "$testbed/hosts-run" mpirun -n 4 env OMPI_COMM_WORLD_LOCAL_RANK=7 "$viaduct" run all_reduce --engine mpi \
    --paths tcp -b 8 -e 8 -n 10 --out "$out"
}

median_of() {
  "$python" -c 'import json, sys
print(next(r["time_us"]["median"] for r in map(json.loads, open(sys.argv[1])) if r["record"] == "measurement"))' "$1"
}

# All of an operation's bytes pass each link 1.5 times: at 2 Mbit/s 128 KiB take 0.8 s, which even a busy machine does not
# take without the limit.
scenario_slow_link() {
  local fast
  local words=(run all_reduce --engine mpi --paths tcp -b 128K -e 128K -n 3 -w 1 -c 1 --quiet --out "$out")
  expect --limit 60 -- "$testbed/hosts-run" mpirun --map-by ppr:1:node "$viaduct" "${words[@]}"
  fast=$(median_of "$(result_file)")
  rm -r -- "$out"
  "$testbed/hosts-slow" host3 2mbit
  expect --limit 90 -- "$testbed/hosts-run" mpirun --map-by ppr:1:node "$viaduct" "${words[@]}"
  awk -v fast="$fast" -v slow="$(median_of "$(result_file)")" \
    'BEGIN { printf "%.0f us, with a slow link %.0f us\n", fast, slow; exit !(slow > 400000 && slow > 2 * fast) }' ||
    fail "the slow link does not show"
}

# Where mpirun has told the lost host something, it would wait for the answer for a quarter of an hour; else its
# keep-alive notices, and mpirun ends with 205.
scenario_link_down() {
  start on_host1 "$viaduct" launch --per-host 2 --hosts "$hostfile" -- "${long_run[@]}"
  wait_for_a_case
  "$testbed/hosts-link" host3 down
  ends_with 6 100
  says 'launch 1 (was ended: its ranks on this host have ended, but mpirun has not|ended with exit code 205)'
  check_lost
  # And the same host is away from the start.
  rm -r -- "$out"
  start on_host1 "$viaduct" launch --per-host 2 --hosts "$hostfile" -- "${long_run[@]}"
  ends_with 6 60
}

# A result that says what was lost, and why.
check_lost() {
  "$python" - "$(result_file)" <<'PYTHON' || fail "the result does not say what was lost"
import json, sys
records = [json.loads(line) for line in open(sys.argv[1])]
end = records[-1]
assert end["record"] == "end" and end["status"] == "failed" and end["exit_code"] == 6, end
assert end["reason"], end
PYTHON
}

# mpirun ends the others with SIGTERM and returns 128 + 9; the file is whole as far as it goes.
scenario_rank_killed() {
  start on_host1 mpirun -n 8 "$viaduct" "${long_run[@]}"
  wait_for_a_case
  kill -KILL "$(rank_on host2)"
  ends_with 137 30
  expect --out 'all_reduce' -- "$viaduct" report "$(result_file)"
}

# Every other rank gives up at the deadline of the batch and says so.
scenario_rank_stopped() {
  start on_host1 mpirun -n 8 "$viaduct" "${long_run[@]}"
  wait_for_a_case
  kill -STOP "$(rank_on host4)"
  ends_with 6 130
  says 'viaduct: .*(no answer of path tcp within|the other ranks did not come to)'
  check_lost
}

need_namespaces
if [[ $scenario != down ]]; then
  "$testbed/hosts-up" 4 2 >/dev/null
fi
"scenario_$scenario"
if [[ $scenario != down ]]; then
  nothing_is_left
fi
