package dev.sluice.gateway.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/** What getdents64 said last to a thread, entry by entry. */
public final class DirectoryEntries {
  static final int BYTES = 32 << 10;

  private static final int NAME_OFFSET = 19;

  private final MemorySegment memory;
  private int start;
  private int next;
  private int end;

  DirectoryEntries(MemorySegment memory) {
    this.memory = memory;
  }

  void filled(int bytes) {
    start = 0;
    next = 0;
    end = bytes;
  }

  /** Goes to the next entry; false when there is none. */
  public boolean advance() {
    if (next >= end) {
      return false;
    }
    start = next;
    next += Short.toUnsignedInt(memory.get(JAVA_SHORT_UNALIGNED, start + 16));
    return true;
  }

  public long inode() {
    return memory.get(JAVA_LONG_UNALIGNED, start);
  }

  /** Where to go on after this entry. */
  public long cookie() {
    return memory.get(JAVA_LONG_UNALIGNED, start + 8);
  }

  /** A copy of the name. */
  public byte[] name() {
    int from = start + NAME_OFFSET;
    int to = from;
    while (memory.get(JAVA_BYTE, to) != 0) {
      to++;
    }
    byte[] name = new byte[to - from];
    MemorySegment.copy(memory, JAVA_BYTE, from, name, 0, name.length);
    return name;
  }
}
