package dev.sluice.load.client;

import dev.sluice.nfs.nfs4.CompoundReply;
import dev.sluice.nfs.nfs4.Nfs4Operation;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.StateId;
import dev.sluice.nfs.xdr.XdrReader;
import java.io.IOException;

/** What a COMPOUND was answered, operation by operation. */
final class Nfs4Answer {
  /** Reads the results of all operations that were asked for. */
  @FunctionalInterface
  interface Results<T> {
    T readFrom(Nfs4Answer answer) throws IOException;
  }

  private final CompoundReply reply;

  Nfs4Answer(XdrReader in) {
    reply = new CompoundReply(in);
  }

  /** The results of the next operation, if it succeeded. */
  XdrReader next(Nfs4Operation operation) throws Nfs4Exception {
    if (reply.operations() == 0) {
      throw new Nfs4Exception(operation, reply.status());
    }
    Nfs4Status status = reply.next(operation);
    if (status != Nfs4Status.OK) {
      throw new Nfs4Exception(operation, status);
    }
    return reply.in();
  }

  /** The state that an OPEN gave, which is next. */
  StateId nextOpened() throws Nfs4Exception {
    return CompoundReply.readOpened(next(Nfs4Operation.OPEN));
  }
}
