package dev.sluice.load.client;

import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A call that was sent, or is about to be, and has no answer yet. */
final class PendingCall<T> {
  /** Room for the arguments of any procedure without the bytes of a write. */
  static final int ARGUMENT_BYTES_MAX = 8 << 10;

  /** Writes a call's arguments; again when it is sent again. */
  @FunctionalInterface
  interface Arguments {
    /** For procedures without any. */
    Arguments NONE = out -> {};

    void writeTo(XdrWriter out);
  }

  /** Reads what a procedure answers. */
  @FunctionalInterface
  interface Results<T> {
    T readFrom(XdrReader in) throws IOException;
  }

  final int xid;
  final Credential caller;
  final int procedure;
  final Arguments arguments;
  final @Nullable Payload payload;
  final Results<T> results;
  final CompletableFuture<T> answer = new CompletableFuture<>();

  /** The connection, counted from the first, that it was last sent on; 0 before. */
  int sentOnConnection;

  /** How often it was sent. */
  int times;

  /** When it is to be sent again if there is no answer; read without the lock of all the rest. */
  volatile long dueNanos = System.nanoTime();

  PendingCall(
      int xid,
      Credential caller,
      int procedure,
      Arguments arguments,
      @Nullable Payload payload,
      Results<T> results) {
    this.xid = xid;
    this.caller = caller;
    this.procedure = procedure;
    this.arguments = arguments;
    this.payload = payload;
    this.results = results;
  }

  int bytesMax() {
    return ARGUMENT_BYTES_MAX + (payload == null ? 0 : XdrReader.padded(payload.length()));
  }

  void writeTo(XdrWriter out) {
    arguments.writeTo(out);
    if (payload != null) {
      out.writeInt(payload.length());
      payload.writeTo(out.buffer());
      out.writePadding(payload.length());
    }
  }
}
