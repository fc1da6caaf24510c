#!/usr/bin/env bash
# Runs of the path staged on this host. Without a GPU: the programs are the real ones but for viaduct-worker, whose
# double has plain memory for a GPU's, and NVML, whose double has idle GPUs. With GPUs nothing is a double.
#
#   staged_test.sh SCENARIO BIN_FOLDER SOURCE_FOLDER NVML_DOUBLE|gpus

set -euo pipefail

scenario=${1:?right: staged_test.sh SCENARIO BIN_FOLDER SOURCE_FOLDER NVML_DOUBLE|gpus}
bin=${2:?}
source_folder=${3:?}
nvml=${4:?}
here=$(cd -- "$(dirname -- "$0")" && pwd)
python=/usr/bin/python3
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
out=$work/out

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_btl_vader_single_copy_mechanism=none

# shellcheck source-path=SCRIPTDIR source=result_checks.sh
source "$here/result_checks.sh"

# Until the lanes are open and the first case is measured: GPUs take their time.
settle_s=2

install_programs() {
  mkdir -p -- "$work/bin" "$work/lib" "$work/tmp"
  cp -- "$bin/viaduct" "$bin/viaduct-rank" "$work/bin/"
  export TMPDIR=$work/tmp
  viaduct=$work/bin/viaduct
  if [[ $nvml == gpus ]]; then
    [[ $(nvidia-smi -L 2>/dev/null | grep -c '^GPU') -ge 2 ]] || { echo "SKIPPED: fewer than two GPUs here"; exit 77; }
    cp -- "$bin/viaduct-worker" "$work/bin/"
    settle_s=8
    return
  fi
  cp -- "$bin/staged_worker" "$work/bin/viaduct-worker"
  cp -- "$nvml" "$work/lib/libnvidia-ml.so.1"
  export LD_LIBRARY_PATH=$work/lib:${LD_LIBRARY_PATH-}
  unset CUDA_VISIBLE_DEVICES NVLINK_KIB FAULT SCRIPT
}

gpus() {
  export IDLE_GPUS=$1 SCRIPT_GPUS=$1
}

