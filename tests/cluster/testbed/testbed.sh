# shellcheck shell=bash disable=SC2016,SC2034
# A cluster on one machine: hosts made of namespaces, and Slurm with several slurmd. Sourced by the scripts beside it.
#
# TESTBED_DIR   the one directory that holds all state (default ${TMPDIR:-/tmp}/testbed-state).
#               Testbeds in different directories do not see each other, so tests can run side by
#               side (Slurm clusters also need a SLURM_PORT each, unless they are on hosts).
# TESTBED_NET   first three octets of the hosts' network (default 10.77.0); it exists only
#               inside the namespaces that hosts-up makes, never on the machine itself

set -euo pipefail
shopt -s nullglob

die() { echo "${0##*/}: $*" >&2; exit 1; }

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TESTBED_DIR=${TESTBED_DIR:-${TMPDIR:-/tmp}/testbed-state}
mkdir -p "$TESTBED_DIR"
TESTBED_DIR=$(cd "$TESTBED_DIR" && pwd -P)
export TESTBED_DIR
case $here$TESTBED_DIR in *[[:space:]]*) die "no spaces in paths, please: mpirun and Slurm split at them" ;; esac
export TESTBED_NET=${TESTBED_NET:-10.77.0}
PATH=$PATH:/usr/sbin:/sbin

hosts=$TESTBED_DIR/hosts # state of the hosts-* scripts
slurm=$TESTBED_DIR/slurm # state of the slurm-* scripts

need() { # need COMMAND... : each must be there
  local c
  for c; do command -v "$c" >/dev/null || die "needs the command '$c'"; done
}

need_root() { [ "$(id -u)" = 0 ] || die "must be run as root"; }

wait_for() { # wait_for SECONDS COMMAND... : polls until the command succeeds
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.05
  done
}

default() { # default NAME VALUE : exports the variable unless the caller's environment has it
  export "$1=${!1-$2}"
}

# ---- processes: ended by pid only, and only those that are provably ours

none_alive() { # a zombie counts as dead: who reaps it is not our business
  local p
  for p; do if grep -q '^State:[[:space:]]*[^ZX]' "/proc/$p/status" 2>/dev/null; then return 1; fi; done
}

stop_pids() { # stop_pids PID... : SIGTERM, and SIGKILL after 3 s
  [ $# -gt 0 ] || return 0
  kill -TERM "$@" 2>/dev/null || true
  kill -CONT "$@" 2>/dev/null || true # a stopped process sees no SIGTERM
  wait_for 3 none_alive "$@" && return
  kill -KILL "$@" 2>/dev/null || true
  wait_for 5 none_alive "$@" || true
}

is_running() { [ "$(cat "/proc/$1/comm" 2>/dev/null)" = "$2" ]; } # is_running PID NAME

unmount() { # all mounts on a path, and only then is it safe to remove
  while mountpoint -q "$1"; do umount "$1" 2>/dev/null || umount -l "$1"; done
}

# ---- hosts: each is a network namespace plus a UTS namespace, held by bind-mounted files

switch_ns() { nsenter --net="$hosts/ns/switch.net" -- "$@"; } # run in the switch's namespace
host_net() { # host_net HOST COMMAND... : with the host's network, all else being the machine's
  local h=$1
  shift
  nsenter --net="$hosts/ns/$h.net" -- "$@"
}

# A mount namespace for a host, made anew for each command: DIR/etc-hosts is /etc/hosts, and
# DIR/shm/HOST is /dev/shm, so that two hosts never share a shared-memory file by accident.
private_mounts='
  mount --bind "$1/etc-hosts" /etc/hosts && mount --bind "$1/shm/$2" /dev/shm || exit 125'

# A /sys that shows the host's own network devices. The cgroups stay visible in it.
private_sys='
  {
    [ ! -d /sys/fs/cgroup ] || exec 9</sys/fs/cgroup
    mount -t sysfs sysfs /sys && mount -c --rbind /proc/self/fd/9 /sys/fs/cgroup
    exec 9<&-
  } 2>/dev/null'

# Runs a command inside a host: its network, its host name and its mounts. With IN_HOST_EXEC=1 it
# replaces this shell; every step is an exec, so the pid stays the same and signals reach the command.
in_host() {
  local h=$1
  shift
  set -- nsenter --net="$hosts/ns/$h.net" --uts="$hosts/ns/$h.uts" -- \
    unshare --mount -- sh -c "$private_sys; $private_mounts; shift 2; exec \"\$@\"" sh "$hosts" "$h" "$@"
  if [ "${IN_HOST_EXEC:-}" = 1 ]; then unset IN_HOST_EXEC; exec "$@"; else "$@"; fi
}

hosts_are_up() { [ -f "$hosts/up" ] && mountpoint -q "$hosts/ns/switch.net"; }

need_hosts() { hosts_are_up || die "no hosts: run hosts-up first (TESTBED_DIR=$TESTBED_DIR)"; }

need_host() { # is $1 one of ours?
  need_hosts
  [ -f "$hosts/ns/$1.uts" ] || die "no host '$1'; there are: $(awk '{print $1}' "$hosts/hostfile" | xargs)"
}

pids_in_host() { # the processes whose network namespace is that of host $1
  local inode
  inode=$(stat -Lc %i "$hosts/ns/$1.net" 2>/dev/null) || return 0
  find /proc/[0-9]*/ns/net -maxdepth 0 -lname "net:\\[$inode\\]" 2>/dev/null | cut -d/ -f3 || true
}

# ---- slurm

# Runs a Slurm client command against our cluster; where the cluster is in the hosts, from host1.
slurm_client() {
  local -x SLURM_CONF=$slurm/etc/slurm.conf
  if [ -f "$slurm/on-hosts" ]; then
    in_host host1 "$@"
  elif [ "${IN_HOST_EXEC:-}" = 1 ]; then
    unset IN_HOST_EXEC
    exec "$@"
  else
    "$@"
  fi
}
