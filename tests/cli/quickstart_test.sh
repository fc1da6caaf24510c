#!/usr/bin/env bash
# launch/quickstart with doubles of the package manager, the compiler tools and the programs: what it asks of each.
# Runs in a folder with blanks and from elsewhere.
#
#   quickstart_test.sh SOURCE_FOLDER

# The conditions of check() are called by name, and the doubles' $ is their own.
# shellcheck disable=SC2016,SC2317

set -euo pipefail

source_folder=${1:?right: quickstart_test.sh SOURCE_FOLDER}
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
tree="$work/a folder with blanks"
doubles=$work/doubles
calls=$work/calls
failed=0

mkdir -p -- "$tree/launch" "$tree/results" "$doubles"
cp -- "$source_folder"/launch/{quickstart,packages.sh,build.sh} "$tree/launch/"

# double NAME: a program of that name, its text from standard input; every call is recorded.
double() {
  { printf '#!/bin/bash\nprintf "%%s" "%s" >>"$CALLS"; printf " %%s" "$@" >>"$CALLS"; echo >>"$CALLS"\n' "$1" && cat; } >"$doubles/$1"
  chmod +x "$doubles/$1"
}

double dpkg-query <<'DOUBLE'
[[ " $MISSING " == *" ${!#} "* ]] || echo -n installed
DOUBLE
double apt-get <<'DOUBLE'
exit "${APT_EXIT:-0}"
DOUBLE
double id <<'DOUBLE'
echo "$FAKE_USER"
DOUBLE
double sudo <<'DOUBLE'
exit 1
DOUBLE
double nvidia-smi <<'DOUBLE'
printf 'GPU 0: Some GPU\nGPU 1: Some GPU\nGPU 2: Some GPU\n'
DOUBLE
double ninja <<'DOUBLE'
[[ -x $2/bin/viaduct ]] && echo 'ninja: no work to do.'
exit 0
DOUBLE
double cmake <<'DOUBLE'
if [[ $1 == --build ]]; then
  if [[ -n ${WARNS-} && ! -e $2/werror-off ]]; then
    echo 'file.cpp:1: error: planted [-Werror=unused]'
    exit 1
  fi
  [[ ${BUILD_EXIT:-0} -eq 0 ]] || { echo 'file.cpp:1: error: planted'; exit "$BUILD_EXIT"; }
  mkdir -p "$2/bin"
  cp "$DOUBLES/viaduct-double" "$2/bin/viaduct"
  touch "$2/bin/viaduct-rank" && chmod +x "$2/bin/viaduct-rank"
  [[ -z ${WITH_WORKER-} ]] || { touch "$2/bin/viaduct-worker" && chmod +x "$2/bin/viaduct-worker"; }
else
  echo "-- MPI: found 3.1"
  mkdir -p "$4" && touch "$4/build.ninja"
  [[ " $* " != *" -DVIADUCT_WERROR=OFF "* ]] || touch "$4/werror-off"
  printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\nCMAKE_GENERATOR:INTERNAL=Ninja\n' "$2" >"$4/CMakeCache.txt"
fi
DOUBLE
double viaduct-double <<'DOUBLE'
if [[ $1 == report ]]; then
  echo table >"$4"
