package dev.sluice.nfs.nfs4;

import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** How an operation of a COMPOUND ended (nfsstat4). */
public enum Nfs4Status {
  OK(0),
  PERM(1),
  NOENT(2),
  IO(5),
  NXIO(6),
  ACCESS(13),
  EXIST(17),
  XDEV(18),
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
  BADHANDLE(10001),
  BAD_COOKIE(10003),
  NOTSUPP(10004),
  TOOSMALL(10005),
  SERVERFAULT(10006),
  BADTYPE(10007),
  DELAY(10008),
  SAME(10009),
  DENIED(10010),
  EXPIRED(10011),
  LOCKED(10012),
  GRACE(10013),
  FHEXPIRED(10014),
  SHARE_DENIED(10015),
  WRONGSEC(10016),
  CLID_INUSE(10017),
  RESOURCE(10018),
  NOFILEHANDLE(10020),
  MINOR_VERS_MISMATCH(10021),
  STALE_CLIENTID(10022),
  STALE_STATEID(10023),
  OLD_STATEID(10024),
  BAD_STATEID(10025),
  BAD_SEQID(10026),
  NOT_SAME(10027),
  LOCK_RANGE(10028),
  SYMLINK(10029),
  RESTOREFH(10030),
  ATTRNOTSUPP(10032),
  NO_GRACE(10033),
  RECLAIM_BAD(10034),
  RECLAIM_CONFLICT(10035),
  BADXDR(10036),
  LOCKS_HELD(10037),
  OPENMODE(10038),
  BADOWNER(10039),
  BADCHAR(10040),
  BADNAME(10041),
  BAD_RANGE(10042),
  LOCK_NOTSUPP(10043),
  OP_ILLEGAL(10044),
  DEADLOCK(10045),
  FILE_OPEN(10046),
  ADMIN_REVOKED(10047),
  CB_PATH_DOWN(10048),
  BADIOMODE(10049),
  BADLAYOUT(10050),
  BADSESSION(10052),
  BADSLOT(10053),
  COMPLETE_ALREADY(10054),
  CONN_NOT_BOUND_TO_SESSION(10055),
  SEQ_MISORDERED(10063),
  SEQUENCE_POS(10064),
  REQ_TOO_BIG(10065),
  REP_TOO_BIG(10066),
  REP_TOO_BIG_TO_CACHE(10067),
  RETRY_UNCACHED_REP(10068),
  TOO_MANY_OPS(10070),
  OP_NOT_IN_SESSION(10071),
  CLIENTID_BUSY(10074),
  SEQ_FALSE_RETRY(10076),
  BAD_HIGH_SLOT(10077),
  DEADSESSION(10078),
  ENCR_ALG_UNSUPP(10079),
  NOT_ONLY_OP(10081),
  WRONG_CRED(10082),
  WRONG_TYPE(10083),
  DIRDELEG_UNAVAIL(10084),
  REJECT_DELEG(10085),
  UNION_NOTSUPP(10090),
  OFFLOAD_DENIED(10091),
  WRONG_LFS(10092),
  NOXATTR(10095),
  XATTR2BIG(10096);

  private static final Map<Integer, Nfs4Status> BY_CODE =
      Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Nfs4Status::code, s -> s));

  private final int code;

  Nfs4Status(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  /** Reads one; a number that the protocol does not know is an {@link XdrException}. */
  public static Nfs4Status read(XdrReader in) {
    int code = in.readInt();
    Nfs4Status status = BY_CODE.get(code);
    if (status == null) {
      throw new XdrException("expected an nfsstat4, not " + code);
    }
    return status;
  }
}
