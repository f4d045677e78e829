package dev.sluice.gateway.nfs4.state;

import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.SessionId;
import org.jspecify.annotations.Nullable;

/** A client's session: slots, each of which serves one request at a time, and each just once. */
public final class Session {
  /** What a slot needs beside the reply that it keeps. */
  private static final int SLOT_BYTES = 64;

  private final SessionId id;
  private final Client client;
  private final Slot[] slots;
  private final int maxRequestBytes;
  private final int maxReplyBytes;
  private final int maxCachedReplyBytes;
  private final int maxOperations;
  private volatile int targetHighestSlot;
  private volatile long usedNanos;
  private volatile boolean isGone;

  Session(
      SessionId id,
      Client client,
      int slotCount,
      int maxRequestBytes,
      int maxReplyBytes,
      int maxCachedReplyBytes,
      int maxOperations,
      long nowNanos) {
    this.id = id;
    this.client = client;
    this.slots = new Slot[slotCount];
    for (int i = 0; i < slotCount; i++) {
      slots[i] = new Slot();
    }
    this.maxRequestBytes = maxRequestBytes;
    this.maxReplyBytes = maxReplyBytes;
    this.maxCachedReplyBytes = maxCachedReplyBytes;
    this.maxOperations = maxOperations;
    this.targetHighestSlot = slotCount - 1;
    this.usedNanos = nowNanos;
  }

  /** What a slot may need at most. */
  static long bytesOfSlot(int maxCachedReplyBytes) {
    return SLOT_BYTES + (long) maxCachedReplyBytes;
  }

  public SessionId id() {
    return id;
  }

  public Client client() {
    return client;
  }

  public int slots() {
    return slots.length;
  }

  public int maxRequestBytes() {
    return maxRequestBytes;
  }

  public int maxReplyBytes() {
    return maxReplyBytes;
  }

  /** The longest reply that {@link #end} keeps. */
  public int maxCachedReplyBytes() {
    return maxCachedReplyBytes;
  }

  /** Of one COMPOUND. */
  public int maxOperations() {
    return maxOperations;
  }

  /**
   * Begins a request, and renews the client's lease.
   *
   * @return the request as new, to be {@link #end ended}, or the reply it had before
   * @throws StateException DELAY while it is being served for the first time, RETRY_UNCACHED_REP
   *     when its reply was not kept (the lease is renewed then too), SEQ_MISORDERED, BADSLOT, or
   *     BADSESSION when the session is no more
   */
  public SlotUse begin(int slot, int sequence, boolean isToBeCached, long nowNanos)
      throws StateException {
    if (isGone) {
      throw new StateException(Nfs4Status.BADSESSION, id + " is no more");
    }
    if (slot < 0 || slot >= slots.length) {
      throw new StateException(
          Nfs4Status.BADSLOT, "slot " + slot + " of a session with " + slots.length);
    }
    try {
      SlotUse use = slots[slot].begin(slot, sequence, isToBeCached);
      renew(nowNanos);
      return use;
    } catch (StateException refused) {
      if (refused.status() == Nfs4Status.RETRY_UNCACHED_REP) {
        renew(nowNanos);
      }
      throw refused;
    }
  }

  /**
   * Ends a request that was begun, so that its slot serves the next.
   *
   * @param reply kept for a repetition if it is not too long; not to be changed any more
   */
  public void end(SlotUse.First use, byte @Nullable [] reply) {
    boolean isKept = reply != null && reply.length <= maxCachedReplyBytes;
    slots[use.slot()].end(use, isKept ? reply : null);
  }

  /** The highest slot that is served. */
  public int highestSlot() {
    return slots.length - 1;
  }

  /** The highest slot that the client is asked to use. */
  public int targetHighestSlot() {
    return targetHighestSlot;
  }

  /** Asks the client for fewer requests at a time, or for more again. */
  public void setTargetHighestSlot(int slot) {
    targetHighestSlot = Math.clamp(slot, 0, highestSlot());
  }

  long usedNanos() {
    return usedNanos;
  }

  void leave() {
    isGone = true;
  }

  long bytes() {
    return slots.length * bytesOfSlot(maxCachedReplyBytes);
  }

  private void renew(long nowNanos) {
    usedNanos = nowNanos;
    client.renew(nowNanos);
  }
}
