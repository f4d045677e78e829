package dev.sluice.nfs.rpc;

/** What stands at the head of a record that is a call. */
public sealed interface DecodedCall permits CallHeader, DecodedCall.Refused {
  /** Pairs the reply with the call. */
  int xid();

  /** A call that can only be answered with this. */
  record Refused(ReplyHeader reply) implements DecodedCall {
    @Override
    public int xid() {
      return reply.xid();
    }
  }
}
