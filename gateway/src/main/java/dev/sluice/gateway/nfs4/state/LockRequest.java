package dev.sluice.gateway.nfs4.state;

import dev.sluice.nfs.nfs4.StateId;
import org.jspecify.annotations.Nullable;

/** What a LOCK asks for. */
public final class LockRequest {
  private final StateId state;
  private final @Nullable Bytes newOwner;
  private final Object file;
  private final long offset;
  private final long length;
  private final boolean isExclusive;
  private final boolean isReclaim;

  private LockRequest(
      StateId state,
      @Nullable Bytes newOwner,
      Object file,
      long offset,
      long length,
      boolean isExclusive,
      boolean isReclaim) {
    this.state = state;
    this.newOwner = newOwner;
    this.file = file;
    this.offset = offset;
    this.length = length;
    this.isExclusive = isExclusive;
    this.isReclaim = isReclaim;
  }

  /** By an owner that has no locks on the file yet: by the open it locks through. */
  public static LockRequest first(
      StateId open,
      byte[] lockOwner,
      Object file,
      long offset,
      long length,
      boolean isExclusive,
      boolean isReclaim) {
    Bytes owner = new Bytes(lockOwner.clone());
    return new LockRequest(open, owner, file, offset, length, isExclusive, isReclaim);
  }

  /** By an owner that has, or had, others on the file. */
  public static LockRequest further(
      StateId locks,
      Object file,
      long offset,
      long length,
      boolean isExclusive,
      boolean isReclaim) {
    return new LockRequest(locks, null, file, offset, length, isExclusive, isReclaim);
  }

  /** Of the open when there is a {@link #newOwner}, of the owner's locks otherwise. */
  StateId state() {
    return state;
  }

  @Nullable Bytes newOwner() {
    return newOwner;
  }

  Object file() {
    return file;
  }

  long offset() {
    return offset;
  }

  long length() {
    return length;
  }

  boolean isExclusive() {
    return isExclusive;
  }

  boolean isReclaim() {
    return isReclaim;
  }
}
