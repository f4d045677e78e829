"""Writes a mebibyte at a time until /run/guest/stop is there; then removes what it wrote, so that
nobody waits for what is still on its way: writer.py FILE buffered|direct PROCESSES"""

import mmap
import os
import sys

BLOCK = 1 << 20
# Far more than a guest holds back: nothing is written over before it has left.
FILE_BLOCKS = 512


def write(path, direct):
    fd = os.open(path, os.O_CREAT | os.O_WRONLY | (os.O_DIRECT if direct else 0))
    with mmap.mmap(-1, BLOCK) as block:
        block.write(b"sluice\n\0" * (BLOCK // 8))
        count = 0
        while not os.path.exists("/run/guest/stop"):
            os.pwritev(fd, [block], count % FILE_BLOCKS * BLOCK)
            count += 1
    os.unlink(path)
    os._exit(0)


path, kind, processes = sys.argv[1:]
children = []
for number in range(int(processes)):
    child = os.fork()
    if child == 0:
        write(f"{path}-{number}", kind == "direct")
    children.append(child)
for child in children:
    os.waitpid(child, 0)
