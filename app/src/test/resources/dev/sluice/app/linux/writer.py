"""Writes for a while, a mebibyte at a time, and leaves without waiting for what is still on its way.

writer.py FILE buffered|direct PROCESSES SECONDS
"""

import mmap
import os
import sys
import time

BLOCK = 1 << 20
# Far more than a guest holds back: nothing is written over before it has left.
FILE_BLOCKS = 512


def write(path, direct, until):
    fd = os.open(path, os.O_CREAT | os.O_WRONLY | (os.O_DIRECT if direct else 0))
    with mmap.mmap(-1, BLOCK) as block:
        block.write(b"sluice\n\0" * (BLOCK // 8))
        count = 0
        while time.monotonic() < until:
            os.pwritev(fd, [block], count % FILE_BLOCKS * BLOCK)
            count += 1
    os._exit(0)


path, kind, processes, seconds = sys.argv[1:]
until = time.monotonic() + float(seconds)
children = []
for number in range(int(processes)):
    child = os.fork()
    if child == 0:
        write(f"{path}-{number}", kind == "direct", until)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
