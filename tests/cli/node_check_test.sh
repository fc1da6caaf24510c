#!/usr/bin/env bash
# launch/slurm_node_check.sh: which exit codes of a run drain a node, and what it does where GPUs are missing. A stand-in
# for viaduct ends as it is told to.
#
#   node_check_test.sh SOURCE_FOLDER

set -uo pipefail

check=${1:?right: node_check_test.sh SOURCE_FOLDER}/launch/slurm_node_check.sh
work=$(mktemp -d "${TMPDIR:-/tmp}/viaduct-node.XXXXXX")
trap 'rm -rf -- "$work"' EXIT
failed=0

# shellcheck disable=SC2016
printf '#!/bin/sh\necho "said by the stand-in" >&2\nexit "$STAND_IN_CODE"\n' >"$work/viaduct"
chmod +x "$work/viaduct"

# expect CODE WORDS VARIABLE...
expect() {
  local code=0 right=$1 words=$2 said
  shift 2
  said=$(env VIADUCT="$work/viaduct" "$@" "$check" 2>&1) || code=$?
  [[ $code -eq $right && $said == *"$words"* ]] && return
  echo "$*: exit code $code, not $right, or it does not say '$words': $said"
  failed=1
}

expect 0 ": fit, 8 GPUs" VIADUCT_CHECK_RANKS=8 STAND_IN_CODE=0
for code in 1 2; do
  expect 0 "the check itself failed with $code: said by the stand-in" VIADUCT_CHECK_RANKS=8 STAND_IN_CODE=$code
done
for code in 3 5 6 7 8; do
  expect $code "NOT fit, exit code $code: said by the stand-in" VIADUCT_CHECK_RANKS=8 STAND_IN_CODE=$code
done
for code in 124 134 139 255; do
  expect 6 "NOT fit, exit code $code" VIADUCT_CHECK_RANKS=8 STAND_IN_CODE=$code
done
expect 3 "NOT fit, 7 GPUs of 8 answer" VIADUCT_CHECK_RANKS=7 VIADUCT_CHECK_GPUS=8 STAND_IN_CODE=0
expect 0 ": fit, 8 GPUs" VIADUCT_CHECK_RANKS=8 VIADUCT_CHECK_GPUS=8 STAND_IN_CODE=0
expect 0 "no pair to measure" VIADUCT_CHECK_RANKS=1 STAND_IN_CODE=0
exit "$failed"
