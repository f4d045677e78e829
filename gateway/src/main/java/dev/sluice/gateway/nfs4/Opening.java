package dev.sluice.gateway.nfs4;

import dev.sluice.nfs.nfs4.Nfs4Operation;
import dev.sluice.nfs.nfs4.SessionId;
import dev.sluice.nfs.xdr.XdrReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * How a COMPOUND begins: all that is needed to tell its sender to come later with the rest.
 *
 * @param tag a letter for each of its bytes
 * @param highestSlot of those that the client uses at the moment
 * @param second what comes after SEQUENCE; null where there is nothing
 */
record Opening(
    String tag,
    SessionId session,
    int sequence,
    int slot,
    int highestSlot,
    boolean isToBeCached,
    @Nullable Nfs4Operation second) {
  /** Reads the arguments of SEQUENCE. */
  static Opening read(String tag, XdrReader in) {
    SessionId session = SessionId.read(in);
    int sequence = in.readInt();
    int slot = in.readInt();
    int highestSlot = in.readInt();
    return new Opening(tag, session, sequence, slot, highestSlot, in.readBoolean(), null);
  }

  /** A tag's bytes as they came. */
  static String tag(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  byte[] tagBytes() {
    return tag.getBytes(StandardCharsets.ISO_8859_1);
  }

  Opening withSecond(Nfs4Operation operation) {
    return new Opening(tag, session, sequence, slot, highestSlot, isToBeCached, operation);
  }
}
