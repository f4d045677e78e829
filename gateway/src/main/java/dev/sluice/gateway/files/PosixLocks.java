package dev.sluice.gateway.files;

import dev.sluice.gateway.posix.OpenFlags;
import dev.sluice.gateway.posix.SystemCalls;

/**
 * Locks of an open file description of its own (F_OFD_SETLK): other descriptions in this process
 * are kept out by them as those of other processes are, and closing it releases them all.
 */
final class PosixLocks implements FileLocks {
  /** Beyond this the kernel has no locks: clients keep such ranges among themselves. */
  private static final long OFFSET_MAX = Long.MAX_VALUE;

  private static final long KERNELS_TO_END = 0;

  private final int descriptor;

  private PosixLocks(int descriptor) {
    this.descriptor = descriptor;
  }

  /** Of a file that a descriptor stands for. */
  static PosixLocks of(int file, SystemCalls calls) throws FileException {
    int opened = calls.reopen(file, OpenFlags.READ_WRITE | OpenFlags.CLOSE_ON_EXEC);
    if (opened < 0) {
      opened = FileErrors.check(calls.reopen(file, OpenFlags.READ_ONLY | OpenFlags.CLOSE_ON_EXEC));
    }
    return new PosixLocks(opened);
  }

  @Override
  public boolean tryLock(long offset, long length, boolean isExclusive) {
    return offset < 0
        || SystemCalls.ofThisThread()
                .lock(descriptor, offset, kernelLength(offset, length), isExclusive)
            >= 0;
  }

  @Override
  public void unlock(long offset, long length) {
    if (offset >= 0) {
      SystemCalls.ofThisThread().unlock(descriptor, offset, kernelLength(offset, length));
    }
  }

  @Override
  public boolean isFree(long offset, long length, boolean isExclusive) {
    return offset < 0
        || SystemCalls.ofThisThread()
                .isLockable(descriptor, offset, kernelLength(offset, length), isExclusive)
            > 0;
  }

  private static long kernelLength(long offset, long length) {
    return length < 0 || length > OFFSET_MAX - offset ? KERNELS_TO_END : length;
  }

  @Override
  public void close() {
    SystemCalls.ofThisThread().close(descriptor);
  }
}
