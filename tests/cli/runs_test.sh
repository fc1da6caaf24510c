#!/usr/bin/env bash
# Runs of the mpi engine on this host, judged by exit code, words and result file.
#
#   runs_test.sh SCENARIO BIN_FOLDER SOURCE_FOLDER

set -euo pipefail

scenario=${1:?right: runs_test.sh SCENARIO BIN_FOLDER SOURCE_FOLDER}
viaduct=${2:?}/viaduct
source_folder=${3:?}
here=$(cd -- "$(dirname -- "$0")" && pwd)
python=/usr/bin/python3
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
out=$work/out

# For plain mpirun: containers run as root, and have fewer cores than ranks.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe  # Open MPI 4 and 5

# shellcheck source-path=SCRIPTDIR source=result_checks.sh
source "$here/result_checks.sh"

# check_result WORDS...: by the schema, by check_result.py, and that `viaduct report` reads it.
check_result() {
  check_records "$@"
  expect --out . -- "$viaduct" report "$(result_file)"
  local left
  left=$(find "$out" -mindepth 1 ! -name '*.jsonl')
  [[ -z $left ]] || fail "left behind: $left"
}

scenario_launch_two_ranks() {
  expect --limit 90 --out 'all_reduce' --out "result: .*\.jsonl" -- \
    "$viaduct" launch -n 2 -- run all_reduce --engine mpi -b 8 -e 8 -n 10 --out "$out"
  check_result --end complete --ranks 2 --operations all_reduce --sizes 8 --at-least-ok 2
  local file
  file=$(result_file)
  expect --exit 2 --out-empty --err-lines 1 --err '^viaduct: -o .*none/table.txt: no file .*: No such file' -- \
    "$viaduct" report "$file" -o "$work/none/table.txt"
  expect --exit 2 --out-empty --err-lines 1 --err '^viaduct: -o .*: no file .*: Is a directory' -- \
    "$viaduct" report "$file" -o "$out"
  [[ ! -e $out.part ]] || fail "left behind: $out.part"
}

scenario_launch_is_auto() {
  # No GPU is visible: the engine need not be named.
  CUDA_VISIBLE_DEVICES='' expect --limit 90 --out 'all_reduce' -- \
    "$viaduct" launch -n 2 -- run all_reduce --paths tcp -b 8 -e 8 -n 10 --out "$out"
  check_result --end complete --ranks 2 --paths tcp --at-least-ok 1
}

scenario_every_operation() {
  expect --limit 100 --out 'sendrecv' -- "$viaduct" launch -n 4 -- run all_reduce all_gather sendrecv --engine mpi \
    --paths double-copy,tcp -b 0 -e 64K -f 64 -d int32 -n 10 --out "$out"
  check_result --end complete --ranks 4 --paths double-copy,tcp --ok-paths double-copy,tcp \
    --operations all_gather,all_reduce,sendrecv
}

scenario_plain_mpirun() {
  expect --limit 90 --out 'all_reduce' -- mpirun -n 2 "$viaduct" run all_reduce --engine mpi --paths tcp -b 8 -e 128 \
    -f 4 -n 10 --out "$out"
  check_result --end complete --ranks 2 --paths tcp --operations all_reduce --sizes 8,32,128 --batch-operations 10
}

# Gates of a file, of a plan beside it and in it, by mpirun and by viaduct launch: exit 8 where one fails.
scenario_gates() {
  mkdir -p -- "$work/plans"
  cat >"$work/plans/gates.json" <<'JSON'
[{"name": "quick", "kind": "absolute", "metric": "time_us", "at_most": 1e9, "without_interval": "median"},
 {"name": "right", "kind": "wrong"},
 {"name": "impossible", "kind": "absolute", "metric": "busbw_gbs", "at_least": 1e9, "without_interval": "median"}]
JSON
  expect --exit 8 --limit 90 --out '^  failed +impossible +.*at least 1000000000' --out '^  passed +quick ' \
    --out 'failing: impossible.*exit code 8' -- \
    mpirun -n 2 "$viaduct" run all_reduce --engine mpi --paths tcp -b 64 -n 10 --gates "$work/plans/gates.json" --out "$out"
  check_result --end complete --ranks 2
  expect --exit 8 --out 'failing: impossible' -- "$viaduct" check "$(result_file)" --gates "$work/plans/gates.json"
  expect --exit 0 -- "$viaduct" check "$(result_file)" --gates sound
  rm -rf -- "$out"
  cat >"$work/plans/plan.json" <<'JSON'
{"engine": "mpi", "paths": ["tcp"], "iterations": 10, "gates": "gates.json",
 "cases": [{"operations": ["all_reduce"], "sizes": ["64"]}]}
JSON
  expect --exit 8 --limit 90 --out '^  failed +impossible ' -- \
    "$viaduct" launch -n 2 -- run "$work/plans/plan.json" --out "$out"
  check_result --end complete --ranks 2
  rm -rf -- "$out"
  sed -i 's/"gates.json"/[{"name": "inside", "kind": "wrong"}]/' "$work/plans/plan.json"
  expect --limit 90 --out '^  passed +inside ' -- "$viaduct" launch -n 2 -- run "$work/plans/plan.json" --out "$out"
  check_result --end complete --ranks 2
}

