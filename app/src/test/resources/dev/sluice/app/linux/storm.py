"""A storm of metadata until /run/guest/stop is there: storm.py DIRECTORY PROCESSES"""

import os
import sys


def storm(directory):
    os.mkdir(directory)
    count = 0
    while not os.path.exists("/run/guest/stop"):
        name = f"{directory}/{count}"
        os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        os.chmod(name, 0o600)
        os.rename(name, name + "-renamed")
        os.unlink(name + "-renamed")
        count += 1
    os._exit(0)


directory, processes = sys.argv[1:]
children = []
for number in range(int(processes)):
    child = os.fork()
    if child == 0:
        storm(f"{directory}/{number}")
    children.append(child)
for child in children:
    os.waitpid(child, 0)
