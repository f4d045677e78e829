package dev.sluice.gateway.rquota;

import dev.sluice.core.model.Operation;
import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.export.MountPath;
import dev.sluice.gateway.export.Squash;
import dev.sluice.gateway.files.Caller;
import dev.sluice.gateway.files.DiskQuota;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.rpc.RpcCall;
import dev.sluice.gateway.rpc.RpcProgram;
import dev.sluice.gateway.rpc.Work;
import dev.sluice.gateway.target.Served;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.rquota.RquotaProcedure;
import dev.sluice.nfs.rquota.RquotaStatus;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * RQUOTA: tells what users and groups may have and have of an exported file system. Users may ask
 * about themselves and their groups, root about everybody where the export does not take it for
 * somebody else. Nobody can set anything.
 *
 * <p>It is answered to all ports of an export's clients: {@code quota} is run by users, who have
 * none of root's. So whoever lies about who it is learns how much another has stored.
 */
public final class RquotaProgram implements RpcProgram {
  public static final List<Integer> VERSIONS =
      List.of(RquotaProcedure.USERS_VERSION, RquotaProcedure.GROUPS_VERSION);

  /** The status and ten numbers. */
  private static final int REPLY_BYTES_MAX = 4 + 10 * 4;

  /** What quota types are called in calls, the same as in the kernel. */
  private static final int OF_USER = 0;

  private static final int OF_GROUP = 1;

  /** The block that clients reckon in, unless numbers of them have no room in 32 bits. */
  private static final int BLOCK_BITS = 10;

  private static final int BLOCK_BITS_MAX = 30;
  private static final long COUNT_MAX = 0xffff_ffffL;

  private final int version;
  private final Exports exports;
  private final InstantSource clock;

  private RquotaProgram(int version, Exports exports, InstantSource clock) {
    this.version = version;
    this.exports = exports;
    this.clock = clock;
  }

  /**
   * One for each version.
   *
   * @param clock by which what is left of a grace is reckoned
   */
  public static List<RpcProgram> allVersions(Exports exports, InstantSource clock) {
    return VERSIONS.stream()
        .<RpcProgram>map(version -> new RquotaProgram(version, exports, clock))
        .toList();
  }

  @Override
  public int program() {
    return RquotaProcedure.PROGRAM;
  }

  @Override
  public int version() {
    return version;
  }

  @Override
  public boolean hasProcedure(int procedure) {
    return RquotaProcedure.of(procedure) != null;
  }

  @Override
  public Work inspect(RpcCall call, XdrReader arguments) {
    RquotaProcedure procedure = procedureOf(call);
    if (procedure == RquotaProcedure.NULL) {
      return new Work(null, null, 0, 0, false);
    }
    int start = arguments.position();
    Export export = null;
    if (procedure == RquotaProcedure.GETQUOTA || procedure == RquotaProcedure.GETACTIVEQUOTA) {
      Exports.Mountable asked = find(call, readPath(arguments));
      export = asked == null ? null : asked.export();
    }
    arguments.buffer().position(start);
    // It may have to be read from the same disk as all else.
    return export == null
        ? new Work(null, null, 0, REPLY_BYTES_MAX, false)
        : new Work(export.tree().root(), Operation.STATFS, 0, REPLY_BYTES_MAX, false);
  }

  @Override
  public Served serve(RpcCall call, Work work, XdrReader arguments, XdrWriter results) {
    switch (procedureOf(call)) {
      case NULL -> {}
      case GETQUOTA, GETACTIVEQUOTA -> get(call, arguments, results);
      case SETQUOTA, SETACTIVEQUOTA -> results.writeInt(RquotaStatus.EPERM.code());
    }
    return Served.ONE;
  }

  private void get(RpcCall call, XdrReader in, XdrWriter out) {
    String path = readPath(in);
    DiskQuota.Kind kind =
        version == RquotaProcedure.USERS_VERSION ? DiskQuota.Kind.USER : readKind(in);
    int id = in.readInt();
    Exports.Mountable asked = find(call, path);
    int start = out.position();
    try {
      DiskQuota quota = asked == null ? null : quota(call.credential(), asked, kind, id);
      if (quota == null) {
        out.writeInt(RquotaStatus.NOQUOTA.code());
      } else {
        out.writeInt(RquotaStatus.OK.code());
        write(quota, clock.instant().getEpochSecond(), out);
      }
    } catch (FileException refusal) {
      boolean isForbidden =
          refusal.status() == Nfs3Status.PERM || refusal.status() == Nfs3Status.ACCES;
      out.position(start);
      out.writeInt((isForbidden ? RquotaStatus.EPERM : RquotaStatus.NOQUOTA).code());
    }
  }

