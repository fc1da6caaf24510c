#!/usr/bin/env bash
# Rules on files that no compiler checks. Prints one line for each breach (file:line: what), exit 1 when there is one.
#
#   check_style.sh [ROOT]

# awk programs stand in single quotes, and their $ is awk's.
# shellcheck disable=SC2016
set -euo pipefail

readonly max_file_lines=500
readonly max_function_lines=60
readonly max_p90_function_lines=30
readonly max_columns=100

root=${1:-$(dirname -- "$0")/../..}
cd -- "$root"
[[ -f CMakeLists.txt ]] || { echo "check_style: no CMakeLists.txt in '$root'; right: check_style.sh <repository>"; exit 2; }

breaches=$(mktemp)
trap 'rm -f -- "$breaches"' EXIT

# The files of the project, not what was built or measured here.
list_files() {
  find . \( -path ./.git -o -path ./build -o -path './build-*' -o -path ./results/runs -o \
    -path ./viaduct-results -o -path ./.cache -o -name __pycache__ \) -prune -o -type f -print0
}

list_sources() {
  list_files | grep -zE '\.(cpp|hpp|cu|cuh)$' || true
}

check_top_level() {
  local name
  for name in *; do
    case $name in
      CMakeLists.txt | CMakePresets.json | README.md | compile_commands.json) ;;
      src | collectives | launch | configs | tests | results) ;;
      build | build-* | viaduct-results) ;; # made here and ignored by git
      *) echo "$name:1: not one of the names that the top level may hold" ;;
    esac
  done
}

check_names() {
  list_files | tr '\0' '\n' | sed 's|^\./||' | while IFS= read -r file; do
    case ${file##*/} in
      *util.* | *utils.* | *common.* | *helper.* | *helpers.* | *manager.*)
        echo "$file:1: a file name says what the file holds, not 'util', 'common', 'helper' or 'manager'" ;;
    esac
    if [[ $file =~ \.(cpp|hpp|cu|cuh)$ && ! ${file##*/} =~ ^[a-z][a-z0-9_]*\.(cpp|hpp|cu|cuh)$ ]]; then
      echo "$file:1: source files have snake_case names"
    fi
  done
}

check_lengths() {
  list_sources | xargs -0 -r awk -v most="$max_file_lines" -v columns="$max_columns" '
    FNR == 1 && NR > 1 && previous > most { print name ":" previous ": more than " most " lines" }
    { name = substr(FILENAME, 3); previous = FNR }
    length($0) > columns && !/"/ { print name ":" FNR ": more than " columns " columns" }
    END { if (previous > most) print name ":" previous ": more than " most " lines" }'
}

# A function of a formatted source begins in column 1 (namespaces are not indented) and ends with "}" in column 1.
check_functions() {
  list_sources | xargs -0 -r awk -v most="$max_function_lines" -v p90="$max_p90_function_lines" '
    FNR == 1 { start = 0; held = 0; name = substr(FILENAME, 3) }
    /^[A-Za-z_~].*/ && !start && !held { held = FNR; text = "" }
    held { text = text $0 }
    held && /[;:]$/ && text !~ /\{/ { held = 0 }
    held && /\{$/ {
      if (text !~ /^(namespace|class|struct|enum|union|extern|inline namespace)/ &&
          text !~ /^template.*>[ ]*(class|struct)/ && text ~ /\(/) start = held
      held = 0
    }
    /^}/ {
      held = 0
      if (start) {
        lines = FNR - start + 1
        if (lines > most) print name ":" start ": a function of " lines " lines; " most " is the most"
        ++seen[lines]; ++total; start = 0
      }
    }
    END {
      for (lines = 1; total >= 20 && lines <= 10000; ++lines) {
        below += seen[lines]
        if (below >= 0.9 * total) {
          if (lines > p90)
            print "all sources:1: nine functions of ten have " lines " lines or fewer; " p90 " is the most"
          break
        }
      }
    }'
}

# Words are spelled in two parts so that this file keeps its own rules.
check_words() {
  local places='(^|[^A-Za-z0-9_.$}*-])/(work|ho''me|Users|scratch)/[A-Za-z]'
  list_files | xargs -0 -r grep -nIE "\b(TO""DO|FIX""ME|XX""X|HA""CK)\b" -- |
    sed -E 's|^\./||; s|^([^:]*:[0-9]+):.*|\1: unfinished work belongs into an issue|' || true
  list_files | xargs -0 -r grep -nIE "$places" -- |
    sed -E 's|^\./||; s|^([^:]*:[0-9]+):.*|\1: an absolute path of one machine|' || true
}

# Layers throw; only the mains print and end the process.
check_printing() {
  [[ -d src ]] || return 0
  find src collectives launch -path src/app -prune -o -type f \( -name '*.cpp' -o -name '*.hpp' \) -print0 2>/dev/null |
    xargs -0 -r grep -nE 'std::(cout|cerr|exit|abort|quick_exit)\b|(^|[^A-Za-z_])(printf|puts)\(|fmt::print\(|MPI_Abort\(' -- |
    sed -E 's|^([^:]*:[0-9]+):.*|\1: a layer neither prints nor ends the process; throw viaduct::Error|' || true
}

check_headers() {
  local file
  while IFS= read -r -d '' file; do
    [[ $(head -n 1 -- "$file") == '#pragma once' ]] || echo "${file#./}:1: a header begins with #pragma once"
    [[ $(sed -n 2p -- "$file") == //* ]] || echo "${file#./}:2: a header says first what it is for"
  done < <(list_files | grep -zE '^\./(src|collectives|launch)/.*\.(hpp|cuh)$' || true)
}

for check in top_level names lengths functions words printing headers; do
  "check_$check" >>"$breaches"
done

if [[ -s $breaches ]]; then
  sort -u -t: -k1,1 -k2,2n "$breaches"
  exit 1
fi
echo "check_style: $(list_files | tr -dc '\0' | wc -c) files looked at, $(list_sources | tr -dc '\0' | wc -c) of them sources"
