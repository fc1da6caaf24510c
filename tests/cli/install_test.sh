#!/usr/bin/env bash
# An installed tree runs where it was moved to, and holds no path of the build.
#
#   install_test.sh CMAKE BUILD_FOLDER

set -euo pipefail

cmake=${1:?right: install_test.sh CMAKE BUILD_FOLDER}
build=${2:?}
here=$(cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

fail() {
  echo "FAIL: $*" >&2
  exit 1
}

"$cmake" --install "$build" --prefix "$work/first" >"$work/install.log" || fail "$(cat "$work/install.log")"
moved="$work/moved to a folder with blanks"
mv -- "$work/first" "$moved"

"$here/expect.sh" --out '^viaduct [0-9]+\.[0-9]+\.[0-9]+' --err-lines 0 -- "$moved/bin/viaduct" --version
"$here/expect.sh" --out '^quick' -- "$moved/bin/viaduct" list plans
[[ -s $moved/share/viaduct/schema/viaduct-result.schema.json ]] || fail "no schema in the tree"

for program in viaduct viaduct-rank viaduct-worker; do
  [[ -x $build/bin/$program ]] || continue
  [[ -x $moved/bin/$program ]] || fail "$program was built but not installed"
  if readelf -d "$moved/bin/$program" | grep -E 'R(UN)?PATH' | grep -qF -- "$build"; then
    fail "$program looks for libraries in the build folder: $(readelf -d "$moved/bin/$program" | grep -E 'R(UN)?PATH')"
  fi
done

if [[ -x $moved/bin/viaduct-rank ]]; then
  "$here/expect.sh" --limit 90 --out 'all_reduce' -- "$moved/bin/viaduct" launch -n 2 -- run all_reduce --engine mpi \
    --paths double-copy -b 8 -e 8 -n 10 --out "$work/out"
fi
