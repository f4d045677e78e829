package dev.sluice.gateway.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;

/**
 * What statx said last to a thread: a view of the kernel's structure, which is laid out alike on
 * all processors. Holds until the thread's next call of statx.
 */
public final class FileStatus {
  static final long BYTES = 256;

  /** STATX_BASIC_STATS, STATX_BTIME and STATX_MNT_ID. */
  static final int WANTED = 0x7ff | 0x800 | 0x1000;

  private static final int TYPE_BITS = 0xf000;
  private static final int BIRTH_KNOWN = 0x800;

  private final MemorySegment memory;

  FileStatus(MemorySegment memory) {
    this.memory = memory;
  }

  public int links() {
    return memory.get(JAVA_INT, 16);
  }

  public int uid() {
    return memory.get(JAVA_INT, 20);
  }

  public int gid() {
    return memory.get(JAVA_INT, 24);
  }

  /** The permission bits and the three above them. */
  public int mode() {
    return memory.get(JAVA_SHORT, 28) & 0xfff;
  }

  /** What kind of file it is, as S_IFMT cuts it out. */
  public int typeBits() {
    return memory.get(JAVA_SHORT, 28) & TYPE_BITS;
  }

  public long inode() {
    return memory.get(JAVA_LONG, 32);
  }

  public long size() {
    return memory.get(JAVA_LONG, 40);
  }

  /** What it takes on disk, in units of 512 bytes. */
  public long blocks() {
    return memory.get(JAVA_LONG, 48);
  }

  public long accessedSeconds() {
    return memory.get(JAVA_LONG, 64);
  }

  public int accessedNanos() {
    return memory.get(JAVA_INT, 72);
  }

  /** When it was made, in nanoseconds; 0 where the file system does not keep it. */
  public long birthNanos() {
    if ((memory.get(JAVA_INT, 0) & BIRTH_KNOWN) == 0) {
      return 0;
    }
    return memory.get(JAVA_LONG, 80) * 1_000_000_000L + memory.get(JAVA_INT, 88);
  }

  public long changedSeconds() {
    return memory.get(JAVA_LONG, 96);
  }

  public int changedNanos() {
    return memory.get(JAVA_INT, 104);
  }

  public long modifiedSeconds() {
    return memory.get(JAVA_LONG, 112);
  }

  public int modifiedNanos() {
    return memory.get(JAVA_INT, 120);
  }

  /** Of the device that a device file stands for. */
  public int deviceMajor() {
    return memory.get(JAVA_INT, 128);
  }

  /** Of the device that a device file stands for. */
  public int deviceMinor() {
    return memory.get(JAVA_INT, 132);
  }

  /** The device that the file itself is on; subvolumes of one file system have different ones. */
  public long device() {
    return (long) memory.get(JAVA_INT, 136) << Integer.SIZE
        | Integer.toUnsignedLong(memory.get(JAVA_INT, 140));
  }

  /** Tells mounts apart, also two of one file system. */
  public long mountId() {
    return memory.get(JAVA_LONG, 144);
  }
}