  /** The export that a path is in, if it is for the sender; null when there is none. */
  private Exports.@Nullable Mountable find(RpcCall call, String text) {
    // Linux leaves out the slash for mounts of version 4, to tell them apart.
    MountPath path = MountPath.parse(text.startsWith("/") ? text : "/" + text);
    Exports.Mountable found = path == null ? null : exports.find(path);
    return found != null && found.export().admits(call.client()) ? found : null;
  }

  private static @Nullable DiskQuota quota(
      Credential credential, Exports.Mountable asked, DiskQuota.Kind kind, int id)
      throws FileException {
    Export export = asked.export();
    int owner = owner(credential, export.squash(), kind, id);
    try (FileNode directory = export.tree().open(export.tree().directory(asked.directory()))) {
      return export.tree().quota(directory, kind, owner);
    }
  }

  /**
   * Whose quota is to be told; throws when it is none of the caller's business. Who asks about
   * itself asks about whom it is taken for, because that is who its files belong to.
   */
  private static int owner(Credential credential, Squash squash, DiskQuota.Kind kind, int id)
      throws FileException {
    // By the groups that the call names: nobody can be told here to ask again once all are known.
    Caller caller = new Squash(squash.who(), squash.anonymous()).caller(credential);
    if (caller.uid() == Caller.ROOT.uid()) {
      return id;
    }
    boolean isGroup = kind == DiskQuota.Kind.GROUP;
    if (credential instanceof Credential.Sys claimed
        && id == (isGroup ? claimed.gid() : claimed.uid())) {
      return isGroup ? caller.gid() : caller.uid();
    }
    if (isGroup) {
      for (int i = 0; i < caller.groupCount(); i++) {
        if (caller.group(i) == id) {
          return id;
        }
      }
    }
    if (id == (isGroup ? caller.gid() : caller.uid())) {
      return id;
    }
    throw new FileException(Nfs3Status.PERM, "another's quota");
  }

  /** An rquota: the size of a block, whether it is in force, limits and use in blocks and files. */
  private static void write(DiskQuota quota, long nowSeconds, XdrWriter out) {
    int bits = BLOCK_BITS;
    long most = Math.max(quota.usedBytes(), Math.max(quota.softBytes(), quota.hardBytes()));
    while (bits < BLOCK_BITS_MAX && blocks(most, bits) > COUNT_MAX) {
      bits++;
    }
    out.writeInt(1 << bits).writeBoolean(true);
    writeCount(blocks(quota.hardBytes(), bits), out);
    writeCount(blocks(quota.softBytes(), bits), out);
    writeCount(blocks(quota.usedBytes(), bits), out);
    writeCount(quota.hardFiles(), out);
    writeCount(quota.softFiles(), out);
    writeCount(quota.usedFiles(), out);
    writeRest(quota.graceEndSeconds(), nowSeconds, out);
    writeRest(quota.filesGraceEndSeconds(), nowSeconds, out);
  }

  /** A limit that is not 0 must not become that, which would be none. */
  private static long blocks(long bytes, int bits) {
    return (bytes >>> bits) + ((bytes & ((1L << bits) - 1)) == 0 ? 0 : 1);
  }

  private static void writeCount(long count, XdrWriter out) {
    out.writeInt((int) Math.min(count, COUNT_MAX));
  }

  /** Seconds until a grace ends, or since it has; 0 is what says that there is none. */
  private static void writeRest(long endSeconds, long nowSeconds, XdrWriter out) {
    long rest = endSeconds == 0 ? 0 : endSeconds - nowSeconds;
    boolean endsNow = endSeconds != 0 && rest == 0;
    out.writeInt(endsNow ? -1 : Math.clamp(rest, Integer.MIN_VALUE, Integer.MAX_VALUE));
  }

  private static DiskQuota.Kind readKind(XdrReader in) {
    int type = in.readInt();
    return switch (type) {
      case OF_USER -> DiskQuota.Kind.USER;
      case OF_GROUP -> DiskQuota.Kind.GROUP;
      default -> throw new XdrException("quotas are of users (0) and groups (1), not " + type);
    };
  }

  private static String readPath(XdrReader in) {
    return new String(in.readOpaque(RquotaProcedure.PATH_BYTES_MAX), StandardCharsets.UTF_8);
  }

  private static RquotaProcedure procedureOf(RpcCall call) {
    RquotaProcedure procedure = RquotaProcedure.of(call.procedure());
    if (procedure == null) {
      throw new XdrException("RQUOTA has no procedure " + call.procedure());
    }
    return procedure;
  }
}