# Gates that cannot be read are said before anything is measured.
scenario_gates_refused() {
  echo '{"engine": "mpi", "paths": ["tcp"], "gates": [{"name": "a", "kind": "wrnog"}],
    "cases": [{"operations": ["all_reduce"], "sizes": ["64"]}]}' >"$work/plan.json"
  expect --exit 2 --limit 60 --out-empty --err-once '^viaduct: .*plan.json: /gates/0/kind: .*wrnog' -- \
    mpirun -n 2 "$viaduct" run "$work/plan.json" --out "$out"
  expect --exit 2 --limit 60 --out-empty --err-once '^viaduct: .*none.json' -- \
    mpirun -n 2 "$viaduct" run all_reduce --engine mpi --paths tcp -b 8 --gates none.json --out "$out"
  expect --exit 2 --limit 60 --out-empty --err-lines 1 --err "'soudn'; did you mean 'sound'" -- \
    "$viaduct" launch -n 2 -- run all_reduce --engine mpi --paths tcp -b 8 --gates soudn --out "$out"
  [[ -z $(ls -A "$out" 2>/dev/null) ]] || fail "refused gates left $(ls -A "$out")"
}

# Two communicators of two ranks each, at the same time, each with its own records.
# Every two of three ranks, one idle in each round; then both paths joined by `viaduct launch`.
# On a busy machine some pair may stand out and be measured again.
scenario_pairs() {
  expect --limit 150 --out 'all 3 pairs measured' --out "result: .*\.jsonl" -- mpirun -n 3 "$viaduct" run pairs \
    --engine mpi --paths double-copy -b 64K --time 0.1 --quiet --out "$out"
  check_result --end complete --ranks 2 --operations pair_unidirectional,pingpong --sizes 65536,8 --at-least-ok 9 \
    --from-to '0>1,0>2,1>0,1>2,2>0,2>1'
}

# The first round is measured whatever the budget; then the text says what is missing.
scenario_pairs_budget() {
  expect --limit 120 --err-once 'the budget ended before the matrix: 1 of 3 \(33 %\) pairs measured in 1 round' \
    --out '1 of 3 pairs measured' -- mpirun -n 3 "$viaduct" run pairs --engine mpi --paths double-copy \
    --pattern pingpong --time 0.1 --budget 0.01 --out "$out"
  check_result --end complete --measurements 1 --ok 1
}

# A plan of the user's own: both directions, one pair at a time.
scenario_pairs_of_a_plan() {
  cat >"$work/plan.json" <<'PLAN'
{"pairs": {"schedule": "single"}, "window": 4, "engine": "mpi", "paths": ["double-copy"], "time_s": 0.1,
 "cases": [{"operations": ["pair_unidirectional"], "sizes": ["64K"]}]}
PLAN
  expect --limit 120 --out 'all 3 pairs measured' -- mpirun -n 3 "$viaduct" run "$work/plan.json" --out "$out"
  check_result --end complete --at-least-ok 6 --from-to '0>1,0>2,1>0,1>2,2>0,2>1'
}

scenario_launch_pairs() {
  expect --limit 180 --out 'all 1 pairs measured' -- "$viaduct" launch -n 2 -- run pairs --engine mpi \
    --paths double-copy,tcp --pattern pair_unidirectional,pair_bidirectional -b 64K --time 0.1 --out "$out"
  check_result --end complete --ranks 2 --paths double-copy,tcp --operations pair_bidirectional,pair_unidirectional --ok 6
}

# Two ranks of four, in the order asked for; the others stay idle.
scenario_one_pair() {
  expect --limit 120 --out 'message_rate, uint8, window 64' -- mpirun -n 4 "$viaduct" run \
    pingpong pair_unidirectional pair_bidirectional message_rate all_reduce --engine mpi --paths double-copy --pair 3,1 \
    -b 1 -e 4096 -f 64 -r all -n 300 --quiet --out "$out"
  check_result --end complete --ranks 2 --groups 'ranks 3,1' --from-to '1>3,3>1' \
    --operations all_reduce,message_rate,pair_bidirectional,pair_unidirectional,pingpong
}

