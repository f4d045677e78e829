package dev.sluice.load.client;

import dev.sluice.nfs.nfs3.CreateMode;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.nfs3.TimeHow;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The procedures of NFSv3 as calls that overlap: each answers at once with what will be known
 * later, and fails with an {@link Nfs3Exception} where the server refuses. One that the server
 * tells to come later is made anew, as often as it takes.
 *
 * <p>Whatever is chained to an answer runs on the thread that takes all answers in: it must be
 * quick and must not call.
 */
public final class NfsClient implements AutoCloseable {
  private static final int NAMED_PIPE = 7;
  private static final int READ_BYTES_MAX = 4 << 20;

  private final NodeConnection node;
  private final Credential caller;

  /** Somebody on a node; others may be there too. */
  NfsClient(NodeConnection node, Credential caller) {
    this.node = node;
    this.caller = caller;
  }

  /** Connects, alone; {@link ClientTimes} says what patience is for. */
  public static NfsClient connect(InetSocketAddress server, Credential caller, Duration patience)
      throws IOException {
    return NodeConnection.open(server, 1, ClientTimes.asLinux(patience)).as(caller);
  }

  /**
   * What a write did.
   *
   * @param count how many bytes of those sent
   * @param verifier differs from an earlier one when the server may have lost what was unstable
   */
  public record Written(int count, StableHow stability, long verifier) {}

  /** What a read found. */
  public record Read(int count, boolean endOfFile) {}

  /** How much a server wants in one call, and takes at most. */
  public record Limits(int readMax, int readPreferred, int writeMax, int writePreferred) {}

  /** A name in a directory. */
  public record Entry(String name, long fileId, long cookie) {}

  /**
   * A part of a directory.
   *
   * @param verifier to be given back with the last entry's cookie to get the next part
   */
  public record Page(List<Entry> entries, long verifier, boolean last) {
    public Page {
      entries = List.copyOf(entries);
    }
  }

  /** Asks nothing: whether somebody answers. */
  public CompletableFuture<Boolean> ping() {
    return node.call(
        caller, Nfs3Procedure.NULL.number(), PendingCall.Arguments.NONE, null, in -> true);
  }

  public CompletableFuture<FileAttributes> attributes(Handle file) {
    return call(Nfs3Procedure.GETATTR, file::writeTo, FileAttributes::readFrom);
  }

  /** Cuts a file off, or makes it longer. */
  public CompletableFuture<Boolean> setSize(Handle file, long size) {
    return setAttributes(file, -1, size);
  }

  /** Sets a file's permission bits. */
  public CompletableFuture<Boolean> setMode(Handle file, int mode) {
    return setAttributes(file, mode, -1);
  }

  private CompletableFuture<Boolean> setAttributes(Handle file, int mode, long size) {
    return call(
        Nfs3Procedure.SETATTR,
        out -> {
          file.writeTo(out);
          writeAttributes(out, mode, size);
          out.writeBoolean(false); // unconditionally
        },
        in -> true);
  }

  public CompletableFuture<Handle> lookup(Handle directory, String name) {
    return call(Nfs3Procedure.LOOKUP, out -> writePlace(out, directory, name), Handle::readFrom);
  }

  /** Which of the wanted permissions (ACCESS3_*) the caller has. */
  public CompletableFuture<Integer> access(Handle file, int wanted) {
    return call(
        Nfs3Procedure.ACCESS,
        out -> {
          file.writeTo(out);
          out.writeInt(wanted);
        },
        in -> {
          FileAttributes.readOptional(in);
          return in.readInt();
        });
  }

  public CompletableFuture<String> readLink(Handle link) {
    return call(
        Nfs3Procedure.READLINK,
        link::writeTo,
        in -> {
          FileAttributes.readOptional(in);
          return text(in.readOpaque(Nfs3Sizes.LINK_BYTES_MAX));
        });
  }

