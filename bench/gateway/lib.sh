# shellcheck shell=bash
# Shared by the measurements in this directory: a world of their own, the servers in it, the client.

root=${root:?must be set to the top of the tree by whoever reads this in}
readonly exit_missing=69 # EX_UNAVAILABLE, as in the launcher
readonly product=$root/target/bench-gateway
readonly client=$product/nfs-client
readonly bare=$product/bare

say() {
  printf 'sluice: %s\n' "$*" >&2
}

die() {
  say "$*"
  exit 1
}

# require PACKAGE:FILE...: ends the program when one of the files or commands is missing, and says
# which packages have them.
require() {
  local entry missing=()
  for entry in "$@"; do
    if [[ ${entry#*:} == /* ]]; then
      compgen -G "${entry#*:}" >/dev/null || missing+=("${entry%%:*}")
    else
      PATH=$PATH:/usr/sbin:/sbin command -v "${entry#*:}" >/dev/null || missing+=("${entry%%:*}")
    fi
  done
  if ((${#missing[@]} > 0)); then
    say "not installed: ${missing[*]}. On Debian: apt-get install ${missing[*]}"
    exit "$exit_missing"
  fi
  if [[ $(id -u) != 0 ]]; then
    say "root is needed: for namespaces, for mounts, and for servers that act as their callers"
    exit "$exit_missing"
  fi
}

# Builds the client unless it is newer than its sources.
build_client() {
  local sources=$root/bench/gateway/client
  if [[ -z $(find "$sources" -newer "$client" 2>&1) ]]; then return; fi
  mkdir -p "$product"
  cc -std=gnu17 -O2 -Wall -Wextra -Wconversion "$sources"/*.c -o "$client" ||
    die "the client does not compile"
}

# Builds the server without a protocol unless it is newer than its sources.
build_bare() {
  local sources=("$root/bench/gateway/bare" "$root/bench/gateway/client")
  if [[ -z $(find "${sources[@]}" -newer "$bare" 2>&1) ]]; then return; fi
  mkdir -p "$product"
  cc -std=gnu17 -O2 -Wall -Wextra -Wconversion "${sources[0]}"/*.c -o "$bare" -pthread ||
    die "the server without a protocol does not compile"
}

# start_bare EXPORT PORT: what sockets and the file system alone take; sets server_pid.
start_bare() {
  "$bare" "$1" "$2" >"$world/bare.log" 2>&1 &
  server_pid=$!
  await_port "$2" "$server_pid" "$world/bare.log"
}

# in_own_world COMMAND...: runs a command in namespaces of its own: a network that is loopback only,
# mounts that nobody else sees, and processes of which none outlives the command, however it ends.
in_own_world() {
  local keeper code=0
  setpriv --pdeathsig KILL \
    unshare --net --mount --pid --fork --kill-child --mount-proc "$@" &
  keeper=$!
  # The keeper lets no other signal end it, and the kernel ends its whole world with it.
  trap 'kill -KILL "$keeper" 2>/dev/null; exit 130' INT TERM HUP
  wait "$keeper" || code=$?
  trap - INT TERM HUP
  return "$code"
}

# To be called first in the new world. Makes $world, a directory in memory.
furnish_world() {
  ip link set lo up
  # rpcbind and ganesha keep their state in these; the machine's own must not be touched.
  mount -t tmpfs world /run
  if [[ -d /var/lib/nfs ]]; then mount -t tmpfs world /var/lib/nfs; fi
  world=/run/sluice
  mkdir "$world"
}

# await_port PORT PID LOG: waits until something listens.
await_port() {
  local tries
  for ((tries = 0; tries < 600; tries++)); do
    if (: <>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; then return; fi
    if ! kill -0 "$2" 2>/dev/null; then break; fi
    sleep 0.1
  done
  tail -n 20 "$3" >&2
  die "nothing listens on port $1; the server's last lines are above"
}

# Starts rpcbind and ganesha with its defaults on an export; sets server_pid.
start_ganesha() {
  local export=$1 port=$2 mount_port=$3 log=$world/ganesha.log
  mkdir -p /run/rpcbind /run/ganesha /var/lib/nfs/ganesha
  rpcbind -w
  cat >"$world/ganesha.conf" <<END
NFS_Core_Param {
  NFS_Port = $port;
  MNT_Port = $mount_port;
}
NFSv4 {
  # Nobody has anything to claim: it need not wait for that.
  Graceless = true;
}
EXPORT {
  Export_Id = 1;
  Path = $export;
  Pseudo = $export;
  Protocols = 3, 4;
  Access_Type = RW;
  Squash = No_Root_Squash;
  FSAL { Name = VFS; }
}
END
  ganesha.nfsd -F -L "$log" -f "$world/ganesha.conf" -p "$world/ganesha.pid" \
    >"$world/ganesha.out" 2>&1 &
  server_pid=$!
  await_port "$port" "$server_pid" "$log"
  await_port "$mount_port" "$server_pid" "$log"
}

# start_sluice NAME PORT JAVA_OPTIONS: starts our gateway with the configuration $world/NAME.yaml;
# sets server_pid.
start_sluice() {
  local name=$1 port=$2 log=$world/$1.log
  SLUICE_JAVA_OPTS=${3-} "$root/sluice" serve -c "$world/$name.yaml" >"$log" 2>&1 &
  server_pid=$!
  await_port "$port" "$server_pid" "$log"
}

# resident_mb PID
resident_mb() {
  awk '/^VmRSS:/ { printf "%.0f", $2 / 1024 }' "/proc/$1/status"
}

# resident_mb_max PID: the most that it ever had.
resident_mb_max() {
  awk '/^VmHWM:/ { printf "%.0f", $2 / 1024 }' "/proc/$1/status"
}
