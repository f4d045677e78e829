"""Changes files and remembers what must be in them, until /run/guest/stop is there, whatever the
server does meanwhile; then looks at everything: verified_load.py DIRECTORY PROCESSES

How many steps a process has taken is in /run/guest/steps-NUMBER. A call that is told that it was
done before, because the server had no time to say so, is counted as done twice.
"""

import fcntl
import os
import random
import sys

from checks import at_once, same

FILES_MAX = 12
SIZE_MAX = 256 << 10


def content(seed, size):
    return random.Random(seed).randbytes(size)


class Worker:
    def __init__(self, directory, number):
        self.directory = os.path.join(directory, str(number))
        self.number = number
        self.random = random.Random(number)
        self.files = {}
        self.steps = 0
        self.twice = 0
        os.mkdir(self.directory)

    def run(self):
        actions = [self.create, self.create, self.overwrite, self.rename, self.verify, self.remove]
        actions.append(self.come_and_go)
        while not os.path.exists("/run/guest/stop"):
            if len(self.files) < 3:
                self.create()
            elif len(self.files) > FILES_MAX:
                self.remove()
            else:
                self.random.choice(actions)()
            self.steps += 1
            if self.steps % 5 == 0:
                self.tell()
        return self.steps

    def tell(self):
        with open(f"/run/guest/steps-{self.number}.part", "w") as file:
            file.write(str(self.steps))
        os.rename(f"/run/guest/steps-{self.number}.part", f"/run/guest/steps-{self.number}")

    def path(self, name):
        return os.path.join(self.directory, name)

    def some(self):
        return self.random.choice(sorted(self.files))

    def create(self):
        name = f"file-{self.steps}"
        data = bytearray(content(self.steps, self.random.randrange(SIZE_MAX)))
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
        with open(os.open(self.path(name), flags, 0o644), "wb") as file:
            file.write(data)
            if self.random.random() < 0.5:
                file.flush()
                os.fsync(file.fileno())
        # Closed, so kept: a client writes everything when a file is closed.
        self.files[name] = data

    def overwrite(self):
        name = self.some()
        data = self.files[name]
        offset = self.random.randrange(len(data) + 1)
        more = content(self.steps, self.random.randrange(64 << 10))
        with open(self.path(name), "r+b") as file:
            fcntl.lockf(file, fcntl.LOCK_EX)
            file.seek(offset)
            file.write(more)
        data[offset : offset + len(more)] = more

    def rename(self):
        old, new = self.some(), f"renamed-{self.steps}"
        try:
            os.rename(self.path(old), self.path(new))
        except FileNotFoundError:
            self.twice += 1
            os.stat(self.path(new))
        self.files[new] = self.files.pop(old)

    def remove(self):
        name = self.some()
        try:
            os.unlink(self.path(name))
        except FileNotFoundError:
            self.twice += 1
        del self.files[name]

    def come_and_go(self):
        """A directory, a link and a name for something, all of which must not be made twice."""
        for make, remove in (
            (os.mkdir, os.rmdir),
            (lambda path: os.symlink("nowhere", path), os.unlink),
            (lambda path: os.link(self.path(self.some()), path), os.unlink),
        ):
            path = self.path(f"passing-{self.steps}")
            try:
                make(path)
            except FileExistsError:
                self.twice += 1
            try:
                remove(path)
            except FileNotFoundError:
                self.twice += 1

    def verify(self):
        self.verify_file(self.some())

    def verify_file(self, name):
        with open(self.path(name), "rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            read = file.read()
        expected = self.files[name]
        if read != expected:
            at = next((i for i, (a, b) in enumerate(zip(read, expected)) if a != b), -1)
            raise AssertionError(
                f"{name}: {len(read)} bytes, expected {len(expected)}; first difference at {at}"
            )

    def verify_all(self):
        same(sorted(os.listdir(self.directory)), sorted(self.files), "names")
        for name in self.files:
            self.verify_file(name)
        return len(self.files)


def work(number):
    worker = Worker(sys.argv[1], number)
    steps = worker.run()
    with open("/proc/sys/vm/drop_caches", "w") as drop:
        drop.write("3")
    return steps, worker.verify_all(), worker.twice


try:
    answers = at_once(int(sys.argv[2]), work)
    print(f"{sum(a[0] for a in answers)} steps, {sum(a[1] for a in answers)} files at the end")
    print(f"{sum(a[2] for a in answers)} done twice")
    print("ok nothing_was_lost")
except BaseException as failure:
    print(f"not ok nothing_was_lost {type(failure).__name__}: {failure}")
