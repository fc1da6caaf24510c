#!/usr/bin/env bash
# Programs started with closed standard streams end with the code that they would have had, and never hang.
#
#   closed_streams_test.sh BIN_FOLDER [mpirun]

set -uo pipefail

viaduct=${1:?right: closed_streams_test.sh BIN_FOLDER [mpirun]}/viaduct
work=$(mktemp -d "${TMPDIR:-/tmp}/viaduct-closed.XXXXXX")
trap 'rm -rf -- "$work"' EXIT
failed=0
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# ends_with CODE WHAT COMMAND: a line of bash, so that it can close streams.
ends_with() {
  local code=0
  timeout --kill-after=5 60 bash -c "$3" >/dev/null 2>&1 || code=$?
  [[ $code -eq $1 ]] && return
  echo "$2: exit code $code, not $1"
  failed=1
}

ends_with 2 "no such file, no standard error" "exec $viaduct report $work/none.jsonl 2>&-"
ends_with 2 "no such file, no stream at all" "exec $viaduct report $work/none.jsonl <&- >&- 2>&-"
ends_with 0 "no standard input" "exec $viaduct list paths <&-"
ends_with 1 "nothing can be printed" "exec $viaduct list paths >&-"
if [[ ${2:-} == mpirun ]]; then
  run="run all_reduce --engine mpi --paths single-copy --sizes 8 --time 0.05 --out $work/out"
  ends_with 0 "a rank alone without standard error" "exec $viaduct $run --allow-single 2>&-"
  ends_with 0 "two ranks without standard error" "mpirun -n 2 bash -c 'exec $viaduct $run 2>&-'"
fi
exit "$failed"