scenario_pairs_refused() {
  expect --exit 2 --err-once "pairs: all_reduce is no pattern between two ranks" -- mpirun -n 2 "$viaduct" run pairs \
    --engine mpi --paths tcp --pattern all_reduce --out "$out"
  expect --exit 2 --err-once "--pair 0,2: there is no rank 2; the launch has 2 ranks, 0 to 1" -- mpirun -n 2 "$viaduct" run \
    pingpong --engine mpi --paths tcp --pair 0,2 --out "$out"
  [[ -z $(find "$out" -name '*.jsonl' 2>/dev/null) ]] || fail "a refused run left a result"
}

scenario_groups() {
  expect --limit 90 --out '2 groups of 2 ranks at once' --out 'ranks 2-3' --out '^groups: on single-copy' -- \
    mpirun -n 4 "$viaduct" run all_reduce sendrecv --engine mpi --paths single-copy --group 2 -b 8 -e 64K -f 8 \
    --time 0.2 --out "$out"
  # 8, 64, 512, 4K and 32K of two operations in two groups.
  check_result --end complete --ranks 2 --operations all_reduce,sendrecv --groups 'ranks 0-1;ranks 2-3' --measurements 20
}

# Each block of `viaduct launch` has the groups; joined they stay apart.
scenario_launch_groups() {
  expect --limit 90 --out 'ranks 2-3' -- "$viaduct" launch -n 4 -- run all_reduce --engine mpi \
    --paths double-copy,tcp --group 2 -b 8 -e 8 -n 10 --out "$out"
  check_result --end complete --ranks 2 --groups 'ranks 0-1;ranks 2-3' --paths double-copy,tcp --ok 4
}

scenario_groups_refused() {
  expect --exit 2 --limit 60 --out-empty --err-once '^viaduct: .*--group 3: 4 ranks .*divide' -- \
    mpirun -n 4 "$viaduct" run all_reduce --engine mpi --paths tcp --group 3 -b 8 -e 8 --out "$out"
  expect --exit 2 --limit 60 --out-empty --err-once '^viaduct: .*rail 0.*--allow-single' -- \
    mpirun -n 2 "$viaduct" run all_reduce --engine mpi --paths tcp --group rail -b 8 -e 8 --out "$out"
  expect --exit 2 --limit 60 --out-empty --err-once "^viaduct: .*--group.*'hosts'.*all, host, rail" -- \
    mpirun -n 2 "$viaduct" run all_reduce --engine mpi --group hosts -b 8 -e 8 --out "$out"
  [[ -z $(ls -A "$out" 2>/dev/null) ]] || fail "refused groups left $(ls -A "$out")"
}

scenario_quiet() {
  expect --limit 90 --err-lines 0 -- "$viaduct" launch -n 2 -- run all_reduce --engine mpi --paths double-copy -b 8 \
    -e 8 -n 10 --quiet --out "$out"
  check_result --end complete
}

