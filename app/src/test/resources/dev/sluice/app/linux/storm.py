"""A storm of metadata: storm.py DIRECTORY PROCESSES SECONDS"""

import os
import sys
import time


def storm(directory, until):
    os.mkdir(directory)
    count = 0
    while time.monotonic() < until:
        name = f"{directory}/{count}"
        os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        os.chmod(name, 0o600)
        os.rename(name, name + "-renamed")
        os.unlink(name + "-renamed")
        count += 1
    os._exit(0)


directory, processes, seconds = sys.argv[1:]
until = time.monotonic() + float(seconds)
children = []
for number in range(int(processes)):
    child = os.fork()
    if child == 0:
        storm(f"{directory}/{number}", until)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
