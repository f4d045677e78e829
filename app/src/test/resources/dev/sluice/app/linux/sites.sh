# A server of files in this guest: a disk with quotas and access control lists, one without either,
# and a gateway over both, whose Java options are in /run/guest/java.args. Mounts them, and tries.
set -e
PATH=$PATH:/usr/sbin:/sbin
/run/kmod/modprobe -a loop quota_v2
mknod /dev/loop0 b 7 0
mknod /dev/loop-control c 10 237
truncate -s 64M /tmp/image
mkfs.ext4 -q -O quota -E quotatype=usrquota:grpquota /tmp/image
mkdir /tmp/disk /tmp/plain
mount -o loop,usrquota,grpquota /tmp/image /tmp/disk
mount -t ramfs plain /tmp/plain
mkdir /tmp/disk/home /tmp/disk/reference
chmod 777 /tmp/disk/home /tmp/disk/reference /tmp/plain

cat >/tmp/sluice.yaml <<'YAML'
listen: 127.0.0.1
portmapper: own
nfs4: true
state: /tmp/state
memory: 64 MiB
history: off
dashboard: off
targets: {disk: {capacity: auto}}
exports:
  /home: {directory: /tmp/disk/home, squash: none}
  /squashed: {directory: /tmp/disk/home}
  /read-only: {directory: /tmp/disk/home, read-only: true, squash: none}
  /plain: {directory: /tmp/plain, squash: none}
YAML
"$(</run/guest/java.command)" @/run/guest/java.args dev.sluice.app.Main serve -c /tmp/sluice.yaml \
  >/run/guest/gateway.log 2>&1 &
until grep -q '^control socket' /run/guest/gateway.log; do
  if ! kill -0 $! 2>/dev/null; then tail -n 3 /run/guest/gateway.log && exit 1; fi
  sleep 0.2
done

mount_home() {
  mkdir -p "$3" && mount -t nfs -o "$1" "127.0.0.1:$2" "$3"
}
mount_home vers=3,nolock /home /mnt/v3
mount_home vers=4.2,nosharecache /home /mnt/v4
mount_home vers=3,nolock,nosharecache /squashed /mnt/squashed
mount_home vers=3,nolock,nosharecache /read-only /mnt/read-only
mount_home vers=3,nolock,noacl,nosharecache /home /mnt/noacl
mount_home vers=3,nolock /plain /mnt/plain
python3 /run/guest/sites.py "$@"
