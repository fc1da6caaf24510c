#!/usr/bin/env bash
# One host, all of its GPUs, in under ten minutes: the plan `node`, every collective to the bit for several numbers of
# ranks, every pair, groups, and how long lanes take to open. Where nccl-tests is given, its tables beside ours.
#
#   results/measure_host.sh BIN_FOLDER OUT_FOLDER [NCCL_TESTS_FOLDER]
#
# Each step has a time limit; one that fails is named in OUT_FOLDER/steps.txt and at the end, and the others go on.
# GPUS=N takes the first N only.

set -uo pipefail

if [[ $# -lt 2 || $# -gt 3 ]]; then
  echo "measure_host.sh: right: measure_host.sh BIN_FOLDER OUT_FOLDER [NCCL_TESTS_FOLDER]" >&2
  exit 2
fi
viaduct=$(realpath -- "$1")/viaduct
out=$2
nccl_tests=${3:+$(realpath -- "$3")}
readonly viaduct out nccl_tests

[[ -x $viaduct ]] || { echo "measure_host.sh: $viaduct is no program" >&2; exit 2; }
[[ -z $nccl_tests || -x $nccl_tests/all_reduce_perf ]] || {
  echo "measure_host.sh: no all_reduce_perf in $nccl_tests" >&2
  exit 2
}
gpus=${GPUS:-$(nvidia-smi --list-gpus 2>/dev/null | grep -c '^GPU ' || true)}
[[ $gpus =~ ^[0-9]+$ && $gpus -ge 2 ]] || { echo "measure_host.sh: needs two GPUs, found $gpus" >&2; exit 2; }
readonly gpus
mkdir -p -- "$out/nccl-tests"
: >"$out/steps.txt"
failed=0

# step NAME LIMIT_SECONDS COMMAND...: output to NAME.txt, how it ended to steps.txt.
step() {
  local name=$1 limit=$2 begin=${EPOCHREALTIME/./} code=0
  shift 2
  timeout --kill-after=10 "$limit" "$@" >"$out/$name.txt" 2>&1 || code=$?
  printf '%-36s exit code %3d  %7d ms\n' "$name" "$code" $(((${EPOCHREALTIME/./} - begin) / 1000)) |
    tee -a -- "$out/steps.txt"
  [[ $code -eq 0 ]] || failed=$((failed + 1))
}

# ours NAME LIMIT_SECONDS RANKS ARGUMENTS...
ours() {
  local name=$1 limit=$2 ranks=$3
  shift 3
  step "$name" "$limit" mpirun -n "$ranks" "$viaduct" run "$@" --quiet --out "$out/$name"
}

# theirs OPERATION P2P_DISABLE
theirs() {
  step "nccl-tests/$1-p2p_disable_$2" 60 env NCCL_P2P_DISABLE="$2" mpirun -n "$gpus" "$nccl_tests/$1_perf" \
    -b 1M -e 1G -f 4 -g 1 -J "$out/nccl-tests/$1-p2p_disable_$2.json"
}

step topology 30 "$viaduct" topology
ours node 120 "$gpus" node --time 0.4
ours pairs 90 "$gpus" pairs --paths direct,host-staged --time 0.3
for ranks in 2 3 4 6 7 8; do
  if [[ $ranks -le $gpus ]]; then
    ours "exact-$ranks" 60 "$ranks" all -d all -o all -r all --sizes 8,4100,1M --placement both --paths direct \
      -n 1 -w 0 --no-probe
    ours "open-$ranks" 40 "$ranks" all_reduce --paths as-is,direct,host-staged,socket --sizes 8 --time 0.05 --no-probe
  fi
done
for size in 1 2 4; do
  if [[ $size -lt $gpus ]]; then
    ours "group-$size" 60 "$gpus" all_reduce --group "$size" --allow-single --paths direct,host-staged \
      --sizes 8,64M,1G --time 0.3
  fi
done
if [[ -n $nccl_tests ]]; then
  for operation in all_reduce all_gather sendrecv; do
    theirs "$operation" 0
    theirs "$operation" 1
  done
  ours as-nccl-tests 90 "$gpus" all_reduce all_gather sendrecv --method nccl-tests -b 1M -e 1G -f 4 \
    --paths direct,host-staged --no-probe
fi

if [[ $failed -ne 0 ]]; then
  echo "measure_host.sh: $failed steps failed, see $out/steps.txt" >&2
  exit 1
fi
