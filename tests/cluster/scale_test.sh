#!/usr/bin/env bash
# Many ranks on this one machine, far more than cores: they start, agree, measure a barrier and a small all_reduce, and
# end; and the result file grows with hosts and ranks by little.
#
#   scale_test.sh SCENARIO BIN_FOLDER SOURCE_FOLDER

set -euo pipefail

scenario=${1:?right: scale_test.sh SCENARIO BIN_FOLDER SOURCE_FOLDER}
bin=${2:?}
source_folder=${3:?}
# shellcheck source-path=SCRIPTDIR source=scenario.sh
source "$(dirname -- "$0")/scenario.sh"
trap 'rm -rf -- "$work"; rmdir -- "$TESTBED_DIR" 2>/dev/null || true' EXIT

# Of the limit most is for machines that do other things at the same time.
scenario_ranks_64() {
  local started=$SECONDS bytes
  need_programs openmpi-bin mpirun
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 expect --limit 120 --out '64 ranks on 1 host' -- \
    mpirun -n 64 --oversubscribe --bind-to none "$viaduct" run barrier all_reduce --engine mpi --paths double-copy \
    -b 8 -e 8 -n 100 -w 10 --out "$out"
  check_result --ranks 64 --operations all_reduce,barrier --ok 2
  bytes=$(wc -c <"$(result_file)")
  echo "64 ranks in $((SECONDS - started)) s, $bytes bytes of result"
  [[ $bytes -lt 60000 ]] || fail "a result of $bytes bytes for two measurements on 64 ranks"
}

"scenario_$scenario"
