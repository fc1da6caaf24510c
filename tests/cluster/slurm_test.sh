#!/usr/bin/env bash
# A real Slurm on this machine: munge, slurmctld and four slurmd, each on a host made of a network namespace, with GPUs
# that are device files only. What a run does under srun and sbatch, when it is cancelled and at its time limit.
#
#   slurm_test.sh SCENARIO BIN_FOLDER SOURCE_FOLDER

set -euo pipefail

scenario=${1:?right: slurm_test.sh SCENARIO BIN_FOLDER SOURCE_FOLDER}
bin=${2:?}
source_folder=${3:?}
# shellcheck source-path=SCRIPTDIR source=scenario.sh
source "$(dirname -- "$0")/scenario.sh"
trap 'end_scenario' EXIT

limited=$TESTBED_DIR/limited
tcp=(--engine mpi --paths tcp)

slurm() {
  "$testbed/slurm-run" "$@"
}

end_scenario() {
  local code=$?
  trap - EXIT
  rm -rf -- "$work"
  exit "$code"
}

need_slurm() {
  need_namespaces
  need_programs slurmctld slurmctld
  need_programs slurmd slurmd
  need_programs slurm-client srun sbatch salloc scancel
  need_programs munge munged mungekey
}

# The job that meets its time limit runs beside the other scenarios: Slurm's limits are whole minutes.
scenario_up() {
  "$testbed/hosts-up" 4 2
  SLURM_ON_HOSTS=1 "$testbed/slurm-up" 4
  mkdir -p -- "$limited"
  cat >"$limited/job.sh" <<JOB
#!/bin/bash
#SBATCH --nodelist=host4 --nodes=1 --ntasks=2 --time=1 --output=$limited/said
sleep 30
srun --mpi=pmix "$viaduct" run all_reduce ${tcp[*]} -b 8 -e 1G -f 1.01 --time 1 --out "$limited/out"
JOB
  slurm sbatch --parsable "$limited/job.sh" >"$limited/id"
}

scenario_down() {
  "$testbed/slurm-down"
  "$testbed/hosts-down"
  ! grep -F " $TESTBED_DIR/" /proc/mounts || fail "mounts are left"
  rm -rf -- "$TESTBED_DIR"
}

# submit SCRIPT_TEXT: on two nodes with two GPUs each, waits for its end; its words are in $work/job.
submit() {
  local id
  printf '#!/bin/bash\n#SBATCH --nodelist=host[1-2] --nodes=2 --ntasks-per-node=2 --gpus-per-node=2 --output=%s\n%s\n' \
    "$work/job" "$1" >"$work/job.sh"
  id=$(slurm sbatch --parsable "$work/job.sh")
  wait_for 120 job_is_over "$id" || fail "job $id is not over after 120 s: $(cat "$work/job")"
}

job_is_over() {
  [[ -z $(slurm squeue --noheader --jobs "$1" --states PENDING,RUNNING,COMPLETING 2>/dev/null) ]]
}

job_says() {
  grep -qE -- "$1" "$work/job" || fail "the job does not say '$1': $(cat "$work/job")"
}

# The same plan under mpirun, srun and sbatch: what was measured is the same to the last key; only numbers, and what the
# launcher brings with it, differ.
scenario_same_plan() {
  local plan=$here/plan.json
  local words=(run "$plan" --quiet --out out)
  mkdir -p -- "$work"/{mpirun,srun,sbatch}
  (cd -- "$work/mpirun" && expect --limit 90 --out complete -- \
    "$testbed/hosts-run" mpirun --host host1:2,host2:2 "$viaduct" "${words[@]}")
  (cd -- "$work/srun" && expect --limit 90 --out complete -- \
    "$testbed/slurm-run" srun --nodelist='host[1-2]' --nodes=2 --ntasks-per-node=2 --mpi=pmix "$viaduct" "${words[@]}")
  submit "cd '$work/sbatch' && srun --mpi=pmix '$viaduct' ${words[*]}"
  job_says '^complete'
  "$python" "$here/same_but_for_launch.py" "$work"/{mpirun,srun,sbatch}/out/*.jsonl ||
    fail "the results differ in more than launcher fields and numbers"
}

# `viaduct launch` in a batch script takes srun, spreads the ranks and asks for the GPUs; mpirun there has both
# launchers' variables, of which only its own are about its ranks.
scenario_sbatch() {
  submit "
export NCCL_CHECK_POINTERS=0
'$viaduct' launch -n 4 --dry-run -- run all_reduce --engine nccl
'$viaduct' launch --per-host 2 -- run all_reduce ${tcp[*]} -b 8 -e 8 -n 10 --out '$out' && echo launched well
mpirun '$viaduct' run all_reduce ${tcp[*]} -b 8 -e 8 -n 10 --out '$work/mpirun' && echo mpirun went well
'$viaduct' launch -n 6 -- run all_reduce --engine nccl; echo refused with \$?"
  job_says '^srun -n 4 --mpi=pmix --nodes=2 --ntasks-per-node=2 .*--gpus-per-node=2 --gpu-bind=none --cpu-bind=none'
  job_says 'launched well'
  job_says 'mpirun went well'
  ! grep -q 'says otherwise' "$work/job" || fail "a warning about local ranks: $(cat "$work/job")"
  job_says '3 ranks on each host, but the allocation has 2 GPUs'
  job_says 'refused with 2'
  check_result --ranks 4 --ok 1
  "$python" "$here/check_manifest.py" "$(result_file)" --hosts host1,host2 --ranks-per-host 2 \
    --variable NCCL_CHECK_POINTERS=0 || fail "the manifest is not as wanted"
}

attempt_has_a_case() {
  grep -qs '"record":"measurement"' "$work/results/$1"/*.jsonl "$work/results/$1"/.blocks-*/*.jsonl
}

