"""What POSIX promises, asked of a mounted export: posix.py MOUNT READ_ONLY_MOUNT [CHECK...]

The server's own view of the export is in $SERVER, or else in /run/server.
"""

import ctypes
import errno
import mmap
import os
import pickle
import socket
import stat
import subprocess
import sys
import time

from checks import as_user, at_once, check, holds, mode_of, read, refused, run_all, same, write

ALICE, BOB, CAROL = 1001, 1002, 1003
TEAM = 2001
CLONE_NEWUSER = 0x10000000
SERVER = os.environ.get("SERVER", "/run/server")


def on_server(path):
    return os.path.join(SERVER, os.path.relpath(path, mount))


def write_as(uid, path, data, **who):
    return as_user(uid, write, path, data, **who)


def read_as(uid, path, **who):
    return as_user(uid, read, path, **who)


def is_version_4():
    with open("/proc/mounts") as mounts:
        return any(line.split()[1:3] == [mount, "nfs4"] for line in mounts)


def is_version_4_2():
    with open("/proc/mounts") as mounts:
        return any(
            line.split()[1:3] == [mount, "nfs4"] and ",vers=4.2," in f",{line.split()[3]},"
            for line in mounts
        )


def drop_caches():
    with open("/proc/sys/vm/drop_caches", "w") as drop:
        drop.write("3")


# ---- Modes and owners ----


@check
def modes_and_umask(d):
    for umask in (0o000, 0o022, 0o077, 0o777):
        for asked in (0o777, 0o666, 0o640, 0o000):
            name = f"{d}/{umask:o}-{asked:o}"
            os.umask(umask)
            os.close(os.open(name, os.O_CREAT | os.O_WRONLY, asked))
            same(mode_of(name), asked & ~umask, f"file {asked:o} under {umask:o}")
            os.mkdir(name + "d", asked)
            same(mode_of(name + "d"), asked & ~umask, f"directory {asked:o} under {umask:o}")
    os.umask(0)
    for mode in (0o0000, 0o0111, 0o0444, 0o0755, 0o1777, 0o2755, 0o4755, 0o6711, 0o7777):
        os.chmod(f"{d}/0-777", mode)
        same(mode_of(f"{d}/0-777"), mode, "chmod")
        same(mode_of(on_server(f"{d}/0-777")), mode, "chmod, as the server sees it")


@check
def a_file_without_permissions_can_be_written_by_who_creates_it(d):
    def create():
        fd = os.open(f"{d}/f", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o000)
        os.write(fd, b"kept")
        os.close(fd)

    as_user(ALICE, create)
    refused(errno.EACCES, read_as, ALICE, f"{d}/f")
    same(read(f"{d}/f"), b"kept")


@check
def who_creates_a_file_owns_it(d):
    write_as(ALICE, f"{d}/f", b"x", gid=TEAM)
    same((os.stat(f"{d}/f").st_uid, os.stat(f"{d}/f").st_gid), (ALICE, TEAM))
    as_user(BOB, os.mkdir, f"{d}/dir")
    as_user(BOB, os.symlink, "x", f"{d}/link")
    same(os.stat(f"{d}/dir").st_uid, BOB)
    same(os.lstat(f"{d}/link").st_uid, BOB)


@check
def chmod_is_for_the_owner(d):
    write_as(ALICE, f"{d}/f", b"x")
    as_user(ALICE, os.chmod, f"{d}/f", 0o600)
    refused(errno.EPERM, as_user, BOB, os.chmod, f"{d}/f", 0o666)
    same(mode_of(f"{d}/f"), 0o600)
    os.chown(f"{d}/f", ALICE, TEAM)
    as_user(ALICE, os.chmod, f"{d}/f", 0o2755)
    same(mode_of(f"{d}/f"), 0o755, "set-group-id of a group that the owner is not in")
    as_user(ALICE, lambda: os.chmod(f"{d}/f", 0o2755))
    os.chmod(f"{d}/f", 0o2755)
    same(mode_of(f"{d}/f"), 0o2755, "by root")


@check
def chown_is_for_root_and_groups_for_their_members(d):
    write_as(ALICE, f"{d}/f", b"x")
    refused(errno.EPERM, as_user, ALICE, os.chown, f"{d}/f", BOB, -1)
    refused(errno.EPERM, as_user, BOB, os.chown, f"{d}/f", BOB, -1)
    refused(errno.EPERM, as_user, ALICE, os.chown, f"{d}/f", -1, TEAM)
    as_user(ALICE, os.chown, f"{d}/f", -1, TEAM, groups=[TEAM])
    same(os.stat(f"{d}/f").st_gid, TEAM)
    os.chown(f"{d}/f", CAROL, 77)
    same((os.stat(f"{d}/f").st_uid, os.stat(f"{d}/f").st_gid), (CAROL, 77))


@check
def chgrp_by_the_owner_clears_set_id_bits(d):
    write_as(ALICE, f"{d}/f", b"x")
    os.chmod(f"{d}/f", 0o6755)
    as_user(ALICE, os.chown, f"{d}/f", -1, TEAM, groups=[TEAM])
    same(mode_of(f"{d}/f"), 0o755)


@check
def writing_clears_set_id_bits(d):
    def append():
        with open(f"{d}/f", "ab") as file:
            file.write(b"more")

    write_as(ALICE, f"{d}/f", b"x")
    os.chmod(f"{d}/f", 0o6777)
    as_user(BOB, append)
    same(mode_of(on_server(f"{d}/f")), 0o777, "as the server sees it")


@check
def permissions_of_owner_group_and_others(d):
    write(f"{d}/f", b"secret")
    os.chown(f"{d}/f", ALICE, TEAM)
    for mode, owner, group, other in (
        (0o600, True, False, False),
        (0o060, False, True, False),
        (0o006, False, False, True),
        (0o640, True, True, False),
        (0o604, True, False, True),
    ):
        os.chmod(f"{d}/f", mode)
        for who, uid, groups, allowed in (
            ("owner", ALICE, [TEAM], owner),
            ("group", BOB, [TEAM], group),
            ("other", CAROL, [], other),
        ):
            what = f"{who} reads {mode:o}"
            same(as_user(uid, os.access, f"{d}/f", os.R_OK, groups=groups), allowed, what)
            if allowed:
                same(read_as(uid, f"{d}/f", groups=groups), b"secret", what)
            else:
                refused(errno.EACCES, read_as, uid, f"{d}/f", groups=groups)


