# What scripts that look at one run share: how they fail, and how its result file is judged.
# Sourced after `out`, `python` and `source_folder` are set.
# shellcheck shell=bash disable=SC2154

fail() {
  echo "FAIL: $*" >&2
  exit 1
}

skip() {
  echo "SKIPPED: $*"
  exit 77
}

expect() {
  "$source_folder/tests/cli/expect.sh" "$@" || exit 1
}

# The one result file of the folder.
result_file() {
  local files=("$out"/*.jsonl)
  [[ ${#files[@]} -eq 1 && -f ${files[0]} ]] || fail "wanted one result file in $out, there are: $(ls -A "$out")"
  printf '%s\n' "${files[0]}"
}

# check_records WORDS...: by the schema, and by check_result.py.
check_records() {
  local file
  file=$(result_file)
  "$python" "$source_folder/tests/lint/validate_results.py" \
    "$source_folder/results/viaduct-result.schema.json" "$file" || fail "$file breaks the schema"
  "$python" "$source_folder/tests/cli/check_result.py" "$file" "$@" || fail "$file is not as wanted"
}
