# shellcheck shell=bash
# Shared by the measurements in which servers take turns: what is measured, and how.

world=${world-} # Made by furnish_world.

# Operation and depth; how many times ganesha's throughput it must be (0: no promise).
readonly comparison=(
  write:8=1.5 read:8=1.5
  random-read:1=0.95 random-write:1=0.95 getattr:1=0.95
  random-read:16=1.8 random-write:16=1.8 getattr:32=1.8 lookup:32=1.8
  create:16=0 unlink:16=0
)
# What is measured under each scheduler, with a hundred jobs that all get what they want.
readonly scheduler_modes=(write:8 read:8 random-read:16 random-write:16 getattr:32)
readonly scheduler_jobs=100

# What is measured of NFS 4.1.
readonly version_modes=(
  write:1 write:8 read:1 read:8
  random-write:1 random-write:16 random-read:1 random-read:16
  getattr:1 getattr:16
)

# Of each server by its name: one that is measured over two versions of NFS has two names.
declare -A pids=() ports=() mount_ports=() versions=()

# modes_together: the modes of the comparison, one line for those that are measured together.
modes_together() {
  local mode
  for mode in "${comparison[@]%=*}"; do
    case $mode in
      create:*) printf '%s unlink:16\n' "$mode" ;;
      unlink:*) ;; # Takes the files that create made.
      *) printf '%s\n' "$mode" ;;
    esac
  done
}

# measure SERVER REPETITION SECONDS MODE... [-- CLIENT_OPTION...]: wakes a server, measures it, and
# makes it stand still again.
measure() {
  local server=$1 repetition=$2 duration=$3 modes=() line
  shift 3
  while (($# > 0)) && [[ $1 != -- ]]; do modes+=("$1") && shift; done
  local label=$server${2:+-of-many-jobs}
  kill -CONT "${pids[$server]}"
  if ! "$client" --nfs "${versions[$server]-3}" \
    --port "${ports[$server]}" --mount-port "${mount_ports[$server]}" --server-pid "${pids[$server]}" \
    --seconds "$duration" "${@:2}" "$exported" "${modes[@]}" \
    >"$world/measured"; then
    tail -n 20 "$world/${server%-v[34]}.log" >&2
    die "$server failed at ${modes[*]}; its last lines are above"
  fi
  kill -STOP "${pids[$server]}"
  if [[ $repetition == warm-up ]]; then return; fi
  while IFS= read -r line; do
    printf '%s\t%s\t%s\n' "$label" "$repetition" "$line" >>"$results"
    say "repetition $repetition of $repetitions: $label $(awk '{
      printf "%s %s op/s, %s MB/s, %s us of processor time", $1, $4, $5, $8 }' <<<"$line")"
  done <"$world/measured"
}

# in_turn REPETITION SERVER...: all of them in an order that changes, so that none always has what
# another leaves behind.
in_turn() {
  local first=$(($1 % ($# - 1)))
  printf '%s\n' "${@:2+first}" "${@:2:first}"
}

# write_configuration NAME [LINE]: of a gateway on the ports of that name.
write_configuration() {
  cat >"$world/$1.yaml" <<END
nfs-port: ${ports[$1]}
mount-port: ${mount_ports[$1]}
state: $world/$1-state
trust-claimed-jobs: true
${2-}
targets:
  # More than the machine can do, and so never held back.
  memory: {capacity: 1 TB/s, pace: false}
exports:
  $exported: {directory: $exported, squash: none, privileged-ports: false}
END
}
