#!/usr/bin/env bash
# Fails on a shell script that shellcheck has something to say about. Exit 77 (skipped, with the reason) without it.
#
#   check_shell.sh [ROOT]

set -euo pipefail

root=${1:-$(dirname -- "$0")/../..}
cd -- "$root"

if ! command -v shellcheck >/dev/null; then
  echo "SKIPPED: no shellcheck here; install shellcheck"
  exit 77
fi

scripts=()
while IFS= read -r -d '' file; do
  [[ $(head -n 1 -- "$file" | tr -d '\0') =~ ^'#!'.*(bash|/sh) ]] && scripts+=("$file")
done < <(find .ci launch tests src configs -type f -print0)
[[ ${#scripts[@]} -gt 0 ]] || { echo "check_shell: no script found below '$root'"; exit 1; }
shellcheck -x -- "${scripts[@]}"
echo "check_shell: ${#scripts[@]} scripts looked at"
