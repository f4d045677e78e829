"""Quotas and access control lists behind a gateway, as the tools on a client show them."""

import errno
import os
import re
import subprocess
import sys

from checks import as_user, check, holds, mode_of, read, refused, run_all, same, write

ALICE, BOB, CAROL, NOBODY = 1001, 1002, 1003, 65534
TEAM = 2001
V3, V4 = "/mnt/v3", "/mnt/v4"
SQUASHED, READ_ONLY, NOACL, PLAIN = "/mnt/squashed", "/mnt/read-only", "/mnt/noacl", "/mnt/plain"
EXPORTS = {V3: "/home", V4: "/home", PLAIN: "/plain"}
DISK, SERVER, REFERENCE = "/tmp/disk", "/tmp/disk/home", "/tmp/disk/reference"


def tool(*command):
    """What a command says; an error where it fails, with what it said."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def fails(words, *command, uid=0):
    """A command must fail, and say why."""

    def run():
        return subprocess.run(command, capture_output=True, text=True)

    done = as_user(uid, run)
    holds(done.returncode != 0, f"{' '.join(command)} as {uid} should have failed")
    holds(words in done.stderr, f"{' '.join(command)}: expected {words!r}, got {done.stderr!r}")


def tool_as(uid, *command, **who):
    return as_user(uid, tool, *command, **who)


def acl(path):
    """A file's lists, as a client or the server itself sees them: a line for each entry."""
    lines = tool("getfacl", "-cnpE", path).split("\n")
    return [line for line in lines if line]


def through(base, path):
    """The same file by another mount, or on the server itself."""
    return os.path.join(base, os.path.relpath(path, V3))


# ---- Access control lists ----


@check
def a_list_is_shown_and_obeyed(d):
    path = f"{d}/f"
    as_user(ALICE, write, path, b"text", umask=0o077)
    refused(errno.EACCES, as_user, BOB, read, path)
    tool_as(ALICE, "setfacl", "-m", f"u:{BOB}:r,g:{TEAM}:rw", path)
    expected = ["user::rw-", f"user:{BOB}:r--", "group::---", f"group:{TEAM}:rw-", "mask::rw-", "other::---"]
    same(acl(path), expected, "on the client")
    same(acl(through(SERVER, path)), expected, "on the server")
    same(as_user(BOB, read, path), b"text", "who is named")
    refused(errno.EACCES, as_user, BOB, write, path, b"x")
    refused(errno.EACCES, as_user, CAROL, read, path)
    as_user(CAROL, write, path, b"new", groups=[TEAM])
    same(as_user(BOB, read, through(V4, path)), b"new", "by version 4")
    refused(errno.EACCES, as_user, CAROL, read, through(V4, path))
    tool_as(ALICE, "setfacl", "-b", path)
    same(acl(path), ["user::rw-", "group::---", "other::---"])
    refused(errno.EACCES, as_user, BOB, read, path)


@check
def only_owner_and_root_set_lists(d):
    path = f"{d}/f"
    as_user(ALICE, write, path, b"text")
    tool_as(ALICE, "setfacl", "-m", f"u:{BOB}:rw", path)
    before = acl(path)
    fails("Operation not permitted", "setfacl", "-m", f"u:{BOB}:rwx", path, uid=BOB)
    fails("Operation not permitted", "setfacl", "-m", f"u:{BOB}:rwx", path, uid=CAROL)
    fails("Operation not permitted", "setfacl", "-b", through(SQUASHED, path), uid=0)
    same(acl(through(SERVER, path)), before)
    tool("setfacl", "-m", f"u:{CAROL}:r", path)
    holds(f"user:{CAROL}:r--" in acl(through(SERVER, path)), "root, where it is root")


@check
def root_that_is_squashed_has_what_nobody_has(d):
    path = f"{d}/f"
    as_user(ALICE, write, path, b"text", umask=0o077)
    refused(errno.EACCES, read, through(SQUASHED, path))
    tool_as(ALICE, "setfacl", "-m", f"u:{NOBODY}:r", path)
    same(read(through(SQUASHED, path)), b"text")
    refused(errno.EACCES, write, through(SQUASHED, path), b"x")


