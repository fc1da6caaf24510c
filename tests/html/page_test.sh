#!/usr/bin/env bash
# Opens HTML reports in headless Chromium and looks at them (page_test.mjs).
#
#   page_test.sh VIADUCT FOLDER      FOLDER: in the build; playwright-core is installed there, once
#
# Exit 77 with a line "SKIPPED: reason" where Node.js, Chromium, Chart.js or the network is missing.

set -euo pipefail

viaduct=$1
folder=$2
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)

skip() {
  echo "SKIPPED: $1"
  exit 77
}

command -v node >/dev/null || skip "Node.js is not installed (Debian: nodejs)"
command -v python3 >/dev/null || skip "python3 is not installed"
browser=""
for name in chromium chromium-browser google-chrome; do
  browser=${browser:-$(command -v "$name" || true)}
done
[[ -n $browser ]] || skip "Chromium is not installed (Debian: chromium)"

mkdir -p -- "$folder"
cp -- "$here/package.json" "$folder/"
if ! [[ -d $folder/node_modules/playwright-core ]]; then
  command -v npm >/dev/null || skip "npm is not installed (Debian: npm), and playwright-core is not in $folder"
  timeout 120 npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund >"$folder/npm.log" 2>&1 </dev/null ||
    skip "npm could not install playwright-core (no network?); see $folder/npm.log"
fi

for kind in paths pairs many partial; do
  python3 "$here/make_result.py" "$kind" "$folder/$kind.jsonl"
done
cd -- "$folder"
code=0
"$viaduct" report paths.jsonl pairs.jsonl --format html -o report.html 2>report.err || code=$?
if [[ $code -eq 2 ]] && grep -q "Chart.js" report.err; then
  skip "this build has no Chart.js (Debian: libjs-chart.js)"
fi
[[ $code -eq 0 ]] || { cat report.err; echo "viaduct report ended with $code"; exit 1; }
"$viaduct" report many.jsonl --format html -o many.html
"$viaduct" report partial.jsonl --format html -o partial.html

cp -- "$here/page_test.mjs" "$folder/"
exec timeout 560 node page_test.mjs "$browser"
