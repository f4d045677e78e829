package dev.sluice.nfs.rpc;

import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads the credentials of the calls on one connection. Most are the same as the one before, which
 * is found by comparing bytes and answered with the same object. Not thread-safe.
 */
public final class CredentialReader {
  /** The flavour that says nothing. */
  public static final int AUTH_NONE = 0;

  /** The flavour that says a user's numbers. */
  public static final int AUTH_SYS = 1;

  /** The longest body that the protocol allows. */
  public static final int BODY_BYTES_MAX = 400;

  private static final Credential MALFORMED = new Credential.Unknown(AUTH_SYS);

  private final ByteBuffer lastBody = ByteBuffer.allocate(BODY_BYTES_MAX).limit(0);
  private Credential last = MALFORMED;

  /**
   * The credential at the reader's position; {@link Credential.Unknown} for a flavour that is not
   * spoken here, and for AUTH_SYS whose body is none.
   */
  public Credential read(XdrReader in) {
    int flavor = in.readInt();
    if (flavor != AUTH_SYS) {
      in.skipOpaque(BODY_BYTES_MAX);
      return flavor == AUTH_NONE ? Credential.NONE : new Credential.Unknown(flavor);
    }
    int start = in.position();
    in.skipOpaque(BODY_BYTES_MAX);
    ByteBuffer buffer = in.buffer();
    int length = buffer.getInt(start);
    int body = start + 4;
    if (lastBody.limit() != length || !isLast(buffer, body, length)) {
      last = decode(new XdrReader(buffer.slice(body, length)));
      lastBody.clear().put(0, buffer, body, length).limit(length);
    }
    return last;
  }

  private boolean isLast(ByteBuffer buffer, int body, int length) {
    int i = 0;
    for (; i + Long.BYTES <= length; i += Long.BYTES) {
      if (buffer.getLong(body + i) != lastBody.getLong(i)) {
        return false;
      }
    }
    for (; i < length; i++) {
      if (buffer.get(body + i) != lastBody.get(i)) {
        return false;
      }
    }
    return true;
  }

  private static Credential decode(XdrReader body) {
    try {
      body.skip(4); // The stamp, which means nothing to anybody but the client.
      byte[] machine = body.readOpaque(Credential.Sys.MACHINE_NAME_BYTES_MAX);
      int uid = body.readInt();
      int gid = body.readInt();
      int count = body.readInt();
      if (count < 0 || count > Credential.Sys.GROUPS_MAX || body.remaining() != 4 * count) {
        return MALFORMED;
      }
      int[] groups = new int[count];
      for (int i = 0; i < count; i++) {
        groups[i] = body.readInt();
      }
      return new Credential.Sys(new String(machine, StandardCharsets.UTF_8), uid, gid, groups);
    } catch (XdrException _) {
      return MALFORMED;
    }
  }
}
