package dev.sluice.nfs.rpc;

import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;

/** The head of a reply. Results follow {@link Success} and nothing follows any other. */
public sealed interface ReplyHeader {
  /** What the head of a reply takes at most when it comes from here. */
  int BYTES_MAX = 32;

  /** Why a credential was refused: it makes no sense here (AUTH_BADCRED). */
  int BAD_CREDENTIAL = 1;

  /** Pairs the reply with the call. */
  int xid();

  /** The call was carried out. */
  record Success(int xid) implements ReplyHeader {}

  /** There is no such program here. */
  record ProgramUnavailable(int xid) implements ReplyHeader {}

  /** The program is here, in versions from {@code low} to {@code high}. */
  record ProgramMismatch(int xid, int low, int high) implements ReplyHeader {}

  /** The program has no such procedure. */
  record ProcedureUnavailable(int xid) implements ReplyHeader {}

  /** The arguments cannot be read. */
  record GarbageArguments(int xid) implements ReplyHeader {}

  /** Something is wrong on the server. */
  record SystemError(int xid) implements ReplyHeader {}

  /** RPC is spoken in versions from {@code low} to {@code high}. */
  record RpcMismatch(int xid, int low, int high) implements ReplyHeader {}

  /** The caller is not believed to be who it says; {@code status} is the protocol's auth_stat. */
  record AuthenticationError(int xid, int status) implements ReplyHeader {}

  /** Writes the head of a reply, with a verifier that verifies nothing. */
  default void encode(XdrWriter out) {
    switch (this) {
      case Success _ -> encodeSuccess(xid(), out);
      case ProgramUnavailable _ -> ReplyEncoding.accepted(xid(), ReplyEncoding.PROG_UNAVAIL, out);
      case ProgramMismatch mismatch ->
          ReplyEncoding.accepted(xid(), ReplyEncoding.PROG_MISMATCH, out)
              .writeInt(mismatch.low())
              .writeInt(mismatch.high());
      case ProcedureUnavailable _ -> ReplyEncoding.accepted(xid(), ReplyEncoding.PROC_UNAVAIL, out);
      case GarbageArguments _ -> ReplyEncoding.accepted(xid(), ReplyEncoding.GARBAGE_ARGS, out);
      case SystemError _ -> ReplyEncoding.accepted(xid(), ReplyEncoding.SYSTEM_ERR, out);
      case RpcMismatch mismatch ->
          ReplyEncoding.denied(xid(), ReplyEncoding.RPC_MISMATCH, out)
              .writeInt(mismatch.low())
              .writeInt(mismatch.high());
      case AuthenticationError error ->
          ReplyEncoding.denied(xid(), ReplyEncoding.AUTH_ERROR, out).writeInt(error.status());
    }
  }

  /** Writes what stands before the results of a call that was carried out. */
  static void encodeSuccess(int xid, XdrWriter out) {
    ReplyEncoding.accepted(xid, ReplyEncoding.SUCCESS, out);
  }

  /**
   * Reads the head of a reply and leaves the reader at the results. What is not a reply is no
   * message at all: {@link XdrException}.
   */
  static ReplyHeader decode(XdrReader in) {
    int xid = in.readInt();
    int type = in.readInt();
    if (type != CallHeader.REPLY) {
      throw new XdrException(
          "expected a reply (" + CallHeader.REPLY + "), not a message of type " + type);
    }
    int replied = in.readInt();
    return switch (replied) {
      case ReplyEncoding.ACCEPTED -> ReplyEncoding.decodeAccepted(xid, in);
      case ReplyEncoding.DENIED -> ReplyEncoding.decodeDenied(xid, in);
      default -> throw new XdrException("a reply accepts (0) or denies (1), not " + replied);
    };
  }
}
