package dev.sluice.gateway.files;

/**
 * The file system's own locks of one lock owner on one file, for programs that do not come through
 * this server. A length of {@link #TO_END} goes to the end of the file, however long it grows. A
 * range that is locked again changes its kind, and one that is unlocked may be part of what was
 * locked. Closing it releases all.
 */
public interface FileLocks extends AutoCloseable {
  long TO_END = -1;

  /** Locks a range, at once or not at all. */
  boolean tryLock(long offset, long length, boolean isExclusive);

  void unlock(long offset, long length);

  /** Whether {@link #tryLock} would say yes. */
  boolean isFree(long offset, long length, boolean isExclusive);

  @Override
  void close();

  /** Of a file system that has no locks, or is not to be asked for them. */
  static FileLocks none() {
    return new FileLocks() {
      @Override
      public boolean tryLock(long offset, long length, boolean isExclusive) {
        return true;
      }

      @Override
      public void unlock(long offset, long length) {}

      @Override
      public boolean isFree(long offset, long length, boolean isExclusive) {
        return true;
      }

      @Override
      public void close() {}
    };
  }
}