  /** Reads; the sink sees the bytes before the answer is known to the caller. */
  public CompletableFuture<Read> read(Handle file, long offset, int count, DataSink sink) {
    return call(
        Nfs3Procedure.READ,
        out -> {
          file.writeTo(out);
          out.writeLong(offset).writeInt(count);
        },
        in -> {
          FileAttributes.readOptional(in);
          int got = in.readInt();
          boolean endOfFile = in.readBoolean();
          ByteBuffer data = in.readOpaqueInPlace(READ_BYTES_MAX);
          if (got != data.remaining() || got > count) {
            throw new XdrException(
                "asked for " + count + " bytes, told of " + got + ", got " + data.remaining());
          }
          sink.accept(data);
          return new Read(got, endOfFile);
        });
  }

  public CompletableFuture<Written> write(
      Handle file, long offset, Payload payload, StableHow stability) {
    return call(
        Nfs3Procedure.WRITE,
        out -> {
          file.writeTo(out);
          out.writeLong(offset).writeInt(payload.length()).writeInt(stability.code());
        },
        payload,
        in -> {
          FileAttributes.skipBeforeAndAfter(in);
          int count = in.readInt();
          if (count > payload.length() || (count < 1 && payload.length() > 0)) {
            throw new XdrException("of " + payload.length() + " bytes " + count + " were written");
          }
          return new Written(count, StableHow.read(in), in.readLong());
        });
  }

  /** Makes all that was written to the file stable; answers the server's write verifier. */
  public CompletableFuture<Long> commit(Handle file) {
    return call(
        Nfs3Procedure.COMMIT,
        out -> {
          file.writeTo(out);
          out.writeLong(0).writeInt(0); // the whole file
        },
        in -> {
          FileAttributes.skipBeforeAndAfter(in);
          return in.readLong();
        });
  }

  /** Makes a file, or takes the one that is there. */
  public CompletableFuture<Handle> create(Handle directory, String name, int mode) {
    return call(
        Nfs3Procedure.CREATE,
        out -> {
          writePlace(out, directory, name);
          out.writeInt(CreateMode.UNCHECKED.code());
          writeAttributes(out, mode, -1);
        },
        NfsClient::readMade);
  }

  public CompletableFuture<Handle> makeDirectory(Handle directory, String name, int mode) {
    return call(
        Nfs3Procedure.MKDIR,
        out -> {
          writePlace(out, directory, name);
          writeAttributes(out, mode, -1);
        },
        NfsClient::readMade);
  }

  public CompletableFuture<Handle> makeSymbolicLink(Handle directory, String name, String path) {
    return call(
        Nfs3Procedure.SYMLINK,
        out -> {
          writePlace(out, directory, name);
          writeAttributes(out, -1, -1);
          out.writeOpaque(bytes(path, Nfs3Sizes.LINK_BYTES_MAX));
        },
        NfsClient::readMade);
  }

  public CompletableFuture<Handle> makeNamedPipe(Handle directory, String name, int mode) {
    return call(
        Nfs3Procedure.MKNOD,
        out -> {
          writePlace(out, directory, name);
          out.writeInt(NAMED_PIPE);
          writeAttributes(out, mode, -1);
        },
        NfsClient::readMade);
  }

  public CompletableFuture<Boolean> remove(Handle directory, String name) {
    return call(Nfs3Procedure.REMOVE, out -> writePlace(out, directory, name), in -> true);
  }

  public CompletableFuture<Boolean> removeDirectory(Handle directory, String name) {
    return call(Nfs3Procedure.RMDIR, out -> writePlace(out, directory, name), in -> true);
  }

  public CompletableFuture<Boolean> rename(
      Handle fromDirectory, String from, Handle toDirectory, String to) {
    return call(
        Nfs3Procedure.RENAME,
        out -> {
          writePlace(out, fromDirectory, from);
          writePlace(out, toDirectory, to);
        },
        in -> true);
  }

  /** Gives a file one more name. */
  public CompletableFuture<Boolean> link(Handle file, Handle directory, String name) {
    return call(
        Nfs3Procedure.LINK,
        out -> {
          file.writeTo(out);
          writePlace(out, directory, name);
        },
        in -> true);
  }

  /** The names from a cookie on, 0 for the beginning, as READDIR tells them. */
  public CompletableFuture<Page> list(Handle directory, long cookie, long verifier, int bytes) {
    return call(
        Nfs3Procedure.READDIR,
        out -> {
          directory.writeTo(out);
          out.writeLong(cookie).writeLong(verifier).writeInt(bytes);
        },
        in -> readPage(in, false));
  }