# The batch file of users: a requeued job keeps the interrupted result of its first attempt beside that of its second.
scenario_batch_file() {
  local id
  id=$(VIADUCT=$viaduct VIADUCT_OUT=$work/results VIADUCT_PLAN=all_reduce \
    VIADUCT_ARGS="${tcp[*]} -b 8 -e 32 -f 2 --time 3 --quiet" \
    slurm sbatch --parsable --nodelist='host[1-2]' --nodes=2 --ntasks-per-node=2 --gpus-per-node=2 --time=5 \
    --output="$work/job" "$source_folder/launch/viaduct.sbatch")
  wait_for 60 attempt_has_a_case "$id.0" || fail "no case in the first attempt: $(cat "$work/job")"
  slurm scontrol requeue "$id"
  wait_for 30 job_waits_again "$id" || fail "job $id is not queued again: $(slurm squeue --jobs "$id")"
  # Slurm lets a requeued job wait for two minutes.
  slurm scontrol update "JobId=$id" StartTime=now
  wait_for 90 job_is_over "$id" || fail "job $id is not over: $(cat "$work/job")"
  job_says "attempt 0 of job $id"
  job_says "attempt 1 of job $id"
  out=$work/results/$id.0
  check_result --end interrupted --at-least-ok 1
  out=$work/results/$id.1
  check_result --ranks 4 --ok 3
}

job_waits_again() {
  [[ $(slurm squeue --noheader --jobs "$1" --format %T 2>/dev/null) == PENDING ]]
}

# Tasks that each believe to be alone, as with an MPI library that does not know this Slurm: Open MPI is kept from
# seeing that srun started it.
scenario_singletons() {
  # shellcheck disable=SC2016
  expect --exit 3 --limit 60 --err 'viaduct: .*alone in MPI_COMM_WORLD.*started 2 ranks.*--mpi=pmix' -- \
    "$testbed/slurm-run" srun --nodelist=host1 --ntasks=2 --mpi=none \
    sh -c 'exec env -i PATH="$PATH" HOME="$HOME" SLURM_PROCID="$SLURM_PROCID" \
      SLURM_STEP_NUM_TASKS="$SLURM_STEP_NUM_TASKS" "$@"' sh \
    "$viaduct" run all_reduce "${tcp[@]}" -b 8 -e 8 -n 10 --allow-single --out "$out"
}

long_run=(run all_reduce "${tcp[@]}" -b 8 -e 1M -f 2 --time 2 --out "$out")

scenario_scancel() {
  start slurm srun --job-name="cancelled-$$" --nodelist='host[1-2]' --nodes=2 --ntasks-per-node=2 --mpi=pmix \
    "$viaduct" "${long_run[@]}"
  wait_for_a_case
  slurm scancel --name="cancelled-$$"
  ends_with 143 30
  says 'viaduct: signal 15 .*partial result'
  check_result --end interrupted --at-least-ok 1
}

# At SIGTERM srun itself would kill the ranks before they can say a word.
scenario_interrupted() {
  start slurm salloc --quiet --nodelist='host[1-2]' --nodes=2 --ntasks-per-node=2 \
    sh -c "echo \$\$ >'$work/pid'; exec '$viaduct' launch --per-host 2 -- ${long_run[*]}"
  wait_for_a_case
  kill -TERM "$(cat "$work/pid")"
  ends_with 143 30
  check_result --end interrupted --at-least-ok 1
}

scenario_time_limit() {
  local id
  id=$(cat "$limited/id")
  wait_for 150 job_is_over "$id" || fail "job $id still runs: $(cat "$limited/said")"
  grep -q 'DUE TO TIME LIMIT' "$limited/said" || fail "it did not end at its limit: $(cat "$limited/said")"
  out=$limited/out
  check_result --end interrupted --at-least-ok 1
}

# Ranks of the limited job are host4's.
no_rank_but_of_the_limited_job_runs() {
  local pid
  for pid in $(ranks); do
    [[ $(nsenter --uts="/proc/$pid/ns/uts" uname -n 2>/dev/null || echo host4) == host4 ]] || return 1
  done
}

need_slurm
if [[ $scenario != up && $scenario != down && ! -f $TESTBED_DIR/slurm/up ]]; then
  scenario_up
fi
"scenario_$scenario"
if [[ $scenario != up && $scenario != down && $scenario != time_limit ]]; then
  wait_for 30 no_rank_but_of_the_limited_job_runs || fail "ranks are left: $(ranks)"
fi
