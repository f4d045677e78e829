package dev.sluice.gateway.nfs4.state;

/** What a request that came on a slot of a session is. */
public sealed interface SlotUse {
  /** A new one: to be served, and then {@link Session#end}ed. */
  final class First implements SlotUse {
    private final int slot;
    private final int sequence;
    private final boolean isToBeCached;

    First(int slot, int sequence, boolean isToBeCached) {
      this.slot = slot;
      this.sequence = sequence;
      this.isToBeCached = isToBeCached;
    }

    public int slot() {
      return slot;
    }

    public int sequence() {
      return sequence;
    }

    /** Whether the client wishes that the reply be kept. */
    public boolean isToBeCached() {
      return isToBeCached;
    }
  }

  /** The last one again: answered already, and answered alike. */
  final class Replay implements SlotUse {
    private final byte[] reply;

    Replay(byte[] reply) {
      this.reply = reply;
    }

    /** The bytes that {@link Session#end} was given: not to be changed. */
    public byte[] reply() {
      return reply;
    }
  }
}