  /** The names from a cookie on, 0 for the beginning, as READDIRPLUS tells them. */
  public CompletableFuture<Page> listWithAttributes(
      Handle directory, long cookie, long verifier, int bytes) {
    return call(
        Nfs3Procedure.READDIRPLUS,
        out -> {
          directory.writeTo(out);
          out.writeLong(cookie).writeLong(verifier).writeInt(bytes).writeInt(bytes);
        },
        in -> readPage(in, true));
  }

  /** Whether there is room on the file system; the figures interest nobody here. */
  public CompletableFuture<Boolean> fileSystemStatus(Handle root) {
    return call(Nfs3Procedure.FSSTAT, root::writeTo, in -> true);
  }

  public CompletableFuture<Limits> limits(Handle root) {
    return call(
        Nfs3Procedure.FSINFO,
        root::writeTo,
        in -> {
          FileAttributes.readOptional(in);
          int readMax = in.readInt();
          int readPreferred = in.readInt();
          in.readInt();
          int writeMax = in.readInt();
          int writePreferred = in.readInt();
          return new Limits(readMax, readPreferred, writeMax, writePreferred);
        });
  }

  private <T> CompletableFuture<T> call(
      Nfs3Procedure procedure, PendingCall.Arguments arguments, PendingCall.Results<T> results) {
    return call(procedure, arguments, null, results);
  }

  private <T> CompletableFuture<T> call(
      Nfs3Procedure procedure,
      PendingCall.Arguments arguments,
      @Nullable Payload payload,
      PendingCall.Results<T> results) {
    return node.call(
        caller,
        procedure.number(),
        arguments,
        payload,
        in -> {
          int status = in.readInt();
          if (status != Nfs3Status.OK.code()) {
            throw new Nfs3Exception(procedure, status);
          }
          return results.readFrom(in);
        });
  }

  private static void writePlace(XdrWriter out, Handle directory, String name) {
    directory.writeTo(out);
    out.writeOpaque(bytes(name, Nfs3Sizes.NAME_BYTES_MAX));
  }

  /** What to set, -1 for what to leave alone (sattr3). */
  private static void writeAttributes(XdrWriter out, int mode, long size) {
    out.writeBoolean(mode >= 0);
    if (mode >= 0) {
      out.writeInt(mode);
    }
    out.writeBoolean(false).writeBoolean(false); // user and group
    out.writeBoolean(size >= 0);
    if (size >= 0) {
      out.writeLong(size);
    }
    out.writeInt(TimeHow.DONT_CHANGE.code()).writeInt(TimeHow.DONT_CHANGE.code());
  }

  /** A server may leave the handle of what it made out; those that do cannot be used here. */
  private static Handle readMade(XdrReader in) {
    if (!in.readBoolean()) {
      throw new XdrException("the server made a file without saying which");
    }
    return Handle.readFrom(in);
  }

  private static Page readPage(XdrReader in, boolean withAttributes) {
    FileAttributes.readOptional(in);
    long verifier = in.readLong();
    List<Entry> entries = new ArrayList<>();
    while (in.readBoolean()) {
      long fileId = in.readLong();
      String name = text(in.readOpaque(Nfs3Sizes.NAME_BYTES_MAX));
      entries.add(new Entry(name, fileId, in.readLong()));
      if (withAttributes) {
        FileAttributes.readOptional(in);
        if (in.readBoolean()) {
          in.skipOpaque(Nfs3Procedure.HANDLE_BYTES_MAX);
        }
      }
    }
    return new Page(entries, verifier, in.readBoolean());
  }

  private static byte[] bytes(String text, int bytesMax) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > bytesMax) {
      throw new IllegalArgumentException("a name of more than " + bytesMax + " bytes: " + text);
    }
    return bytes;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** How many times it has connected: more than once when the server went away in between. */
  public int connections() {
    return node.connections();
  }

  /** Ends the connections, for all who share them. */
  @Override
  public void close() {
    node.close();
  }
}
