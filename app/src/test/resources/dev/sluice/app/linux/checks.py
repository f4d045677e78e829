"""Checks that run in a guest, each in a directory of its own, each with a line that says how it went."""

import errno
import os
import pickle
import sys
import time
import traceback

_checks = []


def check(function):
    """Marks a function as a check. It is given a directory that everybody may write."""
    _checks.append(function)
    return function


def run_all(base, only=()):
    for function in _checks:
        name = function.__name__
        if only and name not in only:
            continue
        os.umask(0o022)
        directory = os.path.join(base, name)
        began = time.monotonic()
        try:
            os.mkdir(directory)
            os.chmod(directory, 0o777)
            function(directory)
            print(f"ok {name} {time.monotonic() - began:.1f} s", flush=True)
        except BaseException as failure:
            place = traceback.extract_tb(failure.__traceback__)
            lines = ", ".join(str(frame.lineno) for frame in place if frame.name != "run_all")
            why = f"{type(failure).__name__}: {failure} (line {lines})".replace("\n", " ")
            print(f"not ok {name} {why}", flush=True)


def same(actual, expected, what=""):
    if actual != expected:
        raise AssertionError(f"{what}: expected {expected!r:.200}, got {actual!r:.200}".lstrip(": "))


def holds(condition, what):
    if not condition:
        raise AssertionError(what)


def refused(number, action, *arguments, **named):
    """An action must fail with an error number."""
    expected = errno.errorcode[number]
    try:
        answer = action(*arguments, **named)
    except OSError as error:
        same(errno.errorcode.get(error.errno, error.errno), expected, f"{action.__name__} {arguments!r:.80}")
        return
    raise AssertionError(f"{action.__name__} {arguments!r:.80}: expected {expected}, got {answer!r:.80}")


def as_user(uid, action, *arguments, gid=None, groups=(), umask=0o022):
    """What an action answers, or raises, in a process of this user."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups(list(groups))
            os.setresgid(*[uid if gid is None else gid] * 3)
            os.setresuid(uid, uid, uid)
            os.umask(umask)
            answer = (True, action(*arguments))
        except OSError as error:
            answer = (False, error)
        except BaseException as failure:
            answer = (False, AssertionError(f"as user {uid}: {type(failure).__name__}: {failure}"))
        with os.fdopen(writer, "wb") as pipe:
            pickle.dump(answer, pipe)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        well, answer = pickle.load(pipe)
    os.waitpid(child, 0)
    if not well:
        raise answer
    return answer


def at_once(count, action):
    """Runs action(0), action(1) ... in processes of their own that start together; the answers."""
    start_reader, start_writer = os.pipe()
    pipes = []
    for number in range(count):
        reader, writer = os.pipe()
        if os.fork() == 0:
            os.close(start_writer)
            os.read(start_reader, 1)
            try:
                answer = action(number)
            except BaseException as failure:
                answer = failure
            with os.fdopen(writer, "wb") as pipe:
                pickle.dump(answer, pipe)
            os._exit(0)
        os.close(writer)
        pipes.append(reader)
    os.close(start_reader)
    os.close(start_writer)
    answers = []
    for reader in pipes:
        with os.fdopen(reader, "rb") as pipe:
            answers.append(pickle.load(pipe))
        os.wait()
    for answer in answers:
        if isinstance(answer, BaseException):
            raise answer
    return answers


def write(path, data, mode=0o644):
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        file.write(data)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def mode_of(path):
    return os.lstat(path).st_mode & 0o7777
