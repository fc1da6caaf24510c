#!/usr/bin/env bash
# Runs a program and judges its exit code and its words together.
#
#   expect.sh [--exit N] [--out REGEX]... [--err REGEX]... [--err-once REGEX]... [--out-empty] [--err-lines N]
#             [--limit S] -- COMMAND...
#
# --exit is 0 when not given. A REGEX (grep -E) must match one line of what it names. --err-once: exactly
# one line (of many ranks one speaks). --err-lines: so many lines in all; bad input gets one clear line.

set -euo pipefail

want_exit=0
want_out=()
want_err=()
want_err_once=()
out_empty=0
err_lines=""
limit_s=60

while [[ $# -gt 0 && $1 != -- ]]; do
  case $1 in
    --exit) want_exit=$2 && shift ;;
    --out) want_out+=("$2") && shift ;;
    --err) want_err+=("$2") && shift ;;
    --err-once) want_err_once+=("$2") && shift ;;
    --out-empty) out_empty=1 ;;
    --err-lines) err_lines=$2 && shift ;;
    --limit) limit_s=$2 && shift ;;
    *) echo "expect.sh: unknown word '$1'" && exit 2 ;;
  esac
  shift
done
[[ $# -gt 1 ]] || { echo "expect.sh: no command; right: expect.sh [options] -- COMMAND..."; exit 2; }
shift

folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
out=$folder/out
err=$folder/err

code=0
timeout --kill-after=5 "$limit_s" "$@" >"$out" 2>"$err" </dev/null || code=$?

wrong=()
[[ $code -eq $want_exit ]] || wrong+=("exit code $code, wanted $want_exit")
for regex in "${want_out[@]}"; do
  grep -qE -- "$regex" "$out" || wrong+=("no line of standard output matches: $regex")
done
for regex in "${want_err[@]}"; do
  grep -qE -- "$regex" "$err" || wrong+=("no line of standard error matches: $regex")
done
for regex in "${want_err_once[@]}"; do
  times=$(grep -cE -- "$regex" "$err" || true)
  [[ $times -eq 1 ]] || wrong+=("$times lines of standard error match, wanted 1: $regex")
done
[[ $out_empty -eq 0 || ! -s $out ]] || wrong+=("standard output is not empty")
if [[ -n $err_lines && $(wc -l <"$err") -ne $err_lines ]]; then
  wrong+=("$(wc -l <"$err") lines on standard error, wanted $err_lines")
fi
[[ ${#wrong[@]} -gt 0 ]] || exit 0

printf 'wrong: %s\n' "${wrong[@]}"
printf 'command:'
printf ' %q' "$@"
printf '\n--- standard output\n'
head -c 8000 -- "$out"
printf '\n--- standard error\n'
head -c 8000 -- "$err"
exit 1
