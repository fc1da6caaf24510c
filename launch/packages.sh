# Installs what is missing, and only that. Sourced by launch/quickstart and tests/run; knows nothing of building.
# shellcheck shell=bash

# What the programs need; tests/run adds its own.
# shellcheck disable=SC2034
readonly viaduct_packages=(
  cmake ninja-build g++ libopenmpi-dev openmpi-bin libcli11-dev nlohmann-json3-dev libfmt-dev
  libhwloc-dev libjs-chart.js)

# A program from elsewhere (a module, a vendor's MPI) serves as well as the package.
package_is_served() {
  case $1 in
    cmake) command -v cmake ;;
    ninja-build) command -v ninja ;;
    g++) command -v g++ ;;
    libopenmpi-dev) command -v mpicxx ;;
    openmpi-bin) command -v mpirun ;;
    nodejs) command -v node ;;
    npm) command -v npm ;;
    chromium) command -v chromium || command -v chromium-browser || command -v google-chrome ;;
    *) return 1 ;;
  esac >/dev/null
}

package_is_installed() {
  [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# Prints the packages of the list that are not there.
missing_packages() {
  local package
  for package in "$@"; do
    package_is_served "$package" || package_is_installed "$package" || printf '%s\n' "$package"
  done
}

# run_logged LIMIT_S LOG COMMAND...: silent, with a deadline; on failure one line, the log's end, and the exit code.
run_logged() {
  local limit_s=$1 log=$2 code=0
  shift 2
  timeout --foreground "$limit_s" "$@" >>"$log" 2>&1 </dev/null || code=$?
  [[ $code -ne 0 ]] || return 0
  if [[ $code -eq 124 ]]; then
    echo "failed: '$*' did not end within $limit_s s; its output is in $log, the last lines:" >&2
  else
    echo "failed: '$*' (exit code $code); its output is in $log, the last lines:" >&2
  fi
  tail -n 25 -- "$log" >&2
  return "$code"
}

# install_missing LOG PACKAGE...
install_missing() {
  local log=$1
  shift
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "packages: not a Debian system, nothing is installed; needed (Debian names): $*"
    return 0
  fi
  local missing=()
  mapfile -t missing < <(missing_packages "$@")
  [[ ${#missing[@]} -gt 0 ]] || return 0
  local as_root=()
  if [[ $(id -u) -ne 0 ]]; then
    if ! sudo -n true 2>/dev/null; then
      echo "packages missing, and this user may not install them; run: sudo apt-get install ${missing[*]}" >&2
      return 2
    fi
    as_root=(sudo -n)
  fi
  echo "packages: installing ${missing[*]}"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=120)
  run_logged 300 "$log" "${apt[@]}" update || return
  run_logged 900 "$log" "${apt[@]}" install -y --no-install-recommends "${missing[@]}"
}