else
  while [[ $# -gt 0 && $1 != --out ]]; do shift; done
  mkdir -p "${2:-/nonexistent}" && echo '{}' >"$2/quick-$RANDOM$RANDOM.jsonl"
  echo "THE TABLE"
  exit "${RUN_EXIT:-0}"
fi
DOUBLE

# quickstart NAME [VARIABLE=VALUE...] -- [WORDS...]: sets said, code; the calls of this run alone are in $calls.
quickstart() {
  name=$1
  shift
  local variables=()
  while [[ $1 != -- ]]; do
    variables+=("$1")
    shift
  done
  shift
  : >"$calls"
  code=0
  said=$(cd / && env -u CUDA_VISIBLE_DEVICES CALLS="$calls" DOUBLES="$doubles" MISSING="" FAKE_USER=0 \
    PATH="$doubles:$PATH" "${variables[@]}" timeout 60 "$tree/launch/quickstart" "$@" 2>&1) || code=$?
}

check() { # WHAT CONDITION...
  local what=$1
  shift
  if ! "$@"; then
    printf 'FAIL: %s: %s\nit said (exit code %s):\n%s\ncalls:\n%s\n' "$name" "$what" "$code" "$said" "$(cat "$calls")"
    failed=1
  fi
}

called() { grep -qE -- "$1" "$calls"; }
not_called() { ! called "$1"; }
says() { grep -qE -- "$1" <<<"$said"; }
exits() { [[ $code -eq $1 ]]; }

anew() { rm -rf -- "$tree/build" "$tree/results/runs"; }

quickstart help -- --help
check "exit 0" exits 0
check "usage" says '^usage: launch/quickstart'
check "nothing is done" not_called .

quickstart 'not root, no sudo' FAKE_USER=1000 MISSING='libfmt-dev libcli11-dev' --
check "exit 1" exits 1
check "the command to run" says 'run: sudo apt-get install libcli11-dev libfmt-dev$'
check "no installation" not_called '^apt-get'
check "no build" not_called '^cmake'

quickstart 'installation fails' MISSING='libfmt-dev' APT_EXIT=100 --
check "exit 1" exits 1
check "says why" says "failed: .*apt-get.*exit code 100"

quickstart 'no GPU' CUDA_VISIBLE_DEVICES= MISSING='libfmt-dev' --
check "exit 0" exits 0
check "list of packages brought up to date" called '^apt-get .*update$'
check "only what is missing" called '^apt-get .* install -y --no-install-recommends libfmt-dev$'
check "configured without tests" called "^cmake -S $tree -B $tree/build -G Ninja -DVIADUCT_TESTS=OFF"
check "the values that tests/run has too" called "-DVIADUCT_TESTS=OFF -DVIADUCT_WERROR=ON"
check "what was found" says '^  MPI: found 3.1$'
check "four ranks, host memory" called "launch -n 4 -- run quick --engine mpi --out $tree/results/runs$"
check "the table" says '^THE TABLE$'
check "where the table is kept" says "^table: $tree/results/runs/quick-[0-9]+.txt$"
check "the table is there" test -s "$(sed -n 's/^table: //p' <<<"$said")"

quickstart 'second run' CUDA_VISIBLE_DEVICES= -- --time 1 --paths 'tcp'
check "exit 0" exits 0
check "no package manager" not_called '^apt-get'
check "nothing built" not_called '^cmake'
check "words are passed on" called 'run quick --time 1 --paths tcp --engine mpi --out'

quickstart 'exit code' CUDA_VISIBLE_DEVICES= RUN_EXIT=7 --
check "passed on" exits 7
check "table all the same" says '^table: '

quickstart 'own folder' CUDA_VISIBLE_DEVICES= -- --out "$work/elsewhere"
check "one --out" called "run quick --out $work/elsewhere --engine mpi$"
check "where the table is kept" says "^table: $work/elsewhere/quick-"

quickstart 'GPUs, but a build without CUDA' --
check "says so" says '^GPUs: 3 here, but CUDA or NCCL was not found'
check "host memory" called 'launch -n 4 -- run quick --engine mpi'

anew
quickstart 'three GPUs' WITH_WORKER=1 --
check "a rank for each" called 'launch -n 3 -- run quick --engine nccl'

quickstart 'one GPU of three is visible' CUDA_VISIBLE_DEVICES=2 --
check "one rank, allowed" called 'launch -n 1 -- run quick --engine nccl .*--allow-single'

quickstart 'GPUs, but the mpi engine is wanted' -- --engine=mpi
check "four ranks" called 'launch -n 4 -- run quick --engine=mpi --out'

anew
quickstart 'build fails' BUILD_EXIT=3 --
check "exit 1" exits 1
check "says why" says 'failed: .*exit code 3'
check "the compiler's words" says 'error: planted'
check "no measurement" not_called 'launch -n'

anew
quickstart 'a warning stops the build' CUDA_VISIBLE_DEVICES= WARNS=1 --
check "exit 0" exits 0
check "says so" says 'warns where ours does not'
check "once more without" called '-DVIADUCT_WERROR=OFF$'
check "the table" says '^THE TABLE$'

exit "$failed"
