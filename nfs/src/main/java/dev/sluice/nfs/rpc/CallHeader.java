package dev.sluice.nfs.rpc;

import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;

/** The head of a call that can be answered; its arguments follow. */
public record CallHeader(int xid, int program, int version, int procedure, Credential credential)
    implements DecodedCall {
  /** The version of RPC that is spoken. */
  public static final int RPC_VERSION = 2;

  /** What the head of a call takes at most. */
  public static final int BYTES_MAX = 24 + 2 * (8 + CredentialReader.BODY_BYTES_MAX);

  static final int CALL = 0;
  static final int REPLY = 1;

  /**
   * Reads the head of a call and leaves the reader at its arguments. What is not a call, or ends
   * before its head does, is no message at all: {@link XdrException}.
   */
  public static DecodedCall decode(XdrReader in, CredentialReader credentials) {
    int xid = in.readInt();
    int type = in.readInt();
    if (type != CALL) {
      throw new XdrException("expected a call (" + CALL + "), not a message of type " + type);
    }
    if (in.readInt() != RPC_VERSION) {
      return new DecodedCall.Refused(new ReplyHeader.RpcMismatch(xid, RPC_VERSION, RPC_VERSION));
    }
    int program = in.readInt();
    int version = in.readInt();
    int procedure = in.readInt();
    Credential credential = credentials.read(in);
    in.skip(4); // The verifier's flavour: whatever it is, nothing here is verified by it.
    in.skipOpaque(CredentialReader.BODY_BYTES_MAX);
    if (credential instanceof Credential.Unknown) {
      return new DecodedCall.Refused(
          new ReplyHeader.AuthenticationError(xid, ReplyHeader.BAD_CREDENTIAL));
    }
    return new CallHeader(xid, program, version, procedure, credential);
  }

  /** Writes the head of a call, with a verifier that verifies nothing. */
  public void encode(XdrWriter out) {
    out.writeInt(xid)
        .writeInt(CALL)
        .writeInt(RPC_VERSION)
        .writeInt(program)
        .writeInt(version)
        .writeInt(procedure);
    CredentialWriter.write(credential, out);
    out.writeInt(CredentialReader.AUTH_NONE).writeInt(0);
  }
}