@check
def access_for_several_users(d):
    write_as(ALICE, f"{d}/f", b"x")
    os.chmod(f"{d}/f", 0o754)
    os.chown(f"{d}/f", ALICE, TEAM)
    asked = (os.R_OK, os.W_OK, os.X_OK, os.R_OK | os.W_OK)

    def answers(uid, groups=()):
        return as_user(uid, lambda: [os.access(f"{d}/f", a) for a in asked], groups=groups)

    same(answers(ALICE), [True, True, True, True], "owner")
    same(answers(BOB, [TEAM]), [True, False, True, False], "group")
    same(answers(CAROL), [True, False, False, False], "others")
    same([os.access(f"{d}/f", a) for a in asked], [True] * 4, "root")
    os.chmod(f"{d}/f", 0o644)
    same(os.access(f"{d}/f", os.X_OK), False, "root, of a file that nobody may run")


@check
def a_directory_that_may_be_read_but_not_searched(d):
    os.mkdir(f"{d}/dir")
    write(f"{d}/dir/f", b"secret")
    os.chmod(f"{d}/dir", 0o744)
    same(as_user(BOB, os.listdir, f"{d}/dir"), ["f"])
    refused(errno.EACCES, as_user, BOB, os.stat, f"{d}/dir/f")
    refused(errno.EACCES, read_as, BOB, f"{d}/dir/f")
    listed = as_user(
        BOB,
        lambda: subprocess.run(["ls", "-l", f"{d}/dir"], capture_output=True, text=True).stdout,
    )
    holds("secret" not in listed and "root" not in listed, f"attributes were shown: {listed}")
    os.chmod(f"{d}/dir", 0o711)
    refused(errno.EACCES, as_user, BOB, os.listdir, f"{d}/dir")
    same(read_as(BOB, f"{d}/dir/f"), b"secret", "searched but not read")


@check
def sticky_directories(d):
    os.chmod(d, 0o1777)
    write_as(ALICE, f"{d}/alices", b"x")
    as_user(ALICE, os.mkdir, f"{d}/alicesdir")
    refused(errno.EPERM, as_user, BOB, os.unlink, f"{d}/alices")
    refused(errno.EPERM, as_user, BOB, os.rename, f"{d}/alices", f"{d}/bobs")
    refused(errno.EPERM, as_user, BOB, os.rmdir, f"{d}/alicesdir")
    write_as(BOB, f"{d}/bobs", b"x")
    refused(errno.EPERM, as_user, BOB, os.rename, f"{d}/bobs", f"{d}/alices")
    as_user(ALICE, os.unlink, f"{d}/alices")
    as_user(BOB, os.unlink, f"{d}/bobs")
    os.chown(d, CAROL, CAROL)
    as_user(CAROL, os.rmdir, f"{d}/alicesdir")


@check
def setgid_directories(d):
    os.chown(d, 0, TEAM)
    os.chmod(d, 0o2777)
    write_as(ALICE, f"{d}/f", b"x")
    as_user(ALICE, os.mkdir, f"{d}/sub")
    write_as(BOB, f"{d}/sub/g", b"x") if mode_of(f"{d}/sub") & 0o002 else None
    as_user(ALICE, os.symlink, "f", f"{d}/link")
    same(os.stat(f"{d}/f").st_gid, TEAM, "group of a file")
    same(os.lstat(f"{d}/link").st_gid, TEAM, "group of a symbolic link")
    same((os.stat(f"{d}/sub").st_gid, mode_of(f"{d}/sub")), (TEAM, 0o2755), "a directory below")


# ---- Truncation ----


@check
def truncation_by_the_owner(d):
    write_as(ALICE, f"{d}/f", b"123456")
    write_as(ALICE, f"{d}/f", b"b")
    same(read(f"{d}/f"), b"b")
    as_user(ALICE, os.truncate, f"{d}/f", 0)
    same(os.stat(f"{d}/f").st_size, 0)


def truncated_by(d, uid, groups, mode):
    write(f"{d}/f", b"123456")
    os.chown(f"{d}/f", ALICE, TEAM)
    os.chmod(f"{d}/f", mode)
    write_as(uid, f"{d}/f", b"b", groups=groups)
    same(read(f"{d}/f"), b"b", "written over")
    as_user(uid, os.truncate, f"{d}/f", 4, groups=groups)
    same(read(f"{d}/f"), b"b\0\0\0", "truncate()")

    def shorten():
        fd = os.open(f"{d}/f", os.O_RDWR)
        os.ftruncate(fd, 1)
        os.close(fd)

    as_user(uid, shorten, groups=groups)
    same(read(on_server(f"{d}/f")), b"b", "ftruncate()")


@check
def truncation_by_the_group(d):
    truncated_by(d, BOB, [TEAM], 0o664)


@check
def truncation_by_others(d):
    truncated_by(d, CAROL, [], 0o666)


@check
def truncation_through_a_shell(d):
    write(f"{d}/f", b"123456\n")
    os.chown(f"{d}/f", ALICE, ALICE)
    os.chmod(f"{d}/f", 0o666)
    said = as_user(
        BOB,
        lambda: subprocess.run(
            ["sh", "-c", f"echo b > {d}/f"], capture_output=True, text=True
        ).stderr,
    )
    same((said, read(f"{d}/f")), ("", b"b\n"))


@check
def a_refused_truncation_keeps_the_content(d):
    write_as(ALICE, f"{d}/f", b"123456")
    refused(errno.EACCES, write_as, BOB, f"{d}/f", b"b")
    refused(errno.EACCES, as_user, BOB, os.truncate, f"{d}/f", 0)
    same(read(on_server(f"{d}/f")), b"123456")


