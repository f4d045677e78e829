package dev.sluice.gateway.mount3;

import dev.sluice.core.model.JobId;
import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.export.MountPath;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.files.HandleCodec;
import dev.sluice.gateway.rpc.ClientHints;
import dev.sluice.gateway.rpc.RpcCall;
import dev.sluice.gateway.rpc.RpcProgram;
import dev.sluice.gateway.rpc.Work;
import dev.sluice.gateway.target.Served;
import dev.sluice.nfs.nfs3.MountProcedure;
import dev.sluice.nfs.nfs3.MountStatus;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * MOUNT version 3: gives out the first handle of an export to the clients that may use it. A client
 * that mounts {@code /@4711/scratch} gets handles that say job 4711; whether that is believed is
 * decided with every call that comes with such a handle.
 */
public final class Mount3Program implements RpcProgram {
  /** The most that is remembered of who mounted what. */
  public static final int MOUNTS_MAX = 4_096;

  /** The most that DUMP and EXPORT answer with: what does not fit is left out. */
  static final int LIST_BYTES_MAX = 1 << 16;

  private static final System.Logger LOGGER = System.getLogger(Mount3Program.class.getName());

  /** AUTH_SYS, and AUTH_NONE for whoever is content with being anonymous. */
  private static final List<Integer> FLAVORS = List.of(1, 0);

  private static final int LIST_END_BYTES = 4;

  private static final int MNT_REPLY_BYTES_MAX = 4 + 4 + Nfs3Procedure.HANDLE_BYTES_MAX + 4 + 2 * 4;

  private final Exports exports;
  private final HandleCodec handles;
  private final MountTable mounts = new MountTable(MOUNTS_MAX);
  private final ClientHints hints = new ClientHints(LOGGER);

  public Mount3Program(Exports exports, HandleCodec handles) {
    this.exports = exports;
    this.handles = handles;
  }

  @Override
  public int program() {
    return MountProcedure.PROGRAM;
  }

  @Override
  public int version() {
    return MountProcedure.VERSION;
  }

  @Override
  public boolean hasProcedure(int procedure) {
    return MountProcedure.of(procedure) != null;
  }

  @Override
  public Work inspect(RpcCall call, XdrReader arguments) {
    int replyBytesMax =
        switch (procedureOf(call)) {
          case NULL, UMNT, UMNTALL -> 0;
          case MNT -> MNT_REPLY_BYTES_MAX;
          case DUMP, EXPORT -> LIST_BYTES_MAX;
        };
    return new Work(null, null, 0, replyBytesMax, false);
  }

  @Override
  public Served serve(RpcCall call, Work work, XdrReader arguments, XdrWriter results) {
    switch (procedureOf(call)) {
      case NULL -> {}
      case MNT -> mount(call, readPath(arguments), results);
      case DUMP -> dump(results);
      case UMNT -> mounts.remove(call.client(), readPath(arguments));
      case UMNTALL -> mounts.removeAll(call.client());
      case EXPORT -> export(results);
    }
    return Served.ONE;
  }

  /** MNT. */
  private void mount(RpcCall call, String path, XdrWriter out) {
    int start = out.position();
    try {
      FileHandle handle = find(call, path);
      out.writeInt(MountStatus.OK.code());
      writeHandle(handle, out);
      out.writeInt(FLAVORS.size());
      FLAVORS.forEach(out::writeInt);
      mounts.add(call.client(), path);
    } catch (Refusal refusal) {
      LOGGER.log(
          Level.DEBUG,
          () ->
              "refused to mount %s for %s: %s (%s)"
                  .formatted(printable(path), call.client(), refusal.getMessage(), refusal.status));
      out.position(start);
      out.writeInt(refusal.status.code());
    }
  }

