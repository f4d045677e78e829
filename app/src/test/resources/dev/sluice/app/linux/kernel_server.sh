# The kernel's own NFS server, in the guest that is its client too: what fails there is no fault of ours.
# Offers what is at /run/server as /export, /read-only and /squashed. Whoever reads this in mounts from it.

# shellcheck disable=SC2034 # mount_export reads it.
gateway=127.0.0.1

# The flags of exports (include/uapi/linux/nfsd/export.h).
readonly export_insecure=$((0x2)) export_no_subtree_check=$((0x400)) export_by_number=$((0x2000))
readonly export_read_only=$((0x1)) export_root_squash=$((0x4)) export_nohide=$((0x200))
readonly export_crossmount=$((0x4000))
readonly forever=2147483647

# answer_kernel CACHE LINE: what rpc.mountd would answer when the kernel asks.
answer_kernel() {
  printf '%s\n' "$2" >"/proc/net/rpc/$1/channel"
}

# offer NUMBER DIRECTORY FLAGS: exports a directory under a number of its own.
offer() {
  local flags=$(($3 | export_insecure | export_no_subtree_check | export_by_number))
  answer_kernel nfsd.export "here $2 $forever $flags 65534 65534 $1"
  answer_kernel nfsd.fh "here 1 \\x$(printf '%02x000000' "$1") $forever $2"
}

# furnish_disk: an ext4 file system to offer.
furnish_disk() {
  /run/kmod/modprobe -a ext4 loop
  mknod /dev/loop-control c 10 237
  mknod /dev/loop0 b 7 0
  truncate -s 600M /tmp/disk
  mke2fs -q -t ext4 -F /tmp/disk
  mount -t ext4 -o loop /tmp/disk /run/server
}

# serve_by_kernel: starts it, once in a guest.
serve_by_kernel() {
  local name number=0
  /run/kmod/modprobe nfsd
  mkdir -p /run/exports /var/lib/nfs/v4recovery
  mount -t tmpfs exports /run/exports
  mount -t nfsd nfsd /proc/fs/nfsd
  echo '-3 +4 +4.1 +4.2' >/proc/fs/nfsd/versions
  answer_kernel auth.unix.ip "nfsd 127.0.0.1 $forever here"
  offer "$number" /run/exports "$export_crossmount"
  for name in export read-only squashed; do
    mkdir "/run/exports/$name"
    mount --bind /run/server "/run/exports/$name"
    number=$((number + 1))
    case $name in
      export) offer "$number" "/run/exports/$name" "$export_nohide" ;;
      read-only) offer "$number" "/run/exports/$name" "$((export_nohide | export_read_only))" ;;
      squashed) offer "$number" "/run/exports/$name" "$((export_nohide | export_root_squash))" ;;
    esac
  done
  echo 'tcp 2049' >/proc/fs/nfsd/portlist
  echo 8 >/proc/fs/nfsd/threads
  # Nobody was here before, so nobody claims anything.
  echo Y >/proc/fs/nfsd/v4_end_grace
}