@check
def a_file_opened_for_writing_stays_writable(d):
    def write_after_chmod():
        fd = os.open(f"{d}/f", os.O_CREAT | os.O_RDWR, 0o644)
        os.chmod(f"{d}/f", 0o444)
        os.write(fd, b"123456")
        os.fsync(fd)
        os.close(fd)

    as_user(ALICE, write_after_chmod)
    same(read(f"{d}/f"), b"123456")


# ---- Links and renames ----


@check
def hard_links_are_counted(d):
    write(f"{d}/a", b"x")
    for count in range(2, 12):
        os.link(f"{d}/a", f"{d}/a{count}")
        same(os.stat(f"{d}/a").st_nlink, count)
    same(os.stat(f"{d}/a").st_ino, os.stat(f"{d}/a5").st_ino)
    write(f"{d}/a5", b"changed")
    same(read(f"{d}/a"), b"changed")
    os.unlink(f"{d}/a")
    same(os.stat(f"{d}/a2").st_nlink, 10)
    refused(errno.EEXIST, os.link, f"{d}/a2", f"{d}/a3")
    refused(errno.ENOENT, os.link, f"{d}/none", f"{d}/b")
    os.mkdir(f"{d}/dir")
    refused(errno.EPERM, os.link, f"{d}/dir", f"{d}/dir2")
    same(os.stat(f"{d}/dir").st_nlink, 2)
    os.mkdir(f"{d}/dir/sub")
    same(os.stat(f"{d}/dir").st_nlink, 3)
    os.rmdir(f"{d}/dir/sub")
    same(os.stat(f"{d}/dir").st_nlink, 2)


@check
def symbolic_links_of_all_lengths(d):
    lengths = list(range(1, 70)) + [127, 128, 129, 254, 255, 256, 257, 511, 512, 1000, 1022, 1023]
    for length in lengths:
        target = ("x" * 99 + "/") * 11
        target = target[:length]
        os.symlink(target, f"{d}/{length}")
        same(os.lstat(f"{d}/{length}").st_size, length, "size of a link")
    drop_caches()
    for length in lengths:
        same(os.readlink(f"{d}/{length}"), (("x" * 99 + "/") * 11)[:length], f"length {length}")
    os.symlink("loop", f"{d}/loop")
    refused(errno.ELOOP, os.stat, f"{d}/loop")
    os.symlink("ä\udcff", f"{d}/bytes")
    same(os.readlink(f"{d}/bytes"), "ä\udcff")


@check
def renames_over_files_and_directories(d):
    write(f"{d}/a", b"a")
    write(f"{d}/b", b"b")
    os.rename(f"{d}/a", f"{d}/b")
    same((read(f"{d}/b"), os.path.exists(f"{d}/a")), (b"a", False), "over a file")
    os.mkdir(f"{d}/empty")
    os.mkdir(f"{d}/full")
    write(f"{d}/full/x", b"x")
    os.rename(f"{d}/full", f"{d}/empty")
    same(os.listdir(f"{d}/empty"), ["x"], "over an empty directory")
    os.mkdir(f"{d}/other")
    try:
        os.rename(f"{d}/other", f"{d}/empty")
        raise AssertionError("a directory was renamed over a full one")
    except OSError as error:
        holds(error.errno in (errno.ENOTEMPTY, errno.EEXIST), f"over a full directory: {error}")
    refused(errno.EISDIR, os.rename, f"{d}/b", f"{d}/other")
    refused(errno.ENOTDIR, os.rename, f"{d}/other", f"{d}/b")
    refused(errno.EINVAL, os.rename, f"{d}/other", f"{d}/other/below")
    refused(errno.ENOENT, os.rename, f"{d}/none", f"{d}/some")
    os.link(f"{d}/b", f"{d}/b2")
    os.rename(f"{d}/b", f"{d}/b2")
    same(sorted(os.listdir(d)), ["b", "b2", "empty", "other"], "one file under two names")


@check
def renames_between_directories(d):
    os.makedirs(f"{d}/from/sub")
    os.mkdir(f"{d}/to")
    write(f"{d}/from/sub/f", b"moved")
    number = os.stat(f"{d}/from/sub").st_ino
    os.rename(f"{d}/from/sub", f"{d}/to/sub")
    same(os.stat(f"{d}/to/sub").st_ino, number)
    same(read(f"{d}/to/sub/f"), b"moved")
    same(os.stat(f"{d}/to/sub/..").st_ino, os.stat(f"{d}/to").st_ino, "the directory above")
    same((os.stat(f"{d}/from").st_nlink, os.stat(f"{d}/to").st_nlink), (2, 3))
    fd = os.open(f"{d}/to/sub/f", os.O_RDWR)
    os.rename(f"{d}/to/sub/f", f"{d}/from/g")
    os.write(fd, b"MOVED")
    os.close(fd)
    same(read(f"{d}/from/g"), b"MOVED", "written while it was renamed")


@check
def files_removed_while_open(d):
    fd = os.open(f"{d}/f", os.O_CREAT | os.O_RDWR)
    os.write(fd, b"before")
    os.unlink(f"{d}/f")
    holds(not os.path.exists(f"{d}/f"), "the name is still there")
    os.write(fd, b" and after")
    os.fsync(fd)
    same(os.pread(fd, 100, 0), b"before and after")
    os.close(fd)
    left_on_server(d, [])
    write(f"{d}/g", b"old")
    fd = os.open(f"{d}/g", os.O_RDONLY)
    write(f"{d}/h", b"new")
    os.rename(f"{d}/h", f"{d}/g")
    same((os.read(fd, 10), read(f"{d}/g")), (b"old", b"new"), "renamed over while open")
    os.close(fd)
    left_on_server(d, ["g"])


def left_on_server(d, expected):
    """A client removes what it had renamed for this some time after the last close."""
    until = time.monotonic() + 20
    while os.listdir(on_server(d)) != expected and time.monotonic() < until:
        time.sleep(0.05)
    same(os.listdir(on_server(d)), expected, "left on the server")