# Processes of this run that still live: all of its programs lie in its folder.
left_over() {
  local exe
  for exe in /proc/[0-9]*/exe; do
    if [[ $(readlink -- "$exe" 2>/dev/null || true) == "$work"/bin/* ]]; then
      exe=${exe#/proc/}
      echo "${exe%/exe}"
    fi
  done
}

# Shared memory of the path that some process of this run still holds, whatever program it is: all have its TMPDIR.
held_memory() {
  local process
  for process in /proc/[0-9]*; do
    grep -qzxF "TMPDIR=$work/tmp" "$process/environ" 2>/dev/null || continue
    find "$process/fd" -lname '*memfd:viaduct-staged*' 2>/dev/null || true
  done
}

expect_nothing_left() {
  local tries
  for tries in $(seq 100); do
    [[ -n $(left_over)$(held_memory) ]] || return 0
    sleep 0.1
  done
  fail "10 s after the end ($tries looks) there are still: $(left_over | tr '\n' ' ') $(held_memory | tr '\n' ' ')"
}

run_ranks() {
  local ranks=$1
  shift
  gpus "$ranks"
  mpirun -n "$ranks" "$viaduct" run "$@" --out "$out"
}

# wait_for N PROGRAM: until N processes of the program live; their numbers.
wait_for() {
  local wanted=$1 program=$2 tries found
  for tries in $(seq 300); do
    found=$(for process in $(left_over); do
      [[ $(readlink -- "/proc/$process/exe" 2>/dev/null || true) != "$work/bin/$program" ]] || echo "$process"
    done)
    if [[ $(wc -w <<<"$found") -eq $wanted ]]; then
      printf '%s\n' "$found"
      return 0
    fi
    sleep 0.1
  done
  fail "no $wanted processes of $program after 30 s ($tries looks)"
}

# The ways side by side, with legs, in one launch.
scenario_three_paths() {
  gpus 2
  expect --limit 150 --out 'staged: each leg alone' --out 'device_to_host +mpi +host_to_device' \
    --out 'staged +(unknown; NCCL takes no part|proven by counters)' --out '^complete: 45 measurements, 6 skipped, 0 lost, 0 wrong' \
    --out 'skipped: MPI between the copies cannot be part of a CUDA graph' -- \
    mpirun -n 2 "$viaduct" run all_reduce,all_gather,sendrecv --paths direct,host-staged,staged \
    -b 4 -e 4M -f 1024 --time 0.3 --out "$out"
  check_records --ranks 2 --ok-paths direct,host-staged,staged --operations all_reduce,all_gather,sendrecv \
    --legs staged:device_to_host,mpi,host_to_device
  expect_nothing_left
}

# Everything that it has is right to the bit, whatever the number of ranks.
every_operation() {
  run_ranks "$1" all_reduce,all_gather,reduce_scatter,broadcast,reduce,gather,scatter,alltoall,sendrecv \
    --paths staged --mode stream -b 0 -e 1300000 -f 550 --placement both -n 2 --quiet >"$work/table" ||
    fail "exit code $?: $(cat "$work/table")"
}

scenario_wrong_way() {
  gpus 2
  export NVLINK_KIB=200000
  expect --exit 5 --limit 100 --out 'staged +contradicted; NCCL takes no part, so only counters speak; NVLink counters' -- \
    mpirun -n 2 "$viaduct" run all_reduce --paths staged --mode stream -b 64M -e 64M -n 2 --out "$out"
}

scenario_counters_prove_it() {
  gpus 2
  expect --limit 100 --out 'staged +proven by counters' -- \
    mpirun -n 2 "$viaduct" run all_reduce --paths staged --mode stream -b 64M -e 64M -n 2 --out "$out"
}

scenario_skips() {
  gpus 2
  expect --limit 100 --out 'skipped: MPI has no reductions of bfloat16' --out 'skipped: MPI has no reduction avg' -- \
    mpirun -n 2 "$viaduct" run all_reduce --paths direct,staged --mode stream -b 1M -e 1M -d bfloat16,float32 -o sum,avg \
    -n 4 --out "$out"
  check_records --legs staged:device_to_host,mpi,host_to_device --paths direct,staged --ok-paths direct,staged
}

# Every pair of three ranks: in each round one of them is idle, and the groups of the lanes change in between.
scenario_pairs() {
  gpus 3
  expect --limit 100 --out 'all 3 pairs measured' --out 'staged: each leg alone' --out '^complete: .* 0 lost, 0 wrong' -- \
    mpirun -n 3 "$viaduct" run pairs --paths staged --mode stream -b 1M -e 1M --time 0.2 --out "$out"
  check_records --ok-paths staged --legs staged:device_to_host,mpi,host_to_device --at-least-ok 6
  expect_nothing_left
}

# A worker that is killed costs its case; the path comes up again, and nothing stays behind.
scenario_worker_killed() {
  run_ranks 2 all_reduce --paths staged --mode stream -b 4M -e 16M -f 2 --time 5 >"$work/table" 2>&1 &
  local run=$! workers code=0
  workers=$(wait_for 2 viaduct-worker)
  [[ -n $(held_memory) ]] || fail "the running workers hold no shared memory: this test cannot see it"
  sleep "$settle_s"
  kill -9 "$(head -n 1 <<<"$workers")"
  wait "$run" || code=$?
  [[ $code -eq 6 ]] || fail "exit code $code, wanted 6: $(cat "$work/table")"
  grep -qE 'signal 9' "$work/table" || fail "nobody says that a worker was killed: $(cat "$work/table")"
  grep -qE '^complete: 3 measurements, 0 skipped, 1 lost' "$work/table" || fail "the run did not go on: $(cat "$work/table")"
  expect_nothing_left
}

scenario_rank_killed() {
  run_ranks 2 all_reduce --paths staged --mode stream -b 4M -e 16M -f 2 --time 20 >"$work/table" 2>&1 &
  local run=$! code=0
  wait_for 2 viaduct-worker >"$work/workers"
  sleep "$settle_s"
  kill -9 "$(wait_for 2 viaduct-rank | tail -n 1)"
  wait "$run" || code=$?
  [[ $code -ne 0 ]] || fail "the end of a rank passed for a good one: $(cat "$work/table")"
  expect_nothing_left
}

# A rank that stands still: the deadline of the batch ends the lane.
scenario_worker_stopped() {
  run_ranks 2 all_reduce --paths staged --mode stream -b 4M -e 8M -f 2 --time "$((settle_s + 2))" >"$work/table" 2>&1 &
  local run=$! code=0
  wait_for 2 viaduct-worker >"$work/workers"
  sleep "$settle_s"
  kill -STOP "$(head -n 1 "$work/workers")"
  wait "$run" || code=$?
  [[ $code -eq 6 ]] || fail "exit code $code, wanted 6: $(cat "$work/table")"
  grep -qE 'gave no answer within' "$work/table" || fail "nobody names the deadline: $(cat "$work/table")"
  expect_nothing_left
}

install_programs
case $scenario in
  ranks_*) every_operation "${scenario#ranks_}" && check_records --paths staged --ranks "${scenario#ranks_}" \
    --at-least-ok 40 --legs staged:device_to_host,mpi,host_to_device && expect_nothing_left ;;
  *) "scenario_$scenario" ;;
esac
