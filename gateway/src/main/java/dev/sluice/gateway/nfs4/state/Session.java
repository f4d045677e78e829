package dev.sluice.gateway.nfs4.state;

import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.SessionId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A client's session: slots, each of which serves one request at a time, and each just once. A
 * client begins with as many as it asked for, and is given more where one of its jobs is held back:
 * every request that waits keeps a slot. It is never asked to do with fewer again, because a client
 * that forgets slots and one that remembers them cannot be told apart.
 */
public final class Session {
  /** What a slot needs beside the reply that it keeps. */
  private static final int SLOT_BYTES = 64;

  private final SessionId id;
  private final Client client;
  private final int firstSlots;
  private final SlotShares shares = new SlotShares();
  private volatile Slot[] slots;
  private final int maxRequestBytes;
  private final int maxReplyBytes;
  private final int maxCachedReplyBytes;
  private final int maxOperations;
  private volatile boolean isGrowthSeen;
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
    this.firstSlots = slotCount;
    this.slots = withSlots(new Slot[0], slotCount);
    this.maxRequestBytes = maxRequestBytes;
    this.maxReplyBytes = maxReplyBytes;
    this.maxCachedReplyBytes = maxCachedReplyBytes;
    this.maxOperations = maxOperations;
    this.usedNanos = nowNanos;
  }

  /** So many slots, those that are there among them. */
  private static Slot[] withSlots(Slot[] before, int count) {
    Slot[] more = Arrays.copyOf(before, count);
    for (int i = before.length; i < count; i++) {
      more[i] = new Slot();
    }
    return more;
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

  /** How many requests are served at a time. */
  public int slots() {
    return slots.length;
  }

  /** How many of its slots the client is known to know of: it hears of more with a reply. */
  public int knownSlots() {
    return isGrowthSeen ? slots.length : firstSlots;
  }

  /** Which jobs keep its slots. */
  public SlotShares shares() {
    return shares;
  }

  /** Has so many slots from now on; under the lock of the table of clients. Never fewer. */
  void grow(int slotCount) {
    slots = withSlots(slots, Math.max(slotCount, slots.length));
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
    Slot[] served = slots;
    if (slot < 0 || slot >= served.length) {
      throw new StateException(
          Nfs4Status.BADSLOT, "slot " + slot + " of a session with " + served.length);
    }
    try {
      SlotUse use = served[slot].begin(slot, sequence, isToBeCached);
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

  /** A request came on this slot; it may be one that the client was given later. */
  public void isUsing(int slot) {
    if (slot >= firstSlots && !isGrowthSeen) {
      isGrowthSeen = true;
    }
  }

  /** The highest slot that is served. */
  public int highestSlot() {
    return slots.length - 1;
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
