# The guest's part of LinuxGuest: runs the scripts that appear in /run/guest, each beside the
# others. The guest ends when it is killed.
mkfifo /run/pause
exec 9<>/run/pause

# run NUMBER: a script says all it has to say before its code is there.
run() {
  bash "/run/guest/$1.script" </dev/null >"/run/guest/$1.output" 2>&1
  local code=$?
  # Somebody it has left behind may hold the file open.
  sync "/run/guest/$1.output"
  echo "$code" >"/run/guest/$1.part"
  mv "/run/guest/$1.part" "/run/guest/$1.code"
}

next=1
while :; do
  if [[ -e /run/guest/$next.script ]]; then
    run "$next" &
    next=$((next + 1))
  elif [[ -e /run/guest/flush ]]; then
    echo 7 >/proc/sys/kernel/printk
    echo w >/proc/sysrq-trigger # Who waits, and for what: on the console.
    sync /run/guest/*.output
    rm /run/guest/flush
  else
    read -rt 0.05 -u 9 || true # A pause that takes no process.
  fi
done
