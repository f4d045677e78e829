package dev.sluice.gateway.posix;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/** What quotactl answers (struct if_dqblk); holds until the thread's next call. */
public final class QuotaStatus {
  /** Q_GETQUOTA. */
  static final long GET = 0x80_0007;

  /** USRQUOTA and GRPQUOTA. */
  static final long OF_USER = 0;

  static final long OF_GROUP = 1;

  /** Limits are told in these; what is used, in bytes. */
  private static final long BLOCK_BYTES = 1024;

  private final MemorySegment memory;

  QuotaStatus(MemorySegment memory) {
    this.memory = memory;
  }

  public long hardBytes() {
    return memory.get(JAVA_LONG, 0) * BLOCK_BYTES;
  }

  public long softBytes() {
    return memory.get(JAVA_LONG, 8) * BLOCK_BYTES;
  }

  public long usedBytes() {
    return memory.get(JAVA_LONG, 16);
  }

  public long hardFiles() {
    return memory.get(JAVA_LONG, 24);
  }

  public long softFiles() {
    return memory.get(JAVA_LONG, 32);
  }

  public long usedFiles() {
    return memory.get(JAVA_LONG, 40);
  }

  /** When more than the soft limit of bytes becomes too much, since 1970; 0 while there is less. */
  public long graceEndSeconds() {
    return memory.get(JAVA_LONG, 48);
  }

  /** The same of files. */
  public long filesGraceEndSeconds() {
    return memory.get(JAVA_LONG, 56);
  }
}
