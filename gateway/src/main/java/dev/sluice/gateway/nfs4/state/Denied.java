package dev.sluice.gateway.nfs4.state;

/** A lock that stands in the way of another (LOCK4denied). */
public final class Denied implements Locked {
  private final long offset;
  private final long length;
  private final boolean isExclusive;
  private final long clientId;
  private final byte[] owner;

  Denied(Range range, long clientId, byte[] owner) {
    this.offset = range.first();
    this.length = range.length();
    this.isExclusive = range.isExclusive();
    this.clientId = clientId;
    this.owner = owner;
  }

  public long offset() {
    return offset;
  }

  /** All ones when it goes to the end of the file. */
  public long length() {
    return length;
  }

  public boolean isExclusive() {
    return isExclusive;
  }

  /** 0 when it is of nobody whom the server knows: of a program beside it. */
  public long clientId() {
    return clientId;
  }

  /** Not to be changed; empty when {@link #clientId} is 0. */
  public byte[] owner() {
    return owner;
  }
}
