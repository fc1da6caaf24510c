#!/usr/bin/env bash
# Shows that expect.sh can fail: each way in which a program can be wrong must be seen.

set -euo pipefail

expect=$(dirname -- "$0")/expect.sh
failed=0

passes() {
  "$expect" "$@" >/dev/null || { echo "FAIL: refused: $*"; failed=1; }
}

refuses() {
  ! "$expect" "$@" >/dev/null || { echo "FAIL: passed: $*"; failed=1; }
}

says=(bash -c 'echo words; echo trouble >&2; exit 2')
passes --exit 2 --out '^words$' --err 'trouble' --err-lines 1 -- "${says[@]}"
refuses --exit 0 -- "${says[@]}"
refuses -- "${says[@]}"
refuses --exit 2 --out '^word$' -- "${says[@]}"
refuses --exit 2 --err 'words' -- "${says[@]}"
refuses --exit 2 --out-empty -- "${says[@]}"
refuses --exit 2 --err-lines 0 -- "${says[@]}"
twice=(bash -c 'echo same >&2; echo same >&2; echo other >&2')
passes --err 'same' --err-once 'other' -- "${twice[@]}"
refuses --err-once 'same' -- "${twice[@]}"
refuses --err-once 'none' -- "${twice[@]}"
refuses --limit 1 -- sleep 20
refuses -- /nonexistent/program
passes --out-empty --err-lines 0 -- true
exit "$failed"