@check
def the_mask_is_the_modes_group(d):
    path = f"{d}/f"
    as_user(ALICE, write, path, b"text")
    tool_as(ALICE, "setfacl", "-m", f"u:{BOB}:rw", path)
    same(mode_of(path), 0o664)
    as_user(ALICE, os.chmod, path, 0o644)
    same(acl(path), ["user::rw-", f"user:{BOB}:rw-", "group::r--", "mask::r--", "other::r--"])
    refused(errno.EACCES, as_user, BOB, write, path, b"x")


def ways():
    """Every way to make something: what kind, under which umask, with which mode."""
    for umask in (0o000, 0o027, 0o777):
        for mode in (0o777, 0o640):
            for kind in ("file", "exclusive", "directory"):
                yield kind, umask, mode


def make_all(top):
    """Makes files and directories in every way; the names."""
    for kind, umask, mode in ways():
        path = f"{top}/{kind}-{umask:o}-{mode:o}"
        os.umask(umask)
        if kind == "directory":
            os.mkdir(path, mode)
        else:
            only = os.O_EXCL if kind == "exclusive" else 0
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY | only, mode))
    return [f"{kind}-{umask:o}-{mode:o}" for kind, umask, mode in ways()]


def directory_with_default_list(path):
    as_user(ALICE, os.mkdir, path)
    tool_as(ALICE, "setfacl", "-d", "-m", f"u:{BOB}:rwx,g:{TEAM}:r-x,o::-", path)
    return path


def reference(name):
    """The same made on the disk itself."""
    top = directory_with_default_list(f"{REFERENCE}/{name}")
    as_user(ALICE, make_all, top)
    return top


def acls(top, names):
    return tool("getfacl", "-cnpE", *(f"{top}/{name}" for name in names)).split("\n\n")


@check
def default_lists_are_inherited_as_on_the_disk_itself(d):
    own = reference("inherited")
    far = directory_with_default_list(f"{d}/top")
    names = as_user(ALICE, make_all, far)
    expected = acls(own, names)
    for seen in (acls(through(SERVER, far), names), acls(far, names)):
        for name, one, other in zip(names, seen, expected):
            same(one, other, name)
    as_user(ALICE, os.mkdir, f"{far}/below")
    holds(f"default:user:{BOB}:rwx" in acl(f"{far}/below"), "passed on")
    as_user(BOB, write, f"{far}/below/by-bob", b"x", umask=0)
    refused(errno.EACCES, as_user, CAROL, read, f"{far}/below/by-bob")
    tool_as(ALICE, "setfacl", "-k", far)
    holds(not any("default" in line for line in acl(through(SERVER, far))), "taken away")


@check
def whoever_shows_no_lists_makes_nothing_wider(d):
    """By version 4, and by version 3 with noacl, clients apply the umask themselves."""
    own = reference("narrower")
    for name, base in (("v4", V4), ("noacl", NOACL)):
        far = through(base, directory_with_default_list(f"{d}/{name}"))
        for made in as_user(ALICE, make_all, far):
            if name == "noacl" and made.startswith("exclusive"):
                continue  # The client sets the mode once the file is there, whatever the server.
            wider = mode_of(f"{SERVER}/{os.path.relpath(far, base)}/{made}") & ~mode_of(f"{own}/{made}")
            same(wider & 0o777, 0, f"{name} {made}")


@check
def without_a_default_list_the_umask_counts(d):
    for umask in (0o000, 0o022, 0o077):
        path = f"{d}/f{umask:o}"
        as_user(ALICE, write, path, b"x", 0o666, umask=umask)
        same(mode_of(through(SERVER, path)), 0o666 & ~umask)


@check
def long_lists_are_kept(d):
    path = f"{d}/f"
    write(path, b"x")
    names = [f"u:{5000 + number}:r" for number in range(200)]
    tool("setfacl", "-m", ",".join(names[:60]), path)
    long = acl(path)
    same(len(long), 64)
    same(long, acl(through(SERVER, path)))
    fails("No space left on device", "setfacl", "-m", ",".join(names), path)
    same(acl(through(SERVER, path)), long, "on a small disk some more have no room")


