"""How long users wait for small things: latencies.py DIRECTORY SECONDS ACTIONS UID...

ACTIONS are some of stat, open, touch, create and write (a mebibyte, with fsync), as stat,open.
Each user has a process and a directory of its own. Says for each action "latency ACTION COUNT P50 P99
MAX" in milliseconds, and the same of all but the writes as "small". What does not end counts with
the time it has taken so far: who hangs must not keep the others from being heard.
"""

import mmap
import os
import signal
import struct
import sys
import time

RECORDS_MAX = 1 << 16
RECORD = struct.Struct("=id")
MEBIBYTE = b"x" * (1 << 20)
# Users write now and then; small things they do all the time.
WRITE_EVERY = 10


def act(action, count):
    if action == "stat":
        os.stat("file")
    elif action == "open":
        with open("file", "rb") as file:
            file.read()
    elif action == "touch":
        os.utime("file")
    elif action == "create":
        name = f"new-{count}"
        os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        os.unlink(name)
    elif action == "write":
        fd = os.open("large", os.O_CREAT | os.O_WRONLY)
        os.write(fd, MEBIBYTE)
        os.fsync(fd)
        os.close(fd)


class Diary:
    """What a process did, where another can read it: a count, what it is doing, then the records."""

    def __init__(self):
        self.room = mmap.mmap(-1, 24 + RECORDS_MAX * RECORD.size)

    def begin(self, action):
        struct.pack_into("=qd", self.room, 8, action + 1, time.monotonic())

    def end(self, action, count):
        (began,) = struct.unpack_from("=d", self.room, 16)
        RECORD.pack_into(self.room, 24 + count * RECORD.size, action, time.monotonic() - began)
        struct.pack_into("=qq", self.room, 0, count + 1, 0)

    def read(self):
        count, current, began = struct.unpack_from("=qqd", self.room, 0)
        records = [RECORD.unpack_from(self.room, 24 + i * RECORD.size) for i in range(count)]
        if current > 0:
            records.append((current - 1, time.monotonic() - began))
        return records


def furnish(uid, directory):
    if not os.path.isdir(directory):
        os.mkdir(directory)
        with open(f"{directory}/file", "w") as file:
            file.write("small\n")
        for path in (f"{directory}/file", directory):
            os.chown(path, uid, uid)


def live(uid, directory, diary, until):
    # What hangs here hangs in the first action.
    diary.begin(0)
    furnish(uid, directory)
    # From here on no path has anything on it that must be asked about, too.
    os.chdir(directory)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    count = rounds = 0
    while time.monotonic() < until and count < RECORDS_MAX - len(actions):
        rounds += 1
        for number, action in enumerate(actions):
            if action == "write" and rounds % WRITE_EVERY != 0:
                continue
            diary.begin(number)
            act(action, count)
            diary.end(number, count)
            count += 1
    os._exit(0)


def say(name, seconds):
    millis = sorted(1e3 * s for s in seconds)
    if millis:
        at = lambda part: millis[min(len(millis) - 1, int(part * len(millis)))]
        print(f"latency {name} {len(millis)} {at(0.5):.1f} {at(0.99):.1f} {millis[-1]:.1f}")


base, seconds, actions, *uids = sys.argv[1:]
actions = actions.split(",")
until = time.monotonic() + float(seconds)
diaries, children = [], []
for uid in map(int, uids):
    diary = Diary()
    diaries.append(diary)
    child = os.fork()
    if child == 0:
        live(uid, f"{base}/user-{uid}", diary, until)
    children.append(child)
time.sleep(max(0.0, until - time.monotonic()) + 0.2)
records = [record for diary in diaries for record in diary.read()]
for number, action in enumerate(actions):
    say(action, [seconds for done, seconds in records if done == number])
say("small", [seconds for done, seconds in records if actions[done] != "write"])
sys.stdout.flush()
for child in children:
    os.kill(child, signal.SIGKILL)
os._exit(0)
