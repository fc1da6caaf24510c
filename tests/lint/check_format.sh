#!/usr/bin/env bash
# Fails on a source that clang-format would change. Only version 14 is asked: others break lines elsewhere.
# Exit 77 (skipped, with the reason) where there is none.
#
#   check_format.sh [ROOT]

set -euo pipefail

root=${1:-$(dirname -- "$0")/../..}
cd -- "$root"

formatter=""
for name in clang-format-14 clang-format; do
  if command -v "$name" >/dev/null && "$name" --version | grep -qE 'version 14\.'; then
    formatter=$name
    break
  fi
done
if [[ -z $formatter ]]; then
  echo "SKIPPED: no clang-format 14 here; install clang-format-14"
  exit 77
fi

folders=()
for folder in src collectives launch tests; do
  [[ ! -d $folder ]] || folders+=("$folder")
done
find "${folders[@]}" -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' -o -name '*.cuh' \) -print0 |
  xargs -0 -r "$formatter" --dry-run --Werror --ferror-limit=1
