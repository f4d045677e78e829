package dev.sluice.nfs.nfs3;

import dev.sluice.nfs.xdr.WireCodes;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;

/** How an NFSv3 procedure ended (nfsstat3). */
public enum Nfs3Status {
  OK(0),
  PERM(1),
  NOENT(2),
  IO(5),
  NXIO(6),
  ACCES(13),
  EXIST(17),
  XDEV(18),
  NODEV(19),
  NOTDIR(20),
  ISDIR(21),
  INVAL(22),
  FBIG(27),
  NOSPC(28),
  ROFS(30),
  MLINK(31),
  NAMETOOLONG(63),
  NOTEMPTY(66),
  DQUOT(69),
  STALE(70),
  REMOTE(71),
  BADHANDLE(10001),
  NOT_SYNC(10002),
  BAD_COOKIE(10003),
  NOTSUPP(10004),
  TOOSMALL(10005),
  SERVERFAULT(10006),
  BADTYPE(10007),
  JUKEBOX(10008);

  private static final WireCodes<Nfs3Status> CODES =
      new WireCodes<>("nfsstat3", values(), Nfs3Status::code);

  private final int code;

  Nfs3Status(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  /** Reads one; a number that the protocol does not know is an {@link XdrException}. */
  public static Nfs3Status read(XdrReader in) {
    return CODES.read(in);
  }
}
