package dev.sluice.load.client;

import dev.sluice.nfs.nfs3.AccessRights;
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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A client of NFSv3. */
final class Nfs3Client implements NfsClient {
  private static final int NAMED_PIPE = 7;
  private static final int READ_BYTES_MAX = 4 << 20;

  private final Nfs3Node node;
  private final Credential caller;

  /** Somebody on a node; others may be there too. */
  Nfs3Client(Nfs3Node node, Credential caller) {
    this.node = node;
    this.caller = caller;
  }

  @Override
  public CompletableFuture<Boolean> ping() {
    return node.call(
        caller, Nfs3Procedure.NULL.number(), PendingCall.Arguments.NONE, null, in -> true);
  }

  @Override
  public CompletableFuture<FileAttributes> attributes(Handle file) {
    return call(Nfs3Procedure.GETATTR, file::writeTo, FileAttributes::readFrom);
  }

  @Override
  public CompletableFuture<Boolean> setSize(Handle file, long size) {
    return setAttributes(file, -1, size);
  }

  @Override
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

  @Override
  public CompletableFuture<Handle> lookup(Handle directory, String name) {
    return call(Nfs3Procedure.LOOKUP, out -> writePlace(out, directory, name), Handle::readFrom);
  }

  @Override
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

  @Override
  public CompletableFuture<String> readLink(Handle link) {
    return call(
        Nfs3Procedure.READLINK,
        link::writeTo,
        in -> {
          FileAttributes.readOptional(in);
          return text(in.readOpaque(Nfs3Sizes.LINK_BYTES_MAX));
        });
  }

  @Override
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

  @Override
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

  @Override
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

  @Override
  public CompletableFuture<Handle> openFile(Handle directory, String name, int mode) {
    return create(directory, name, mode);
  }

  @Override
  public CompletableFuture<Boolean> closeFile(Handle file) {
    return CompletableFuture.completedFuture(true);
  }

  @Override
  public CompletableFuture<Boolean> tryOpen(Handle directory, String name, Handle file) {
    return access(file, AccessRights.ALL).thenApply(_ -> true);
  }

  @Override
  public CompletableFuture<Handle> create(Handle directory, String name, int mode) {
    return call(
        Nfs3Procedure.CREATE,
        out -> {
          writePlace(out, directory, name);
          out.writeInt(CreateMode.UNCHECKED.code());
          writeAttributes(out, mode, -1);
        },
        Nfs3Client::readMade);
  }

  @Override
  public CompletableFuture<Handle> makeDirectory(Handle directory, String name, int mode) {
    return call(
        Nfs3Procedure.MKDIR,
        out -> {
          writePlace(out, directory, name);
          writeAttributes(out, mode, -1);
        },
        Nfs3Client::readMade);
  }

  @Override
  public CompletableFuture<Handle> makeSymbolicLink(Handle directory, String name, String path) {
    return call(
        Nfs3Procedure.SYMLINK,
        out -> {
          writePlace(out, directory, name);
          writeAttributes(out, -1, -1);
          out.writeOpaque(bytes(path, Nfs3Sizes.LINK_BYTES_MAX));
        },
        Nfs3Client::readMade);
  }

  @Override
  public CompletableFuture<Handle> makeNamedPipe(Handle directory, String name, int mode) {
    return call(
        Nfs3Procedure.MKNOD,
        out -> {
          writePlace(out, directory, name);
          out.writeInt(NAMED_PIPE);
          writeAttributes(out, mode, -1);
        },
        Nfs3Client::readMade);
  }

  @Override
  public CompletableFuture<Boolean> remove(Handle directory, String name) {
    return call(Nfs3Procedure.REMOVE, out -> writePlace(out, directory, name), in -> true);
  }

  @Override
  public CompletableFuture<Boolean> removeDirectory(Handle directory, String name) {
    return call(Nfs3Procedure.RMDIR, out -> writePlace(out, directory, name), in -> true);
  }

  @Override
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

  @Override
  public CompletableFuture<Boolean> link(Handle file, Handle directory, String name) {
    return call(
        Nfs3Procedure.LINK,
        out -> {
          file.writeTo(out);
          writePlace(out, directory, name);
        },
        in -> true);
  }

  @Override
  public CompletableFuture<Page> list(Handle directory, long cookie, long verifier, int bytes) {
    return call(
        Nfs3Procedure.READDIR,
        out -> {
          directory.writeTo(out);
          out.writeLong(cookie).writeLong(verifier).writeInt(bytes);
        },
        in -> readPage(in, false));
  }

  @Override
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

  @Override
  public CompletableFuture<Boolean> fileSystemStatus(Handle root) {
    return call(Nfs3Procedure.FSSTAT, root::writeTo, in -> true);
  }

  @Override
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

  @Override
  public int connections() {
    return node.connections();
  }

  @Override
  public void close() {
    node.close();
  }
}