@check
def a_read_only_export_shows_lists_and_takes_none(d):
    path = f"{d}/f"
    write(path, b"x")
    tool("setfacl", "-m", f"u:{BOB}:r", path)
    same(acl(through(READ_ONLY, path)), acl(path))
    fails("Read-only file system", "setfacl", "-b", through(READ_ONLY, path))


@check
def a_disk_without_lists_says_so(_):
    path = f"{PLAIN}/f"
    write(path, b"x", 0o640)
    same(acl(path), ["user::rw-", "group::r--", "other::---"])
    fails("Operation not supported", "setfacl", "-m", f"u:{BOB}:r", path)
    os.chmod(path, 0o600)
    same(mode_of(path), 0o600)


# ---- Quotas ----


def quota(mount, *whose, uid=0, groups=()):
    """Blocks and files that are used and allowed, as quota says: a list of words; None without quota.

    Whoever asks about somebody is told of all mounts: then it is the first of the export that counts.
    Where root is squashed it is told nothing, and quota gives up: so not while that is mounted.
    """

    def run():
        if not whose:
            return subprocess.run(("quota", "-pw", "-f", mount), capture_output=True, text=True)
        hidden = ("unshare", "-m", "sh", "-c", f'umount {SQUASHED} && exec "$@"', "sh") if uid == 0 else ()
        return subprocess.run((*hidden, "quota", "-pw", *whose), capture_output=True, text=True)

    done = as_user(uid, run, groups=groups)
    for line in done.stdout.split("\n"):
        words = line.split()
        if words and words[0] == f"127.0.0.1:{EXPORTS[mount]}":
            return [re.sub(r"\*$", "", word) for word in words[1:]]
    holds("denied" not in done.stderr and "rror" not in done.stderr, done.stderr)
    return None


@check
def quota_shows_what_the_disk_says(d):
    tool("setquota", "-u", str(ALICE), "10000", "20000", "100", "200", DISK)
    tool("setquota", "-g", str(TEAM), "30000", "40000", "0", "0", DISK)
    before = int((quota(V3, uid=ALICE) or ["0"])[0])
    as_user(ALICE, write, f"{d}/f", bytes(3 << 20), gid=TEAM)
    os.sync()
    for mount in (V3, V4):
        words = quota(mount, uid=ALICE)
        used = int(words[0])
        holds(3072 <= used - before <= 3200, f"{mount}: {words}, before {before}")
        same(words[1:3], ["10000", "20000"], f"{mount}: blocks")
        same(words[5:7], ["100", "200"], f"{mount}: files")
        asked = quota(mount, "-u", str(ALICE))
        same(asked[:7], words[:7], f"{mount}: root asks")
        # The wire has the seconds that are left, and the second may have changed in between.
        holds(abs(int(asked[7]) - int(words[7])) <= 5, f"{mount}: root asks: {asked}, {words}")
        team = quota(mount, "-g", str(TEAM), uid=ALICE, groups=[TEAM])
        same(team[1:3], ["30000", "40000"], f"{mount}: the group")


@check
def who_has_too_much_is_told(d):
    tool("setquota", "-u", str(CAROL), "1000", "2000", "0", "0", DISK)

    def fill():
        with open(f"{d}/f", "wb") as file:
            for _ in range(3):
                file.write(bytes(1 << 20))
                file.flush()
                os.fsync(file.fileno())

    refused(errno.EDQUOT, as_user, CAROL, fill)
    used, soft, hard, grace = quota(V3, uid=CAROL)[:4]
    holds(int(soft) < int(used) <= int(hard), f"{used} of {soft}, {hard}")
    ends = os.stat(f"{d}/f").st_mtime + 7 * 86400
    holds(abs(int(grace) - ends) < 600, f"a week of grace until {ends}, not {grace}")


@check
def whoever_has_no_limit_is_not_listed(_):
    same(quota(V3, uid=BOB), None)
    same(quota(PLAIN, uid=ALICE), None)


@check
def nobody_sets_quotas_from_a_client(_):
    done = subprocess.run(
        ("setquota", "-r", "-u", str(BOB), "1", "2", "3", "4", V3), capture_output=True, text=True)
    holds(done.returncode != 0, "should have been refused")
    same(quota(V3, "-u", str(BOB)), None)


run_all(V3, only=sys.argv[1:])
