# shellcheck shell=bash disable=SC2154 # What is measured, and where, is said before.
# Runs in a guest: mounts both servers, and the kernel's own in this guest, and writes and reads through the
# kernel's client. Says each measurement in a line, and before it that it begins, so that the processor time of
# the server can be told.
set -euo pipefail

readonly tasks=8

mount_all() {
  local name
  for name in ganesha-v3 ganesha-v4 sluice-v3 sluice-v4 kernel-v4; do mkdir "/mnt/$name"; done
  local version3=vers=3,tcp,nolock
  mount -t nfs -o "$version3,port=${ganesha_ports[0]},mountport=${ganesha_ports[1]}" \
    "$here:$export" /mnt/ganesha-v3
  mount -t nfs -o "vers=4.1,port=${ganesha_ports[0]}" "$here:$export" /mnt/ganesha-v4
  mount -t nfs -o "$version3,port=${sluice_ports[0]},mountport=${sluice_ports[1]}" \
    "$here:$export" /mnt/sluice-v3
  mount -t nfs -o "vers=4.1,port=${sluice_ports[0]}" "$here:$export" /mnt/sluice-v4
  mount -t tmpfs server /run/server
  serve_by_kernel
  mount -t nfs -o vers=4.1 127.0.0.1:/export /mnt/kernel-v4
}

# together COMMAND...: the same for each task, at the same time. The command's {} is the task's number.
together() {
  local task pids=() pid
  for ((task = 0; task < tasks; task++)); do
    "${@//\{\}/$task}" &
    pids+=("$!")
  done
  for pid in "${pids[@]}"; do wait "$pid"; done
}

move() {
  dd bs=1M count=$((megabytes / tasks)) status=none "$@"
}

# What is measured, in this directory.
direct-write() { together move if=/dev/zero of="$1/file{}" oflag=direct conv=notrunc; }
direct-read() { together move if="$1/file{}" of=/dev/null iflag=direct; }
buffered-write() { dd bs=1M count="$megabytes" status=none if=/dev/zero of="$1/large" conv=fsync,notrunc; }
buffered-read() {
  echo 3 >/proc/sys/vm/drop_caches
  dd bs=1M count="$megabytes" status=none if="$1/large" of=/dev/null
}

# report LINE: at once, not when the guest finds the time to write.
report() {
  echo "$*"
  sync /run/guest/output
  sleep 0.2
}

# measure SERVER REPETITION ROW
measure() {
  local began
  report "begins $1"
  began=${EPOCHREALTIME/./}
  "$3" "/mnt/$1"
  report "measured $1 $2 $3 $megabytes $(((${EPOCHREALTIME/./} - began) / 1000))e-3"
}

# all_rows REPETITION: each row over each version, the servers in turns.
all_rows() {
  local row version server order
  for row in direct-write direct-read buffered-write buffered-read; do
    for version in v3 v4; do
      if (($1 % 2)); then order=(ganesha sluice); else order=(sluice ganesha); fi
      if [[ $version == v4 ]]; then order+=(kernel); fi
      for server in "${order[@]}"; do measure "$server-$version" "$1" "$row"; done
    done
  done
}

mount_all
for made in sluice-v3 kernel-v4; do # The servers outside have the same files.
  direct-write "/mnt/$made"
  buffered-write "/mnt/$made"
done
# Of repetitions up to 0 nothing is kept: what is compiled while it runs has to be compiled first.
for ((repetition = 1 - warm_ups; repetition <= repetitions; repetition++)); do
  all_rows "$repetition"
done
umount -a -t nfs,nfs4