@check
def directories_are_removed_when_empty_only(d):
    os.makedirs(f"{d}/a/b")
    refused(errno.ENOTEMPTY, os.rmdir, f"{d}/a")
    refused(errno.EISDIR, os.unlink, f"{d}/a/b")
    os.rmdir(f"{d}/a/b")
    os.rmdir(f"{d}/a")
    write(f"{d}/f", b"")
    refused(errno.ENOTDIR, os.rmdir, f"{d}/f")
    refused(errno.ENOTDIR, os.stat, f"{d}/f/below")
    refused(errno.ENOENT, os.rmdir, f"{d}/none")
    refused(errno.EEXIST, os.mkdir, f"{d}/f")


# ---- Names ----


@check
def names_of_all_bytes(d):
    base = os.fsencode(d)
    names = [bytes([b]) for b in range(1, 256) if b not in b"/."]
    names += [b"x" + bytes([b]) + b"y" for b in range(1, 256) if b != ord("/")]
    names += [b"...", b" ", b"-rf", b"\xff" * 255]
    names = sorted(set(names))
    for name in names:
        os.close(os.open(base + b"/" + name, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    same(sorted(os.listdir(base)), names, "listed")
    same(sorted(os.listdir(os.fsencode(on_server(d)))), names, "on the server")
    for name in names:
        os.unlink(base + b"/" + name)
    same(os.listdir(d), [])


@check
def names_of_all_lengths(d):
    for length in (1, 2, 3, 4, 5, 14, 15, 16, 31, 32, 33, 63, 64, 100, 127, 128, 200, 254, 255):
        write(f"{d}/{'n' * length}", b"x")
    same(len(os.listdir(d)), 19)
    refused(errno.ENAMETOOLONG, write, f"{d}/{'n' * 256}", b"x")
    refused(errno.ENAMETOOLONG, os.mkdir, f"{d}/{'n' * 256}")
    deep = d
    while len(deep) < 3000:
        deep += "/" + "d" * 200
        os.mkdir(deep)
    write(deep + "/f", b"deep")
    same(read(deep + "/f"), b"deep")


@check
def very_many_entries(d):
    # Made by the test on the server beforehand: that many creations take a guest minutes.
    many = os.path.join(mount, "many")
    expected = int(read(f"{mount}/many-count"))
    names = os.listdir(many)
    same(len(names), expected, "names")
    same(len(set(names)), expected, "different names")
    with os.scandir(many) as entries:
        numbers = {entry.inode() for entry in entries}
    same(len(numbers), expected, "different inode numbers")


@check
def entries_removed_while_they_are_read(d):
    for i in range(400):
        os.mkdir(f"{d}/{i:04}-{'n' * 60}")
    with os.scandir(d) as entries:
        seen = []
        for entry in entries:
            seen.append(entry.name)
            os.rmdir(entry.path)
    same((len(seen), len(set(seen)), os.listdir(d)), (400, 400, []))


# ---- Content ----


@check
def sparse_files(d):
    fd = os.open(f"{d}/f", os.O_CREAT | os.O_RDWR)
    os.pwrite(fd, b"end", 1 << 30)
    os.pwrite(fd, b"start", 0)
    os.fsync(fd)
    same(os.lseek(fd, 0, os.SEEK_END), (1 << 30) + 3)
    same(os.pread(fd, 8, 0), b"start\0\0\0")
    for offset in (4096, 12345, 1 << 20, (1 << 30) - 4096):
        same(os.pread(fd, 4096, offset), b"\0" * 4096, f"a hole at {offset}")
    same(os.pread(fd, 10, (1 << 30) - 2), b"\0\0end")
    same(os.lseek(fd, 0, os.SEEK_DATA), 0)
    holds(os.lseek(fd, 0, os.SEEK_HOLE) <= (1 << 30) + 3, "a hole beyond the end")
    refused(errno.ENXIO, os.lseek, fd, 1 << 31, os.SEEK_DATA)
    holds(os.fstat(fd).st_blocks < 2048, f"{os.fstat(fd).st_blocks} blocks")
    os.ftruncate(fd, 1 << 29)
    os.ftruncate(fd, (1 << 30) + 3)
    same(os.pread(fd, 10, (1 << 30) - 2), b"\0" * 5, "cut off and lengthened")
    os.close(fd)


@check
def files_beyond_four_gibibytes(d):
    fd = os.open(f"{d}/f", os.O_CREAT | os.O_RDWR)
    places = [(4 << 30) - 3, (4 << 30) + 4093, (5 << 30) + 1, (1 << 40) + 7]
    for offset in places:
        os.pwrite(fd, b"%d!" % offset, offset)
    os.fsync(fd)
    os.close(fd)
    same(os.stat(f"{d}/f").st_size, places[-1] + len(b"%d!" % places[-1]))
    with open("/proc/sys/vm/drop_caches", "w") as drop:
        drop.write("1")
    fd = os.open(f"{d}/f", os.O_RDWR)
    for offset in places:
        text = b"%d!" % offset
        same(os.pread(fd, len(text), offset), text, f"at {offset}")
    same(os.pread(fd, 4, 5), b"\0" * 4, "nothing wraps around")
    os.ftruncate(fd, (4 << 30) + 1)
    same(os.fstat(fd).st_size, (4 << 30) + 1)
    os.close(fd)


@check
def two_processes_append(d):
    def append(number):
        fd = os.open(f"{d}/f", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        for i in range(100):
            os.write(fd, b"%d:%04d\n" % (number, i))
        os.close(fd)

    at_once(2, append)
    lines = read(on_server(f"{d}/f")).splitlines()
    same(len(lines), 200)
    for number in range(2):
        mine = [line for line in lines if line.startswith(b"%d:" % number)]
        same(mine, [b"%d:%04d" % (number, i) for i in range(100)], f"lines of process {number}")


@check
def one_of_many_creates_a_file(d):
    def create(number):
        won = []
        for i in range(10):
            try:
                os.close(os.open(f"{d}/{i}", os.O_CREAT | os.O_EXCL | os.O_WRONLY))
                won.append(i)
            except FileExistsError:
                pass
        return won

    winners = [i for won in at_once(8, create) for i in won]
    same(sorted(winners), list(range(10)))


@check
def one_of_many_makes_a_directory(d):
    def make(number):
        try:
            os.mkdir(f"{d}/dir")
            return 1
        except FileExistsError:
            return 0

    same(sum(at_once(8, make)), 1)


@check
def shared_maps(d):
    size = 1 << 20
    write(f"{d}/f", b"\0" * size)
    fd = os.open(f"{d}/f", os.O_RDWR)
    with mmap.mmap(fd, size) as mapped:
        def put(number):
            for offset in range(number * 4096, size, 4 * 4096):
                mapped[offset : offset + 4] = b"%04d" % (offset // 4096)

        at_once(4, put)
        mapped.flush()
        same(read(on_server(f"{d}/f"))[:8192:4096], b"00")
    os.close(fd)
    with open("/proc/sys/vm/drop_caches", "w") as drop:
        drop.write("1")
    data = read(f"{d}/f")
    for offset in range(0, size, 4096):
        same(data[offset : offset + 4], b"%04d" % (offset // 4096), f"at {offset}")


@check
def direct_io(d):
    with mmap.mmap(-1, 1 << 16) as aligned:
        aligned.write(os.urandom(1 << 16))
        fd = os.open(f"{d}/f", os.O_CREAT | os.O_RDWR | os.O_DIRECT)
        os.writev(fd, [aligned])
        same(read(on_server(f"{d}/f")), aligned[:], "without an fsync")
        with mmap.mmap(-1, 1 << 16) as back:
            same(os.preadv(fd, [back], 0), 1 << 16)
            same(back[:], aligned[:])
        os.close(fd)


@check
def another_mount_sees_what_was_closed(d):
    for i in range(5):
        write(f"{d}/f", b"%d" % i)
        same(read(read_only + d[len(mount) :] + "/f"), b"%d" % i, "through another mount")


# ---- Holes, room and copies: of version 4.2; version 3 has a copy by way of the client ----


def fallocate(path, offset, length, *options):
    """False where it is refused, as it must be before version 4.2."""
    # Through the command: the C library would write zeros where the server refuses.
    done = subprocess.run(
        ["fallocate", *options, "-o", str(offset), "-l", str(length), path],
        capture_output=True,
        text=True,
    )
    if is_version_4_2():
        same((done.returncode, done.stderr), (0, ""), "fallocate")
        return True
    holds("supported" in done.stderr, f"before version 4.2: {done.stderr}")
    return False


@check
def holes_are_found_and_made(d):
    size = 4 << 20
    write(f"{d}/f", b"x" * size)
    if not fallocate(f"{d}/f", 1 << 20, 2 << 20, "--punch-hole"):
        same(read(f"{d}/f"), b"x" * size, "contents")
        return
    on_disk = os.stat(on_server(f"{d}/f"))
    same(on_disk.st_size, size, "size")
    holds(on_disk.st_blocks * 512 < 3 << 20, f"{on_disk.st_blocks} blocks after the hole")
    same(read(f"{d}/f"), b"x" * (1 << 20) + bytes(2 << 20) + b"x" * (1 << 20), "contents")
    fd = os.open(f"{d}/f", os.O_RDONLY)
    same(os.lseek(fd, 0, os.SEEK_DATA), 0)
    same(os.lseek(fd, 0, os.SEEK_HOLE), 1 << 20, "the hole")
    same(os.lseek(fd, 1 << 20, os.SEEK_DATA), 3 << 20, "behind the hole")
    same(os.lseek(fd, 3 << 20, os.SEEK_HOLE), size, "the end")
    refused(errno.ENXIO, os.lseek, fd, size, os.SEEK_DATA)
    os.close(fd)
    write(f"{d}/empty", b"")
    os.truncate(f"{d}/empty", size)
    fd = os.open(f"{d}/empty", os.O_RDONLY)
    same(os.lseek(fd, 5, os.SEEK_HOLE), 5)
    refused(errno.ENXIO, os.lseek, fd, 0, os.SEEK_DATA)
    os.close(fd)


@check
def room_is_reserved(d):
    write(f"{d}/f", b"kept")
    if not fallocate(f"{d}/f", 0, 64 << 20):
        same(read(f"{d}/f"), b"kept", "contents")
        return
    on_disk = os.stat(on_server(f"{d}/f"))
    same((os.stat(f"{d}/f").st_size, on_disk.st_size), (64 << 20, 64 << 20), "size")
    holds(on_disk.st_blocks * 512 >= 64 << 20, f"{on_disk.st_blocks} blocks")
    with open(f"{d}/f", "rb") as file:
        same(file.read(6), b"kept\0\0", "contents")


@check
def copies_within_the_server(d):
    size = (2 << 20) + 12_345
    content = os.urandom(size)
    write(f"{d}/f", content)
    calls = copies_asked_for()

    def copy_all(to):
        source, destination = os.open(f"{d}/f", os.O_RDONLY), os.open(to, os.O_CREAT | os.O_RDWR)
        done = 0
        while done < size:
            moved = os.copy_file_range(source, destination, size - done, done, done)
            holds(moved > 0, f"nothing was copied at {done}")
            done += moved
        same(os.copy_file_range(source, destination, 100, size, 0), 0, "beyond the end")
        os.close(source)
        os.close(destination)

    copy_all(f"{d}/g")
    same(read(f"{d}/g"), content, "copied")
    same(read(on_server(f"{d}/g")), content, "on the server")
    if is_version_4_2():
        holds(copies_asked_for() > calls, "the client has copied by itself")
    os.chmod(f"{d}/f", 0o600)
    os.chmod(d, 0o777)
    refused(errno.EACCES, as_user, BOB, copy_all, f"{d}/bobs")
    os.chmod(f"{d}/f", 0o644)
    as_user(BOB, copy_all, f"{d}/bobs")
    same((read(f"{d}/bobs"), os.stat(f"{d}/bobs").st_uid), (content, BOB), "by another user")
    write(f"{d}/sparse", b"x")
    os.truncate(f"{d}/sparse", 2 << 20)
    subprocess.run(["cp", f"{d}/f", f"{d}/cp"], check=True)
    same(read(f"{d}/cp"), content, "cp")
    subprocess.run(["cp", f"{d}/sparse", f"{d}/cp"], check=True)
    same(read(f"{d}/cp"), b"x" + bytes((2 << 20) - 1), "cp of a sparse file")
    done = subprocess.run(
        ["cp", "--reflink=always", f"{d}/f", f"{d}/clone"], capture_output=True, text=True
    )
    if done.returncode == 0:
        same(read(f"{d}/clone"), content, "a clone")
    else:
        holds("not supported" in done.stderr, done.stderr)


def copies_asked_for():
    """How many COPYs the client has sent."""
    with open("/proc/self/mountstats") as statistics:
        counts = [line.split()[1] for line in statistics if line.split()[:1] == ["COPY:"]]
    return sum(int(count) for count in counts)


# ---- Extended attributes, of version 4.2 ----


def has_extended_attributes(path):
    """Before version 4.2 there are none, and programs are told so."""
    if is_version_4_2():
        return True
    refused(errno.EOPNOTSUPP, os.setxattr, path, "user.x", b"1")
    refused(errno.EOPNOTSUPP, os.getxattr, path, "user.x")
    return False


def attached(path):
    """What users have attached; servers have more to list, such as ACLs."""
    return sorted(name for name in os.listxattr(path) if name.startswith("user."))


@check
def extended_attributes_are_kept(d):
    if not has_extended_attributes(d):
        return
    write(f"{d}/f", b"x")
    os.mkdir(f"{d}/dir")
    for path in (f"{d}/f", f"{d}/dir"):
        same(attached(path), [], "at first")
        refused(errno.ENODATA, os.getxattr, path, "user.colour")
        refused(errno.ENODATA, os.setxattr, path, "user.colour", b"x", os.XATTR_REPLACE)
        os.setxattr(path, "user.colour", b"blue", os.XATTR_CREATE)
        refused(errno.EEXIST, os.setxattr, path, "user.colour", b"red", os.XATTR_CREATE)
        os.setxattr(path, "user.empty", b"")
        os.setxattr(path, "user.bytes", bytes(range(256)))
        same(os.getxattr(path, "user.colour"), b"blue")
        same(os.getxattr(path, "user.empty"), b"")
        drop_caches()
        same(os.getxattr(path, "user.bytes"), bytes(range(256)))
        same(attached(path), ["user.bytes", "user.colour", "user.empty"], "names")
        os.setxattr(path, "user.colour", b"green", os.XATTR_REPLACE)
        os.removexattr(path, "user.empty")
        refused(errno.ENODATA, os.removexattr, path, "user.empty")
        drop_caches()
        same(attached(path), ["user.bytes", "user.colour"], "after a removal")
        same(os.getxattr(path, "user.colour"), b"green")
    same(read(f"{d}/f"), b"x")
    os.rename(f"{d}/f", f"{d}/g")
    same(os.getxattr(f"{d}/g", "user.colour"), b"green", "after a rename")


@check
def many_and_large_extended_attributes(d):
    if not has_extended_attributes(d):
        return
    write(f"{d}/f", b"x")
    names = [f"user.{'n' * 30}{i:03}" for i in range(30)]
    for name in names:
        os.setxattr(f"{d}/f", name, name.encode())
    drop_caches()
    same(attached(f"{d}/f"), names, "names")
    same(os.getxattr(f"{d}/f", names[17]), names[17].encode())
    write(f"{d}/g", b"x")
    os.setxattr(f"{d}/g", "user.x", b"v" * 1_500)
    same(os.getxattr(f"{d}/g", "user.x"), b"v" * 1_500, "a large one")
    try:
        # How much a file has room for is its file system's matter; what does not fit is refused.
        os.setxattr(f"{d}/g", "user.x", b"w" * 60_000)
        drop_caches()
        same(os.getxattr(f"{d}/g", "user.x"), b"w" * 60_000, "a very large one")
    except OSError as error:
        holds(error.errno in (errno.ENOSPC, errno.E2BIG), f"a very large one: {error}")
        same(os.getxattr(f"{d}/g", "user.x"), b"v" * 1_500, "what was there before")
    os.setxattr(f"{d}/g", "user." + "n" * 250, b"1")
    refused(errno.ERANGE, os.setxattr, f"{d}/g", "user." + "n" * 251, b"1")


@check
def extended_attributes_are_for_those_who_may(d):
    if not has_extended_attributes(d):
        return
    write_as(ALICE, f"{d}/f", b"x")
    as_user(ALICE, os.setxattr, f"{d}/f", "user.x", b"alice")
    same(as_user(BOB, os.getxattr, f"{d}/f", "user.x"), b"alice", "who may read")
    same(as_user(BOB, attached, f"{d}/f"), ["user.x"])
    refused(errno.EACCES, as_user, BOB, os.setxattr, f"{d}/f", "user.x", b"bob")
    refused(errno.EACCES, as_user, BOB, os.removexattr, f"{d}/f", "user.x")
    os.chmod(f"{d}/f", 0o600)
    refused(errno.EACCES, as_user, BOB, os.getxattr, f"{d}/f", "user.x")
    os.chmod(f"{d}/f", 0o666)
    as_user(BOB, os.setxattr, f"{d}/f", "user.x", b"bob")
    same(os.getxattr(f"{d}/f", "user.x"), b"bob", "by one who may write")
    as_user(ALICE, os.mkdir, f"{d}/dir")
    as_user(ALICE, os.setxattr, f"{d}/dir", "user.x", b"1")
    refused(errno.EACCES, as_user, BOB, os.setxattr, f"{d}/dir", "user.x", b"2")
    os.symlink("f", f"{d}/link")
    same(os.getxattr(f"{d}/link", "user.x"), b"bob", "through a link")
    for name in ("trusted.x", "security.x", "system.x"):
        try:
            os.setxattr(f"{d}/f", name, b"1")
            raise AssertionError(f"{name} was set")
        except OSError as error:
            holds(error.errno in (errno.EOPNOTSUPP, errno.EPERM, errno.EINVAL), f"{name}: {error}")
    there = read_only + d[len(mount) :]
    same(os.getxattr(f"{there}/f", "user.x"), b"bob", "read-only")
    try:
        os.setxattr(f"{there}/f", "user.x", b"1")
        raise AssertionError("set where it is read-only")
    except OSError as error:
        holds(error.errno in (errno.EROFS, errno.EACCES), f"read-only: {error}")


# ---- Times ----


@check
def times_are_kept_to_the_nanosecond(d):
    write(f"{d}/f", b"x")
    # Not at 0: Linux clients cut the nanoseconds off the first and the last second they can tell.
    for seconds in (1, 1_000_000_007, 1_900_000_000, 4_102_444_800):
        given = (seconds * 10**9 + 123_456_789, seconds * 10**9 + 987_654_321)
        os.utime(f"{d}/f", ns=given)
        seen = os.stat(f"{d}/f")
        same((seen.st_atime_ns, seen.st_mtime_ns), given)
    on_disk = os.stat(on_server(f"{d}/f"))
    same(on_disk.st_mtime_ns // 10**9, 4_102_444_800, "on the server")
    os.symlink("f", f"{d}/link")
    os.utime(f"{d}/link", ns=(5_000_000_003, 5_000_000_007), follow_symlinks=False)
    same(os.lstat(f"{d}/link").st_mtime_ns, 5_000_000_007, "of a symbolic link")


@check
def times_are_set_by_owners_and_now_by_writers(d):
    write(f"{d}/f", b"x")
    os.chown(f"{d}/f", ALICE, TEAM)
    os.chmod(f"{d}/f", 0o664)
    os.utime(f"{d}/f", (1, 1))
    refused(errno.EPERM, as_user, BOB, os.utime, f"{d}/f", (5, 5), groups=[TEAM])
    refused(errno.EACCES, as_user, CAROL, os.utime, f"{d}/f")
    as_user(BOB, os.utime, f"{d}/f", groups=[TEAM])
    holds(abs(os.stat(f"{d}/f").st_mtime - time.time()) < 60, "touched by a writer")
    as_user(ALICE, os.utime, f"{d}/f", (9, 9))
    same(os.stat(f"{d}/f").st_mtime, 9)
    as_user(ALICE, os.utime, f"{d}/f")
    holds(abs(os.stat(f"{d}/f").st_mtime - time.time()) < 60, "touched by the owner")


@check
def times_move_with_what_is_done(d):
    write(f"{d}/f", b"x")
    os.utime(f"{d}/f", (1, 1))
    os.utime(d, (1, 1))
    before = os.stat(f"{d}/f").st_ctime_ns
    time.sleep(0.02)
    os.chmod(f"{d}/f", 0o600)
    after = os.stat(f"{d}/f")
    holds(after.st_ctime_ns > before, "ctime after chmod")
    same(after.st_mtime, 1, "mtime after chmod")
    with open(f"{d}/f", "ab") as file:
        file.write(b"y")
    holds(os.stat(f"{d}/f").st_mtime > 1, "mtime after a write")
    write(f"{d}/g", b"x")
    holds(os.stat(d).st_mtime > 1, "mtime of a directory after a creation")


# ---- Other kinds of files ----


@check
def pipes_sockets_and_devices(d):
    os.mkfifo(f"{d}/pipe", 0o666)
    same(stat.S_IFMT(os.lstat(f"{d}/pipe").st_mode), stat.S_IFIFO)
    if os.fork() == 0:
        write(f"{d}/pipe", b"through a pipe")
        os._exit(0)
    same(read(f"{d}/pipe"), b"through a pipe")
    os.wait()
    os.chdir(d)
    server = socket.socket(socket.AF_UNIX)
    server.bind("socket")
    server.listen()
    client = socket.socket(socket.AF_UNIX)
    client.connect("socket")
    client.close()
    server.close()
    same(stat.S_IFMT(os.lstat(f"{d}/socket").st_mode), stat.S_IFSOCK)
    os.mknod(f"{d}/null", 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    os.mknod(f"{d}/block", 0o600 | stat.S_IFBLK, os.makedev(259, 65537))
    same(read(f"{d}/null"), b"")
    same(os.lstat(on_server(f"{d}/null")).st_rdev, os.makedev(1, 3))
    same(os.lstat(f"{d}/block").st_rdev, os.makedev(259, 65537))
    refused(errno.EPERM, as_user, ALICE, os.mknod, f"{d}/n", 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    as_user(ALICE, os.mkfifo, f"{d}/alices")
    for name in os.listdir(d):
        os.unlink(f"{d}/{name}")


# ---- The file system as a whole ----


@check
def the_size_of_the_file_system(d):
    seen, true = os.statvfs(d), os.statvfs(SERVER)
    # The client counts in blocks of its own, the last of which it rounds.
    off = seen.f_blocks * seen.f_frsize - true.f_blocks * true.f_frsize
    holds(abs(off) <= seen.f_frsize, f"the size is off by {off} bytes")
    holds(0 < seen.f_bavail <= seen.f_bfree <= seen.f_blocks, f"room: {seen}")
    same(seen.f_files, true.f_files, "files")
    same(seen.f_namemax, 255, "length of names")
    out = subprocess.run(["df", d], capture_output=True, text=True, check=True).stdout
    holds(mount in out, out)


@check
def files_removed_by_the_server_are_stale(d):
    write(f"{d}/f", b"x" * 10_000)
    write(f"{d}/g", b"x")
    fd = os.open(f"{d}/f", os.O_RDONLY | os.O_DIRECT)
    os.unlink(on_server(f"{d}/f"))
    with mmap.mmap(-1, 4096) as room:
        until = time.monotonic() + 20

        # The server may have the file open for a moment longer.
        def read_on():
            while time.monotonic() < until:
                os.preadv(fd, [room], 0)
                time.sleep(0.1)

        if is_version_4():
            # An open file is one for the server, too: it is there until it is closed.
            os.preadv(fd, [room], 0)
        else:
            refused(errno.ESTALE, read_on)
    os.close(fd)
    refused(errno.ENOENT, read, f"{d}/f")
    same(read(f"{d}/g"), b"x")
    write(f"{d}/f", b"new")
    same(read(f"{d}/f"), b"new", "a new file of the same name")


@check
def a_read_only_export_is_one(d):
    write(f"{d}/f", b"x")
    there = read_only + d[len(mount) :]
    same(read(f"{there}/f"), b"x")
    # In version 3 clients ask first whether they may, and the answer knows one reason only.
    refused(errno.EROFS if is_version_4() else errno.EACCES, write, f"{there}/f", b"y")
    for action, arguments in (
        (write, (f"{there}/new", b"y")),
        (os.mkdir, (f"{there}/dir",)),
        (os.unlink, (f"{there}/f",)),
        (os.rename, (f"{there}/f", f"{there}/g")),
        (os.symlink, ("f", f"{there}/link")),
        (os.link, (f"{there}/f", f"{there}/link")),
        (os.chmod, (f"{there}/f", 0o600)),
        (os.utime, (f"{there}/f",)),
        (os.mkfifo, (f"{there}/pipe",)),
    ):
        refused(errno.EROFS, action, *arguments)
    same(read(f"{d}/f"), b"x")
    same(os.listdir(d), ["f"])


@check
def a_read_only_mount_is_one(d):
    write(f"{d}/f", b"x")
    there = os.path.join(mount + "-ro", os.path.relpath(d, mount))
    same(read(f"{there}/f"), b"x")
    refused(errno.EROFS, write, f"{there}/f", b"y")
    refused(errno.EROFS, os.mkdir, f"{there}/dir")


@check
def root_is_nobody_where_it_is_squashed(d):
    os.chmod(d, 0o1777)
    there = os.path.join(mount + "-squashed", os.path.relpath(d, mount))
    write(f"{there}/f", b"x")
    same(os.stat(f"{d}/f").st_uid, 65534)
    write_as(ALICE, f"{d}/alices", b"x")
    os.chmod(f"{d}/alices", 0o600)
    refused(errno.EACCES, read, f"{there}/alices")
    refused(errno.EPERM, os.chown, f"{there}/f", 0, 0)
    write_as(ALICE, f"{there}/also", b"x")
    same(os.stat(f"{d}/also").st_uid, ALICE)


# ---- Containers ----


def in_name_space(outside, count, action):
    """What an action answers as root of a user name space whose users are those from `outside` on."""
    ready_reader, ready_writer = os.pipe()
    mapped_reader, mapped_writer = os.pipe()
    answer_reader, answer_writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWUSER) != 0:
                raise OSError(ctypes.get_errno(), "unshare")
            os.write(ready_writer, b"x")
            os.read(mapped_reader, 1)
            os.setgroups([])
            os.setresgid(0, 0, 0)
            os.setresuid(0, 0, 0)
            answer = action()
        except BaseException as failure:
            answer = AssertionError(f"in a name space: {type(failure).__name__}: {failure}")
        with os.fdopen(answer_writer, "wb") as pipe:
            pickle.dump(answer, pipe)
        os._exit(0)
    os.close(answer_writer)
    os.close(ready_writer)
    os.read(ready_reader, 1)
    for kind in ("uid_map", "gid_map"):
        with open(f"/proc/{child}/{kind}", "w") as file:
            file.write(f"0 {outside} {count}")
    os.write(mapped_writer, b"x")
    with os.fdopen(answer_reader, "rb") as pipe:
        answer = pickle.load(pipe)
    os.waitpid(child, 0)
    for pipe in (ready_reader, mapped_reader, mapped_writer):
        os.close(pipe)
    if isinstance(answer, BaseException):
        raise answer
    return answer


@check
def users_of_a_name_space_are_those_outside(d):
    def live():
        write("inside", b"x")
        os.mkdir("dir", 0o750)
        os.rename("inside", "dir/inside")
        # The server knows nothing of name spaces: to it, this is a user who gives a file away.
        refused(errno.EPERM, os.chown, "dir/inside", 1000, 1000)
        refused(errno.EINVAL, os.chown, "dir", 70_000, -1)
        os.setresgid(1000, 1000, 1000)
        os.setresuid(1000, 1000, 1000)
        refused(errno.EACCES, os.listdir, "dir")
        write("by-a-user", b"y")
        return os.stat("dir").st_uid, os.stat("by-a-user").st_uid

    os.chdir(d)
    try:
        same(in_name_space(100_000, 65_536, live), (0, 1000), "as it is seen inside")
    finally:
        os.chdir("/")
    for name, owner in (("dir", 100_000), ("dir/inside", 100_000), ("by-a-user", 101_000)):
        same(os.stat(f"{d}/{name}").st_uid, owner, name)
        same(os.stat(on_server(f"{d}/{name}")).st_gid, owner, f"{name}, as the server sees it")


@check
def root_of_a_name_space_is_a_user_like_others(d):
    write_as(BOB, f"{d}/bobs", b"secret")
    os.chmod(f"{d}/bobs", 0o600)
    write_as(ALICE, f"{d}/alices", b"x")

    def live():
        refused(errno.EACCES, read, f"{d}/bobs")
        refused(errno.EPERM, os.chmod, f"{d}/bobs", 0o666)
        refused(errno.EINVAL, os.chown, f"{d}/alices", BOB, -1)
        os.chmod(f"{d}/alices", 0o400)
        write(f"{d}/also", b"y")
        return os.stat(f"{d}/bobs").st_uid

    same(in_name_space(ALICE, 1, live), 65534, "a user that is not of the name space")
    same(read(f"{d}/bobs"), b"secret")
    same(mode_of(f"{d}/alices"), 0o400)
    same(os.stat(f"{d}/also").st_uid, ALICE)


@check
def who_is_not_the_owner_may_do_what_the_mode_says(d):
    write_as(ALICE, f"{d}/f", b"alices")
    os.chmod(f"{d}/f", 0o646)
    write_as(BOB, f"{d}/f", b"bobs")
    same(read_as(CAROL, f"{d}/f"), b"bobs")
    same(os.stat(f"{d}/f").st_uid, ALICE)
    refused(errno.EPERM, as_user, BOB, os.chmod, f"{d}/f", 0o666)
    refused(errno.EPERM, as_user, BOB, os.utime, f"{d}/f", (1, 1))
    as_user(BOB, os.utime, f"{d}/f")
    refused(errno.EACCES, write_as, BOB, f"{d}/f", b"x", gid=ALICE)


mount, read_only = sys.argv[1:3]
run_all(mount, sys.argv[3:])
