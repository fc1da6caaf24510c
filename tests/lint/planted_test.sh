#!/usr/bin/env bash
# Shows that the lints can fail: plants one breach at a time into a small clean tree and wants to see it named.
#
#   planted_test.sh CMAKE_PROGRAM

set -euo pipefail

cmake=${1:?right: planted_test.sh CMAKE_PROGRAM}
here=$(cd -- "$(dirname -- "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf -- "$tree"' EXIT
failed=0
tried=0

function_of() { # LINES
  printf 'int long_one(int x) {\\n'
  printf '  ++x;\\n%.0s' $(seq $(($1 - 2)))
  printf '}\\n'
}

# An nm that reads the symbols from the file itself.
plant_nm() {
  mkdir -p -- "$tree/src/bin"
  cat >"$tree/src/bin/nm" <<'NM'
#!/bin/sh
shift 3
cat -- "$1"
NM
  chmod +x "$tree/src/bin/nm"
  printf '  U ncclAllReduce\n  U cudaMalloc@libcudart.so.13\n  U ncclRedOpDestroy@NCCL_2\n' >"$tree/src/worker"
}

plant_clean_tree() {
  rm -rf -- "${tree:?}"/*
  mkdir -p -- "$tree"/src/{core,stats,mpi,lane,app} "$tree"/{collectives,launch}
  cat >"$tree/src/CMakeLists.txt" <<'TREE'
set(VIADUCT_USES_core "")
set(VIADUCT_USES_stats core)
set(VIADUCT_USES_lane core)
set(VIADUCT_USES_mpi core lane)
TREE
  echo 'project(planted)' >"$tree/CMakeLists.txt"
  printf '#pragma once\n// What it is for.\n\n#include <string>\n' >"$tree/src/core/error.hpp"
  printf '#include "core/error.hpp"\n#include <vector>\n' >"$tree/src/stats/mean.cpp"
  printf '#include "lane/lane.hpp"\n#include <mpi.h>\n' >"$tree/src/mpi/session.cpp"
  # The longest function and file that are allowed.
  printf '%b' "$(function_of 60)$(printf '//\\n%.0s' $(seq 440))" >"$tree/src/stats/longest.cpp"
  printf '#include "mpi/session.hpp"\n#include <nccl.h>\n' >"$tree/src/app/rank_main.cpp"
  plant_nm
}

run_lint() {
  case $1 in
    layers) "$cmake" -D ROOT="$tree" -P "$here/check_layers.cmake" 2>&1 ;;
    style) "$here/check_style.sh" "$tree" 2>&1 ;;
    nccl_symbols) PATH="$tree/src/bin:$PATH" "$here/check_nccl_symbols.sh" "$tree/src/worker" 2>&1 ;;
  esac
}

expect_clean() {
  local said
  plant_clean_tree
  tried=$((tried + 1))
  if ! said=$(run_lint "$1"); then
    printf 'FAIL: %s refuses the clean tree:\n%s\n' "$1" "$said"
    failed=$((failed + 1))
  fi
}

# expect_breach LINT FILE TEXT SAYS: after TEXT went into FILE, LINT fails and SAYS (a fixed string) stands in its output.
expect_breach() {
  local lint=$1 file=$2 text=$3 says=$4 said
  plant_clean_tree
  mkdir -p -- "$(dirname -- "$tree/$file")"
  printf '%b' "$text" >"$tree/$file"
  tried=$((tried + 1))
  if said=$(run_lint "$lint"); then
    printf 'FAIL: %s passes %s with: %s\n' "$lint" "$file" "$text"
    failed=$((failed + 1))
  elif ! tr -s ' \n' ' ' <<<"$said" | grep -qF -- "$says"; then
    printf 'FAIL: %s on %s does not say "%s" but:\n%s\n' "$lint" "$file" "$says" "$said"
    failed=$((failed + 1))
  fi
}

expect_clean layers
expect_breach layers src/core/bad.hpp '#pragma once\n\n#include "stats/mean.hpp"\n' \
  'src/core/bad.hpp:3: "stats/mean.hpp": layer core may not include stats'
expect_breach layers src/stats/bad.cpp '#include <vector>\n  #  include "lane/lane.hpp"\n' 'src/stats/bad.cpp:2:'
expect_breach layers src/stats/bad.cpp '#include <mpi.h>\n' 'src/stats/bad.cpp:1: <mpi.h>: not in layer stats'
expect_breach layers src/lane/bad.hpp '#include <nccl.h>\n' 'src/lane/bad.hpp:1: <nccl.h>'
expect_breach layers src/mpi/bad.cpp '#include <cuda_runtime.h>\n' 'src/mpi/bad.cpp:1: <cuda_runtime.h>'
expect_breach layers src/core/bad.cpp '#include <fmt/format.h>\n' 'layer core uses the standard library only'
expect_breach layers src/stats/bad.cpp '#include "mean.hpp"\n' 'own headers are included as'
expect_breach layers src/stats/bad.cpp '#include "../core/error.hpp"\n' 'own headers are included as'
expect_breach layers src/extra/bad.cpp '#include <vector>\n' 'extra/: not a layer'
expect_breach layers src/CMakeLists.txt 'set(VIADUCT_USES_core stats)\nset(VIADUCT_USES_stats core)\n' \
  "core uses 'stats', which is not a layer listed before it"
expect_breach layers src/CMakeLists.txt 'project(none)\n' 'no list VIADUCT_USES_<layer>'

expect_clean style
expect_breach style stray.txt 'x\n' 'stray.txt:1: not one of the names'
expect_breach style src/core/string_util.cpp '\n' 'src/core/string_util.cpp:1: a file name says'
expect_breach style src/core/BadName.cpp '\n' 'src/core/BadName.cpp:1: source files have snake_case names'
expect_breach style src/core/long.cpp "$(printf '//\\n%.0s' $(seq 501))" 'src/core/long.cpp:501: more than 500 lines'
expect_breach style src/core/wide.cpp "\n//$(printf 'x%.0s' $(seq 99))\n" 'src/core/wide.cpp:2: more than 100 columns'
expect_breach style src/core/function.cpp "\n$(function_of 61)" 'src/core/function.cpp:2: a function of 61 lines'
many=$(for _ in $(seq 20); do function_of 31; done)
expect_breach style src/core/functions.cpp "$many" 'have 31 lines or fewer; 30 is the most'
expect_breach style launch/later.sh "x=1\n# TO""DO: later\n" 'launch/later.sh:2: unfinished work'
expect_breach style src/core/place.cpp '\n\n// see /scratch''/notes\n' 'src/core/place.cpp:3: an absolute path'
expect_breach style src/stats/print.cpp 'std::cout << 1;\n' 'src/stats/print.cpp:1: a layer neither prints'
expect_breach style src/stats/guard.hpp '// What for.\n' 'src/stats/guard.hpp:1: a header begins with'
expect_breach style src/stats/mute.hpp '#pragma once\n#include <string>\n' 'src/stats/mute.hpp:2: a header says first'

expect_clean nccl_symbols
expect_breach nccl_symbols src/worker '  U ncclAllReduce\n  U ncclAlltoAll\n' 'ncclAlltoAll: not in NCCL 2.18'
expect_breach nccl_symbols src/worker '  U ncclMemAlloc@NCCL_2\n' 'ncclMemAlloc: not in NCCL 2.18'
expect_breach nccl_symbols src/worker '  U cudaMalloc\n' 'links no call of NCCL'

echo "planted: $tried trees, $failed with a wrong answer"
[[ $failed -eq 0 ]]
