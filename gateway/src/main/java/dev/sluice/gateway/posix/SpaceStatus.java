package dev.sluice.gateway.posix;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/** What fstatfs said last to a thread. Holds until the thread's next call of it. */
public final class SpaceStatus {
  static final long BYTES = 120;

  private final MemorySegment memory;

  SpaceStatus(MemorySegment memory) {
    this.memory = memory;
  }

  public long totalBytes() {
    return bytes(16);
  }

  public long freeBytes() {
    return bytes(24);
  }

  /** What is free to those who are not root. */
  public long availableBytes() {
    return bytes(32);
  }

  public long totalFiles() {
    return memory.get(JAVA_LONG, 40);
  }

  public long freeFiles() {
    return memory.get(JAVA_LONG, 48);
  }

  /** What the file system calls itself, the same after a restart; each subvolume another. */
  public long fileSystemId() {
    return memory.get(JAVA_LONG, 56);
  }

  public int nameBytesMax() {
    return (int) memory.get(JAVA_LONG, 64);
  }

  private long bytes(long offset) {
    long fragmentBytes = memory.get(JAVA_LONG, 72);
    long unit = fragmentBytes != 0 ? fragmentBytes : memory.get(JAVA_LONG, 8);
    return memory.get(JAVA_LONG, offset) * unit;
  }
}
