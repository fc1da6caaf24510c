# Configures and builds one build folder, once. Sourced by launch/quickstart and tests/run.
# shellcheck shell=bash

# As many compilers as there are cores, but each with 1 GB of memory.
build_jobs() {
  local cores free_gb
  cores=$(nproc)
  free_gb=$(awk '/^MemAvailable:/ { print int($2 / 1000000) }' /proc/meminfo)
  echo $((free_gb < 1 ? 1 : free_gb < cores ? free_gb : cores))
}

# The value of a variable of the CMake cache; nothing when there is no cache.
cached() {
  sed -n "s|^$2:[A-Z]*=||p" "$1/CMakeCache.txt" 2>/dev/null || true
}

# is_configured ROOT BUILD [-DNAME=VALUE...]: whether the folder was configured for this tree, and with these values.
is_configured() {
  local root=$1 build=$2 wanted name
  shift 2
  [[ -f $build/build.ninja && $(cached "$build" CMAKE_HOME_DIRECTORY) == "$root" ]] || return 1
  for wanted in "$@"; do
    name=${wanted#-D}
    [[ $(cached "$build" "${name%%=*}") == "${wanted#*=}" ]] || return 1
  done
}

# What both scripts configure alike, one value a line: so the second of the two takes over the objects of the first.
shared_values() {
  echo -DVIADUCT_WERROR=ON
  ! command -v ccache >/dev/null || echo -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
}

# Whether the build ended at a warning that is an error only because it was asked to be.
stopped_by_warning() {
  grep -q 'error:.*\[-Werror' "$1"
}

# configure ROOT BUILD LOG -DNAME=VALUE...: shows the lines on what was found or is left out.
configure() {
  local root=$1 build=$2 log=$3 fresh=()
  shift 3
  # A folder of another generator, or one that came here with a copied tree, begins anew.
  if [[ -f $build/CMakeCache.txt && ($(cached "$build" CMAKE_GENERATOR) != Ninja ||
    $(cached "$build" CMAKE_HOME_DIRECTORY) != "$root") ]]; then
    fresh=(--fresh)
  fi
  echo "configure: $build"
  run_logged 300 "$log" cmake "${fresh[@]}" -S "$root" -B "$build" -G Ninja "$@" || return
  sed -nE 's/^-- ((MPI|CUDA|hwloc)[^:]*: .*)/  \1/p' "$log"
}

# build_target BUILD LOG TARGET
build_target() {
  local build=$1 log=$2 target=$3 jobs started
  if ninja -C "$build" -n "$target" 2>/dev/null | grep -q 'no work to do'; then
    return 0
  fi
  jobs=$(build_jobs)
  started=$SECONDS
  echo "build: $target in $build with $jobs jobs"
  run_logged 2400 "$log" cmake --build "$build" --target "$target" --parallel "$jobs" || return
  echo "build: done in $((SECONDS - started)) s"
}
