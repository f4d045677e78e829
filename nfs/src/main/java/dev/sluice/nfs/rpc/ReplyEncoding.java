package dev.sluice.nfs.rpc;

import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;

/** The numbers of RFC 5531 in the heads of replies. */
final class ReplyEncoding {
  static final int ACCEPTED = 0;
  static final int DENIED = 1;

  static final int SUCCESS = 0;
  static final int PROG_UNAVAIL = 1;
  static final int PROG_MISMATCH = 2;
  static final int PROC_UNAVAIL = 3;
  static final int GARBAGE_ARGS = 4;
  static final int SYSTEM_ERR = 5;

  static final int RPC_MISMATCH = 0;
  static final int AUTH_ERROR = 1;

  private ReplyEncoding() {}

  static XdrWriter accepted(int xid, int status, XdrWriter out) {
    int verifierBytes = 0;
    return out.writeInt(xid)
        .writeInt(CallHeader.REPLY)
        .writeInt(ACCEPTED)
        .writeInt(CredentialReader.AUTH_NONE)
        .writeInt(verifierBytes)
        .writeInt(status);
  }

  static XdrWriter denied(int xid, int reason, XdrWriter out) {
    return out.writeInt(xid).writeInt(CallHeader.REPLY).writeInt(DENIED).writeInt(reason);
  }

  static ReplyHeader decodeAccepted(int xid, XdrReader in) {
    in.skip(4); // The verifier's flavour.
    in.skipOpaque(CredentialReader.BODY_BYTES_MAX);
    int status = in.readInt();
    return switch (status) {
      case SUCCESS -> new ReplyHeader.Success(xid);
      case PROG_UNAVAIL -> new ReplyHeader.ProgramUnavailable(xid);
      case PROG_MISMATCH -> new ReplyHeader.ProgramMismatch(xid, in.readInt(), in.readInt());
      case PROC_UNAVAIL -> new ReplyHeader.ProcedureUnavailable(xid);
      case GARBAGE_ARGS -> new ReplyHeader.GarbageArguments(xid);
      case SYSTEM_ERR -> new ReplyHeader.SystemError(xid);
      default -> throw new XdrException("an accepted call has a status of 0 to 5, not " + status);
    };
  }

  static ReplyHeader decodeDenied(int xid, XdrReader in) {
    int reason = in.readInt();
    return switch (reason) {
      case RPC_MISMATCH -> new ReplyHeader.RpcMismatch(xid, in.readInt(), in.readInt());
      case AUTH_ERROR -> new ReplyHeader.AuthenticationError(xid, in.readInt());
      default -> throw new XdrException("a call is denied for reason 0 or 1, not " + reason);
    };
  }
}
