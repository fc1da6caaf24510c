# What the scenarios share: skipping with a reason, waiting, judging, and looking for what was left behind.
# Sourced by hosts_test.sh and slurm_test.sh, which set `bin` and `source_folder`.
# shellcheck shell=bash

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck disable=SC2034  # by those that source this
testbed=$here/testbed
# shellcheck disable=SC2154
viaduct=$bin/viaduct
python=/usr/bin/python3
: "${TESTBED_DIR:?the folder that holds all state}"
export TESTBED_DIR
mkdir -p -- "$TESTBED_DIR"
work=$(mktemp -d "$TESTBED_DIR/work.XXXXXX")
out=$work/out

# shellcheck source-path=SCRIPTDIR source=../cli/result_checks.sh
source "$here/../cli/result_checks.sh"

# need_programs PACKAGE COMMAND...
need_programs() {
  local package=$1 command
  shift
  for command in "$@"; do
    PATH=$PATH:/usr/sbin:/sbin command -v "$command" >/dev/null || skip "no '$command' here; install $package"
  done
}

need_namespaces() {
  [[ $(id -u) -eq 0 ]] || skip "hosts are made of namespaces, which takes root"
  need_programs iproute2 ip tc
  need_programs openmpi-bin mpirun
  unshare --net --uts --mount true 2>/dev/null || skip "this machine lets root make no namespaces"
  unshare --net ip link add type veth 2>/dev/null || skip "this machine's kernel has no veth devices"
}

# wait_for SECONDS COMMAND...: until it is true.
wait_for() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@"; do
    [[ $SECONDS -lt $deadline ]] || return 1
    sleep 0.1
  done
}

a_case_is_written() {
  grep -qs '"record":"measurement"' "$out"/*.jsonl "$out"/.blocks-*/*.jsonl
}

# check_result WORDS...: by the schema, by check_result.py, and that `viaduct report` reads it.
check_result() {
  check_records "$@"
  expect --out . -- "$viaduct" report "$(result_file)"
}

# The processes of this build; another build's tests may run at the same time.
ranks() {
  local link
  for link in /proc/[0-9]*/exe; do
    [[ $(readlink -- "$link") == "$bin"/viaduct-rank* ]] || continue
    link=${link%/exe}
    grep -qs '^State:[[:space:]]*[^ZX]' "$link/status" && echo "${link##*/}"
  done
  true
}

no_rank_runs() {
  [[ -z $(ranks) ]]
}

# start COMMAND...: in the background, its words into $work; `child` is its pid.
start() {
  "$@" >"$work/said.out" 2>"$work/said.err" </dev/null &
  child=$!
}

what_was_said() {
  tail -n 40 -- "$work/said.out" "$work/said.err"
}

wait_for_a_case() {
  wait_for 60 a_case_is_written || fail "no case after 60 s: $(what_was_said)"
}

is_gone() {
  ! kill -0 "$1" 2>/dev/null
}

# ends_with CODE SECONDS: the child of start().
ends_with() {
  local code=0
  if ! wait_for "$2" is_gone "$child"; then
    kill -KILL "$child"
    fail "still there after $2 s: $(what_was_said)"
  fi
  wait "$child" || code=$?
  [[ " $1 " == *" $code "* ]] || fail "exit code $code, wanted $1: $(what_was_said)"
}

says() {
  grep -qE -- "$1" "$work/said.out" "$work/said.err" || fail "nothing says '$1': $(what_was_said)"
}
