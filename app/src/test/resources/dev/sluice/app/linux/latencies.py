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


def act(action, directory, count):
    if action == "stat":
        os.stat(f"{directory}/file")
    elif action == "open":
        with open(f"{directory}/file", "rb") as file:
            file.read()
    elif action == "touch":
        os.utime(f"{directory}/file")
    elif action == "create":
        name = f"{directory}/new-{count}"
        os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        os.unlink(name)
    elif action == "write":
        fd = os.open(f"{directory}/large", os.O_CREAT | os.O_WRONLY)
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


def live(uid, directory, diary, until):
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    count = 0
    while time.monotonic() < until and count < RECORDS_MAX:
        for number, action in enumerate(actions):
            # A writer writes now and then; the others wait for each answer and ask again.
            if action == "write" and count % 20 != len(actions) - 1 and len(actions) > 1:
                continue
            diary.begin(number)
            act(action, directory, count)
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
for uid in map(int, uids):
    directory = f"{base}/user-{uid}"
    if not os.path.isdir(directory):
        os.mkdir(directory)
        with open(f"{directory}/file", "w") as file:
            file.write("small\n")
        for path in (f"{directory}/file", directory):
            os.chown(path, uid, uid)
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