  private FileHandle find(RpcCall call, String text) throws Refusal {
    MountPath path = MountPath.parse(text);
    if (path == null) {
      throw new Refusal(MountStatus.ACCES, "expected an absolute path without \"..\"");
    }
    Exports.Mountable found = exports.find(path);
    if (found == null) {
      throw new Refusal(MountStatus.NOENT, "it is in no export");
    }
    Export export = found.export();
    if (!export.admits(call)) {
      if (export.admits(call.client())) {
        hints.tell(
            call.client(),
            "may mount "
                + export.path()
                + " from ports below 1024 alone, which are root's: mount as root, or set"
                + " privileged-ports: false where every user of that client is trusted");
      }
      throw new Refusal(
          MountStatus.ACCES,
          export.path()
              + " is for "
              + (export.clients().isEmpty() ? "all clients" : export.clients())
              + (export.privilegedPortRequired() ? " from a port below 1024" : ""));
    }
    try {
      return export.tree().directory(found.directory()).claimedBy(claim(path));
    } catch (FileException e) {
      throw new Refusal(status(e.status()), String.valueOf(e.getMessage()));
    }
  }

  private static @Nullable JobId claim(MountPath path) throws Refusal {
    if (path.job() == null) {
      return null;
    }
    try {
      return JobId.of(path.job());
    } catch (IllegalArgumentException e) {
      throw new Refusal(MountStatus.ACCES, String.valueOf(e.getMessage()));
    }
  }

  private void writeHandle(FileHandle handle, XdrWriter out) throws Refusal {
    try {
      handles.write(handle, out);
    } catch (IllegalArgumentException e) {
      // A client that is told nothing of its claim must not get a handle without it.
      throw new Refusal(MountStatus.ACCES, String.valueOf(e.getMessage()));
    }
  }

  /** DUMP: a mountlist. */
  private void dump(XdrWriter out) {
    int positionMax = out.position() + LIST_BYTES_MAX - LIST_END_BYTES;
    for (MountTable.Entry entry : mounts.entries()) {
      int start = out.position();
      byte[] client = bytes(entry.client().toString());
      byte[] path = bytes(entry.path());
      if (start + 4 + opaqueBytes(client) + opaqueBytes(path) > positionMax) {
        break;
      }
      out.writeBoolean(true).writeOpaque(client).writeOpaque(path);
    }
    out.writeBoolean(false);
  }

  /** EXPORT: an exports list, in which no group means everybody. */
  private void export(XdrWriter out) {
    int positionMax = out.position() + LIST_BYTES_MAX - LIST_END_BYTES;
    for (Export export : exports.all()) {
      byte[] path = bytes(export.path());
      List<byte[]> clients = export.clients().stream().map(c -> bytes(c.toString())).toList();
      int size = 4 + opaqueBytes(path) + LIST_END_BYTES;
      for (byte[] client : clients) {
        size += 4 + opaqueBytes(client);
      }
      if (out.position() + size > positionMax) {
        continue; // One with fewer clients may still fit.
      }
      out.writeBoolean(true).writeOpaque(path);
      for (byte[] client : clients) {
        out.writeBoolean(true).writeOpaque(client);
      }
      out.writeBoolean(false);
    }
    out.writeBoolean(false);
  }

  private static String readPath(XdrReader in) {
    return new String(in.readOpaque(MountProcedure.PATH_BYTES_MAX), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static int opaqueBytes(byte[] bytes) {
    return 4 + XdrReader.padded(bytes.length);
  }

  private static MountStatus status(Nfs3Status status) {
    return switch (status) {
      case PERM -> MountStatus.PERM;
      case NOENT, STALE -> MountStatus.NOENT;
      case IO -> MountStatus.IO;
      case ACCES -> MountStatus.ACCES;
      case NOTDIR -> MountStatus.NOTDIR;
      case INVAL -> MountStatus.INVAL;
      case NAMETOOLONG -> MountStatus.NAMETOOLONG;
      case NOTSUPP -> MountStatus.NOTSUPP;
      default -> MountStatus.SERVERFAULT;
    };
  }

  /** What strangers send must not look like several lines of a log. */
  private static String printable(String text) {
    StringBuilder printable = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            letter -> printable.appendCodePoint(Character.isISOControl(letter) ? '?' : letter));
    return printable.append('"').toString();
  }

  private static MountProcedure procedureOf(RpcCall call) {
    MountProcedure procedure = MountProcedure.of(call.procedure());
    if (procedure == null) {
      throw new XdrException("MOUNT has no procedure " + call.procedure());
    }
    return procedure;
  }

  /** Why a path is not mounted. */
  private static final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final MountStatus status;

    Refusal(MountStatus status, String reason) {
      super(reason, null, false, false);
      this.status = status;
    }
  }
}
