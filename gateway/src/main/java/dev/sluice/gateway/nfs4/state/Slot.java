package dev.sluice.gateway.nfs4.state;

import dev.sluice.nfs.nfs4.Nfs4Status;
import org.jspecify.annotations.Nullable;

/** Where a session's requests come one after the other, each with the next number. */
final class Slot {
  private int sequence;
  private boolean isUsed;
  private boolean isBusy;
  private byte @Nullable [] reply;

  synchronized SlotUse begin(int slot, int asked, boolean isToBeCached) throws StateException {
    if (asked == sequence && isUsed) {
      if (isBusy) {
        throw new StateException(Nfs4Status.DELAY, "the request is being served");
      }
      if (reply == null) {
        throw new StateException(Nfs4Status.RETRY_UNCACHED_REP, "the reply was not kept");
      }
      return new SlotUse.Replay(reply);
    }
    if (asked != sequence + 1 || isBusy) {
      throw new StateException(
          Nfs4Status.SEQ_MISORDERED, "slot " + slot + ": " + asked + " after " + sequence);
    }
    sequence = asked;
    isUsed = true;
    isBusy = true;
    reply = null;
    return new SlotUse.First(slot, asked, isToBeCached);
  }

  synchronized void end(SlotUse.First use, byte @Nullable [] kept) {
    if (!isBusy || use.sequence() != sequence) {
      throw new IllegalStateException("expected the request that is being served");
    }
    isBusy = false;
    reply = kept;
  }
}
