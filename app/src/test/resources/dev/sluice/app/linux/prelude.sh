# Read in by every script in a guest. gateway and mount_options are set before.

# mount_export EXPORT DIRECTORY [OPTIONS]: makes the directory, and mounts an export there.
mount_export() {
  mkdir -p "$2" && mount -t nfs -o "${mount_options:?}${3:+,$3}" "${gateway:?}:$1" "$2"
}

# as UID COMMAND...: runs a command as a user without a name.
as() {
  setpriv --reuid "$1" --regid "$1" --clear-groups "${@:2}"
}

# check NAME COMMAND...: runs a command, and says whether it ended well; if not, with its words.
check() {
  local said code
  # Not as a condition: a shell that asks for one does not stop at errors, whatever it was told.
  said=$("${@:2}" 2>&1)
  code=$?
  if ((code == 0)); then
    echo "ok $1"
  else
    echo "not ok $1 $(tail -n 5 <<<"$said" | tr '\n' ' ')"
  fi
}
