#!/usr/bin/env bash
# An example of a prolog or epilog of Slurm: measures the GPUs of this node in under 30 s and tells Slurm by the exit
# code to drain a node that is not fit. In slurm.conf:
#
#   Epilog=/opt/viaduct/slurm_node_check.sh      after each job; or Prolog=, before it
#   PrologFlags=Alloc
#
# An exit code other than 0 makes Slurm drain the node (after a Prolog it also requeues the job). Variables, set here or
# in front:
#
#   VIADUCT            the program (default: beside this file, else in PATH)
#   VIADUCT_CHECK_S    most seconds for all (default 28)
#   VIADUCT_CHECK_ARGS words of `viaduct run` (default: a short all_reduce of both paths; add --gates FILE, which fails
#                      a node that is slow, and --require-path, which fails one whose paths are not proven)
#   VIADUCT_CHECK_GPUS how many GPUs a node has: one that shows fewer is not fit (default: whatever there is)
#
# Exit codes: 0 fit, or nothing could be measured for a reason that is not the node's fault (Viaduct is not installed,
# its words are wrong, no room for its files); else those of the run: 3 GPUs are missing or the launch was refused for
# what the node shows, 5 a path is not what it should be, 6 a GPU or a path hung or crashed, or Viaduct itself did, 7
# wrong data, 8 a gate failed. What was found stands in the log of slurmd, one line.

set -uo pipefail

limit_s=${VIADUCT_CHECK_S:-28}
default_words="all_reduce --paths direct,host-staged -b 8 -e 64M -f 8192 --mode stream --time 0.5 --no-probe --quiet"
read -ra words <<<"${VIADUCT_CHECK_ARGS:-$default_words}"

here=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")" && pwd)
program=${VIADUCT:-$here/viaduct}
[[ -x $program ]] || program=$(command -v viaduct || true)

report() {
  echo "viaduct node check on $(uname -n): $*"
}

if [[ -z $program ]]; then
  report "skipped, viaduct is not installed (set VIADUCT=/path/to/viaduct)"
  exit 0
fi
# The GPUs of the machine: a prolog runs outside the job and its device limits.
gpus=${VIADUCT_CHECK_RANKS:-$(nvidia-smi --list-gpus 2>/dev/null | grep -c '^GPU ' || true)}
expected=${VIADUCT_CHECK_GPUS:-}
if [[ -n $expected && ${gpus:-0} -ne $expected ]]; then
  report "NOT fit, ${gpus:-0} GPUs of $expected answer"
  exit 3
fi
if [[ $gpus -lt 2 ]]; then
  report "skipped, ${gpus:-0} GPUs: there is no pair to measure"
  exit 0
fi

folder=$(mktemp -d "${TMPDIR:-/tmp}/viaduct-check.XXXXXX")
trap 'rm -rf -- "$folder"' EXIT
code=0
# Outside the job's step: its variables would send srun there. mpirun starts on this host alone.
env -u SLURM_JOB_ID -u SLURM_JOBID -u SLURM_NTASKS -u CUDA_VISIBLE_DEVICES \
  timeout --kill-after=2 "$limit_s" "$program" launch -n "$gpus" --launcher mpirun --limit "$((limit_s - 3))" -- \
  run "${words[@]}" --out "$folder" >"$folder/table" 2>"$folder/said" </dev/null || code=$?

case $code in
  0)
    report "fit, $gpus GPUs in $SECONDS s"
    ;;
  1 | 2)
    report "skipped, the check itself failed with $code: $(tail -n 1 -- "$folder/said")"
    ;;
  *)
    report "NOT fit, exit code $code: $(tail -n 1 -- "$folder/said")"
    exit $((code > 100 ? 6 : code))
    ;;
esac
exit 0
