#!/usr/bin/env bash
# Fails when viaduct-worker links a call of NCCL that 2.18, the oldest version that it must start with, does not have:
# such calls are looked up at run time. Exit 77 (skipped, with the reason) where there is no worker or no nm.
#
#   check_nccl_symbols.sh WORKER

set -euo pipefail

worker=${1:?right: check_nccl_symbols.sh WORKER}

# What nccl.h of 2.18 declares.
readonly known="
  ncclAllGather ncclAllReduce ncclBcast ncclBroadcast ncclRecv ncclReduce ncclReduceScatter ncclSend
  ncclCommAbort ncclCommCount ncclCommCuDevice ncclCommDestroy ncclCommFinalize ncclCommGetAsyncError ncclCommInitAll
  ncclCommInitRank ncclCommInitRankConfig ncclCommSplit ncclCommUserRank
  ncclGetErrorString ncclGetLastError ncclGetUniqueId ncclGetVersion
  ncclGroupEnd ncclGroupStart ncclRedOpCreatePreMulSum ncclRedOpDestroy"

if [[ ! -e $worker ]]; then
  echo "SKIPPED: no viaduct-worker here; it needs CUDA and NCCL, and is built first"
  exit 77
fi
if ! command -v nm >/dev/null; then
  echo "SKIPPED: no nm here; install binutils"
  exit 77
fi

symbols=$(nm -D --undefined-only -- "$worker" | awk '{ sub(/@.*/, "", $NF); print $NF }')
linked=$(grep -E '^p?nccl[A-Z]' <<<"$symbols" || true)
if [[ -z $linked ]]; then
  echo "check_nccl_symbols: '$worker' links no call of NCCL; is it viaduct-worker?"
  exit 1
fi
newer=0
for symbol in $linked; do
  if [[ ! " ${known//$'\n'/ } " == *" $symbol "* ]]; then
    echo "$symbol: not in NCCL 2.18; look it up in nccl_library.cpp"
    newer=1
  fi
done
echo "check_nccl_symbols: $(wc -w <<<"$linked") calls looked at"
exit "$newer"