scenario_never_overwrites() {
  local words=(run all_reduce --engine mpi --paths double-copy -b 8 -e 8 -n 10 --quiet --out "$out")
  expect --limit 60 -- "$viaduct" launch -n 2 -- "${words[@]}"
  expect --limit 60 -- "$viaduct" launch -n 2 -- "${words[@]}"
  local files=("$out"/*.jsonl)
  [[ ${#files[@]} -eq 2 ]] || fail "two runs left ${#files[@]} files"
}

scenario_words_under_mpirun() {
  expect --exit 2 --limit 60 --out-empty --err-once '^viaduct: .*--no-such' -- \
    mpirun -n 2 "$viaduct" run all_reduce --engine mpi --no-such --out "$out"
  expect --exit 2 --limit 60 --out-empty --err-once "^viaduct: .*'all_redcue'.*did you mean 'all_reduce'" -- \
    mpirun -n 2 "$viaduct" run all_redcue --engine mpi --out "$out"
  [[ ! -e $out ]] || fail "wrong words left $(find "$out")"
}

scenario_refused() {
  expect --exit 3 --limit 60 --err-once '^viaduct: .*--allow-single' -- \
    mpirun -n 1 "$viaduct" run all_reduce --engine mpi --paths tcp -b 8 -e 8 -n 10 --out "$out"
  expect --exit 3 --limit 60 --err-once '^viaduct: .*alone in MPI_COMM_WORLD.*started 8 ranks' -- \
    env SLURM_NTASKS=8 SLURM_LOCALID=0 "$viaduct" run all_reduce --engine mpi --paths tcp \
      --allow-single --out "$out"
  expect --exit 3 --limit 60 --err-once '^viaduct: .*--expect-ranks 3 but 2 ranks' -- \
    mpirun -n 2 "$viaduct" run all_reduce --engine mpi --paths tcp --expect-ranks 3 -b 8 -e 8 -n 10 --out "$out"
}

# Words of two ranks that differ would fail inside MPI_Init: different paths of the mpi engine.
scenario_other_words() {
  expect --exit 3 --limit 60 --out-empty --err-once '^viaduct: rank . was started with .*every rank must get the same words' -- \
    mpirun -n 1 "$viaduct" run all_reduce --engine mpi --paths tcp -b 8 -e 8 --out "$out" : \
      -n 1 "$viaduct" run all_reduce --engine mpi --paths double-copy -b 8 -e 8 --out "$out"
  [[ -z $(ls -A "$out" 2>/dev/null) ]] || fail "refused words left $(ls -A "$out")"
}

scenario_no_folder() {
  : >"$work/file"
  expect --exit 2 --limit 60 --err-once "^viaduct: .*$work/file/below" -- \
    "$viaduct" launch -n 2 -- run all_reduce --engine mpi --paths tcp -b 8 -e 8 -n 10 --out "$work/file/below"
  expect --exit 2 --limit 60 --err-once "^viaduct: .*$work/file/below" -- \
    mpirun -n 2 "$viaduct" run all_reduce --engine mpi --paths tcp -b 8 -e 8 -n 10 --out "$work/file/below"
}

# A disk of a few pages: the folder is mounted in a namespace of its own, which goes away with the process.
scenario_full_disk() {
  mkdir -p -- "$out" "$work/kept"
  unshare --mount true 2>/dev/null || skip "this user may not mount a small disk (unshare --mount)"
  # shellcheck disable=SC2016
  expect --limit 120 -- unshare --mount bash -c '
    set -euo pipefail
    mount -t tmpfs -o size=12k none "$1" 2>/dev/null || exit 0
    : >"$2/mounted"
    code=0
    mpirun -n 2 "$3" run all_reduce --engine mpi --paths tcp -b 8 -e 1M -f 2 -n 4 -c 1 --quiet --out "$1" \
      2>"$2/said" >"$2/table" || code=$?
    echo "$code" >"$2/code"
    cp -- "$1"/*.jsonl "$2"/' full_disk "$out" "$work/kept" "$viaduct"
  [[ -e $work/kept/mounted ]] || skip "no small disk can be mounted here"
  [[ $(cat "$work/kept/code") -eq 1 ]] ||
    fail "exit code $(cat "$work/kept/code"), wanted 1; it said: $(cat "$work/kept/said")"
  grep -qE '^viaduct: .*(No space left|disk is full)' "$work/kept/said" || fail "it said: $(cat "$work/kept/said")"
  out=$work/kept
  rm -- "$out"/{mounted,code,said,table}
  # Where the last whole line leaves room for it, the file still says how the run ended.
  local end=none
  grep -qs '"record":"end"' "$out"/*.jsonl && end=failed
  check_result --end "$end" --at-least-ok 1
}

# The launches of `viaduct launch` fill the disk: what they measured is joined as far as the disk takes it.
scenario_full_disk_launch() {
  mkdir -p -- "$out" "$work/kept"
  unshare --mount true 2>/dev/null || skip "this user may not mount a small disk (unshare --mount)"
  # shellcheck disable=SC2016
  expect --limit 120 -- unshare --mount bash -c '
    set -euo pipefail
    mount -t tmpfs -o size=12k none "$1" 2>/dev/null || exit 0
    : >"$2/mounted"
    code=0
    "$3" launch -n 2 -- run all_reduce --engine mpi --paths tcp -b 8 -e 256 -f 2 -n 2 -c 1 --quiet --out "$1" \
      2>"$2/said" >"$2/table" || code=$?
    echo "$code" >"$2/code"
    cp -a -- "$1"/. "$2"/' full_disk_launch "$out" "$work/kept" "$viaduct"
  [[ -e $work/kept/mounted ]] || skip "no small disk can be mounted here"
  [[ $(cat "$work/kept/code") -eq 1 ]] ||
    fail "exit code $(cat "$work/kept/code"), wanted 1; it said: $(cat "$work/kept/said")"
  grep -qE '^viaduct: .*(No space left|disk is full)' "$work/kept/said" || fail "it said: $(cat "$work/kept/said")"
  out=$work/kept
  rm -- "$out"/{mounted,code,said,table}
  local file
  file=$(result_file)
  grep -q '"record":"measurement"' "$file" || fail "no record was kept in $file"
  [[ $(tail -c 1 "$file" | od -An -c | tr -d ' ') == '\n' ]] || fail "$file ends in a torn line"
  [[ -z $(find "$out" -mindepth 1 ! -name '*.jsonl') ]] || fail "left behind: $(find "$out" -mindepth 1)"
}

# SIGKILL gives nobody a chance to clean up but the guard.
scenario_killed_launch() {
  local child
  "$viaduct" launch -n 2 -- "${long_run[@]}" >"$work/table" 2>"$work/said" </dev/null &
  child=$!
  wait_for 60 a_case_is_written || fail "no case after 60 s; it said: $(cat "$work/said")"
  local launcher
  launcher=$(pgrep -P "$child" -x "mpirun|prterun") || fail "no mpirun below $child"  # Open MPI 5 becomes prterun
  kill -KILL "$child"
  wait "$child" 2>/dev/null || true
  wait_for 20 is_ended "$launcher" || fail "mpirun runs on 20 s after the death of viaduct launch"
  wait_for 20 no_blocks || fail "left behind: $(ls -A "$out")"
}

is_ended() {
  [[ ! -e /proc/$1/stat || $(cut -d ' ' -f 3 "/proc/$1/stat") == Z ]]
}

no_blocks() {
  ! compgen -G "$out/.blocks-*" >/dev/null
}

# Every case is skipped: that is no success.
scenario_nothing_runs() {
  expect --exit 2 --limit 60 --err '^viaduct: no case could run here: .*bfloat16' -- \
    mpirun -n 2 "$viaduct" run all_reduce --engine mpi --paths tcp -d bfloat16 -b 8 -e 8 --out "$out"
  check_result --end complete --ok 0
  rm -r -- "$out"
  expect --exit 2 --limit 90 --err '^viaduct: no case could run here: .*bfloat16' -- \
    "$viaduct" launch -n 2 -- run all_reduce --engine mpi --paths double-copy,tcp -d bfloat16 -b 8 -e 8 --out "$out"
  check_result --end complete --ok 0 --measurements 2
}

# No data: no datatype in its title, no bandwidth in its row, and with -w 0 nothing that could have settled.
scenario_barrier() {
  expect --limit 90 --out '^barrier, out-of-place' -- mpirun -n 2 "$viaduct" run barrier --engine mpi \
    --paths tcp -n 10 -w 0 --out "$out"
  check_result --end complete --ok 1
  expect --out '^barrier, out-of-place' --out ' +- +- +n/c$' -- "$viaduct" report "$(result_file)"
  if "$viaduct" report "$(result_file)" | grep -q 'settled'; then
    fail "-w 0 is called not settled"
  fi
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

the_end_is_written() {
  grep -qs '"record":"end"' "$out"/*.jsonl
}

is_gone() {
  ! kill -0 "$1" 2>/dev/null
}

# Starts the command, sends SIGTERM once a case is written, and sets `code` to what it ended with.
interrupt() {
  local child
  code=0
  "$@" >"$work/table" 2>"$work/said" </dev/null &
  child=$!
  if ! wait_for 40 a_case_is_written; then
    kill -KILL "$child"
    fail "no case after 40 s; it said: $(cat "$work/said")"
  fi
  kill -TERM "$child"
  wait_for "$end_within_s" the_end_is_written || fail "no end record $end_within_s s after SIGTERM"
  if ! wait_for 20 is_gone "$child"; then
    kill -KILL "$child"
    fail "still there 20 s after SIGTERM"
  fi
  wait "$child" || code=$?
}

long_run=(run all_reduce --engine mpi --paths tcp -b 8 -e 1M -f 2 --time 2 --mode stream --out "$out")

scenario_interrupted_launch() {
  local code end_within_s=15
  interrupt "$viaduct" launch -n 2 -- "${long_run[@]}"
  [[ $code -eq 143 ]] || fail "exit code $code after SIGTERM, wanted 143; it said: $(cat "$work/said")"
  check_result --end interrupted --at-least-ok 1
}

# mpirun passes SIGTERM on, kills soon after, and makes its own exit code of it: the end must be written at once.
scenario_interrupted_mpirun() {
  local code end_within_s=2
  interrupt mpirun -n 2 "$viaduct" "${long_run[@]}"
  [[ $code -ne 0 ]] || fail "exit code 0 after SIGTERM"
  check_result --end interrupted --at-least-ok 1
}

"scenario_$scenario"
