package dev.sluice.load.client;

import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.nfs4.AttributeSet;
import dev.sluice.nfs.nfs4.CompoundOperation;
import dev.sluice.nfs.nfs4.Nfs4Attribute;
import dev.sluice.nfs.nfs4.Nfs4Operation;
import dev.sluice.nfs.nfs4.StateId;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A client of NFS 4.1: one COMPOUND for everything that is asked for. */
final class Nfs4Client implements NfsClient {
  private static final int NAMED_PIPE = 7;
  private static final int SYMBOLIC_LINK = 5;
  private static final int DIRECTORY = 2;
  private static final int READ_BYTES_MAX = 4 << 20;

  /** What became of a directory (change_info4). */
  private static final int CHANGE_BYTES = Integer.BYTES + 2 * Long.BYTES;

  private static final AttributeSet OF_SPACE =
      AttributeSet.of(
          Nfs4Attribute.SPACE_AVAIL, Nfs4Attribute.SPACE_FREE, Nfs4Attribute.SPACE_TOTAL);

  private final Nfs4Node node;
  private final Credential caller;

  /** Somebody on a node; others may be there too. */
  Nfs4Client(Nfs4Node node, Credential caller) {
    this.node = node;
    this.caller = caller;
  }

  @Override
  public CompletableFuture<Boolean> ping() {
    return once(List.of(), _ -> true);
  }

  /** Follows a path from the server's root. */
  CompletableFuture<Handle> find(String path) {
    List<CompoundOperation> operations = new ArrayList<>();
    operations.add(CompoundOperation.of(Nfs4Operation.PUTROOTFH));
    for (String part : path.split("/", -1)) {
      if (!part.isEmpty()) {
        operations.add(CompoundOperation.lookup(part));
      }
    }
    operations.add(CompoundOperation.of(Nfs4Operation.GETFH));
    return again(
        operations,
        answer -> {
          for (CompoundOperation operation : operations.subList(0, operations.size() - 1)) {
            answer.next(operation.operation());
          }
          return Handle.readFrom(answer.next(Nfs4Operation.GETFH));
        });
  }

  @Override
  public CompletableFuture<FileAttributes> attributes(Handle file) {
    return again(
        List.of(put(file), CompoundOperation.getAttributes(FileAttributes.WANTED)),
        answer -> {
          answer.next(Nfs4Operation.PUTFH);
          return FileAttributes.readVersion4(answer.next(Nfs4Operation.GETATTR));
        });
  }

  @Override
  public CompletableFuture<Boolean> setSize(Handle file, long size) {
    return setAttribute(file, Nfs4Attribute.SIZE, out -> out.writeInt(Long.BYTES).writeLong(size));
  }

  @Override
  public CompletableFuture<Boolean> setMode(Handle file, int mode) {
    return setAttribute(
        file, Nfs4Attribute.MODE, out -> out.writeInt(Integer.BYTES).writeInt(mode));
  }

  private CompletableFuture<Boolean> setAttribute(
      Handle file, int attribute, Consumer<XdrWriter> value) {
    CompoundOperation set =
        operation(
            Nfs4Operation.SETATTR,
            out -> {
              stateOf(file).write(out);
              AttributeSet.of(attribute).write(out);
              value.accept(out);
            });
    return once(List.of(put(file), set), done(Nfs4Operation.PUTFH, Nfs4Operation.SETATTR));
  }

  @Override
  public CompletableFuture<Handle> lookup(Handle directory, String name) {
    return again(
        List.of(
            put(directory),
            CompoundOperation.lookup(name),
            CompoundOperation.of(Nfs4Operation.GETFH)),
        answer -> {
          answer.next(Nfs4Operation.PUTFH);
          answer.next(Nfs4Operation.LOOKUP);
          return Handle.readFrom(answer.next(Nfs4Operation.GETFH));
        });
  }

  @Override
  public CompletableFuture<Integer> access(Handle file, int wanted) {
    return again(
        List.of(put(file), operation(Nfs4Operation.ACCESS, out -> out.writeInt(wanted))),
        answer -> {
          answer.next(Nfs4Operation.PUTFH);
          XdrReader in = answer.next(Nfs4Operation.ACCESS);
          in.skip(Integer.BYTES); // what the server can tell
          return in.readInt();
        });
  }

  @Override
  public CompletableFuture<String> readLink(Handle link) {
    return again(
        List.of(put(link), CompoundOperation.of(Nfs4Operation.READLINK)),
        answer -> {
          answer.next(Nfs4Operation.PUTFH);
          return text(answer.next(Nfs4Operation.READLINK).readOpaque(Nfs3Sizes.LINK_BYTES_MAX));
        });
  }

  @Override
  public CompletableFuture<Handle> openFile(Handle directory, String name, int mode) {
    String owner = node.nextOwner();
    return once(
        List.of(put(directory), open(owner, name, mode), CompoundOperation.of(Nfs4Operation.GETFH)),
        answer -> {
          answer.next(Nfs4Operation.PUTFH);
          OpenState state = new OpenState(owner, answer.nextOpened());
          Handle file = Handle.readFrom(answer.next(Nfs4Operation.GETFH)).openedAs(state);
          node.introduction().opened(state, file);
          return file;
        });
  }

  @Override
  public CompletableFuture<Boolean> closeFile(Handle file) {
    OpenState state = file.open();
    if (state == null) {
      throw new IllegalArgumentException(file + " is not open");
    }
    CompoundOperation close =
        operation(
            Nfs4Operation.CLOSE,
            out -> {
              out.writeInt(0);
              state.id().write(out);
            });
    return once(
        List.of(put(file), close),
        answer -> {
          answer.next(Nfs4Operation.PUTFH);
          answer.next(Nfs4Operation.CLOSE);
          node.introduction().closed(state);
          return true;
        });
  }

  @Override
  public CompletableFuture<Boolean> tryOpen(Handle directory, String name, Handle file) {
    return openedAndClosed(directory, name, -1).thenApply(_ -> true);
  }

  @Override
  public CompletableFuture<Handle> create(Handle directory, String name, int mode) {
    return openedAndClosed(directory, name, mode);
  }

  private CompletableFuture<Handle> openedAndClosed(Handle directory, String name, int mode) {
    return once(
        List.of(
            put(directory),
            open(node.nextOwner(), name, mode),
            CompoundOperation.of(Nfs4Operation.GETFH),
            CompoundOperation.close(StateId.CURRENT)),
        answer -> {
          answer.next(Nfs4Operation.PUTFH);
          answer.nextOpened();
          Handle file = Handle.readFrom(answer.next(Nfs4Operation.GETFH));
          answer.next(Nfs4Operation.CLOSE);
          return file;
        });
  }

  /** The session says whose open it is. */
  private static CompoundOperation open(String owner, String name, int mode) {
    return CompoundOperation.open(
        0, owner, Nfs4Introduction.ACCESS_BOTH, Nfs4Introduction.DENY_NONE, mode, checked(name));
  }

  @Override
  public CompletableFuture<Read> read(Handle file, long offset, int count, DataSink sink) {
    CompoundOperation read =
        operation(
            Nfs4Operation.READ,
            out -> {
              stateOf(file).write(out);
              out.writeLong(offset).writeInt(count);
            });
    return again(
        List.of(put(file), read),
        answer -> {
          answer.next(Nfs4Operation.PUTFH);
          XdrReader in = answer.next(Nfs4Operation.READ);
          boolean endOfFile = in.readBoolean();
          ByteBuffer data = in.readOpaqueInPlace(READ_BYTES_MAX);
          int got = data.remaining();
          if (got > count) {
            throw new XdrException("asked for " + count + " bytes, got " + got);
          }
          sink.accept(data);
          return new Read(got, endOfFile);
        });
  }

  @Override
  public CompletableFuture<Written> write(
      Handle file, long offset, Payload payload, StableHow stability) {
    CompoundOperation write =
        operation(
            Nfs4Operation.WRITE,
            out -> {
              stateOf(file).write(out);
              out.writeLong(offset).writeInt(stability.code());
            });
    return node.call(
        caller,
        false,
        List.of(put(file), write),
        payload,
        answer -> {
          answer.next(Nfs4Operation.PUTFH);
          XdrReader in = answer.next(Nfs4Operation.WRITE);
          int count = in.readInt();
          if (count > payload.length() || (count < 1 && payload.length() > 0)) {
            throw new XdrException("of " + payload.length() + " bytes " + count + " were written");
          }
          return new Written(count, StableHow.read(in), in.readLong());
        });
  }

  @Override
  public CompletableFuture<Long> commit(Handle file) {
    CompoundOperation commit =
        operation(Nfs4Operation.COMMIT, out -> out.writeLong(0).writeInt(0)); // the whole file
    return again(
        List.of(put(file), commit),
        answer -> {
          answer.next(Nfs4Operation.PUTFH);
          return answer.next(Nfs4Operation.COMMIT).readLong();
        });
  }

  @Override
  public CompletableFuture<Handle> makeDirectory(Handle directory, String name, int mode) {
    return make(directory, name, mode, out -> out.writeInt(DIRECTORY));
  }

  @Override
  public CompletableFuture<Handle> makeSymbolicLink(Handle directory, String name, String path) {
    return make(directory, name, -1, out -> out.writeInt(SYMBOLIC_LINK).writeOpaque(bytes(path)));
  }

  @Override
  public CompletableFuture<Handle> makeNamedPipe(Handle directory, String name, int mode) {
    return make(directory, name, mode, out -> out.writeInt(NAMED_PIPE));
  }

  private CompletableFuture<Handle> make(
      Handle directory, String name, int mode, Consumer<XdrWriter> type) {
    CompoundOperation create =
        operation(
            Nfs4Operation.CREATE,
            out -> {
              type.accept(out);
              out.writeOpaque(bytes(checked(name)));
              if (mode < 0) {
                AttributeSet.NONE.write(out);
                out.writeInt(0);
              } else {
                AttributeSet.of(Nfs4Attribute.MODE).write(out);
                out.writeInt(Integer.BYTES).writeInt(mode);
              }
            });
    return once(
        List.of(put(directory), create, CompoundOperation.of(Nfs4Operation.GETFH)),
        answer -> {
          answer.next(Nfs4Operation.PUTFH);
          XdrReader in = answer.next(Nfs4Operation.CREATE);
          in.skip(CHANGE_BYTES);
          AttributeSet.read(in);
          return Handle.readFrom(answer.next(Nfs4Operation.GETFH));
        });
  }

  @Override
  public CompletableFuture<Boolean> remove(Handle directory, String name) {
    return once(
        List.of(
            put(directory),
            operation(Nfs4Operation.REMOVE, out -> out.writeOpaque(bytes(checked(name))))),
        done(Nfs4Operation.PUTFH, Nfs4Operation.REMOVE));
  }

  /** Version 4 has one operation for both. */
  @Override
  public CompletableFuture<Boolean> removeDirectory(Handle directory, String name) {
    return remove(directory, name);
  }

  @Override
  public CompletableFuture<Boolean> rename(
      Handle fromDirectory, String from, Handle toDirectory, String to) {
    CompoundOperation rename =
        operation(
            Nfs4Operation.RENAME,
            out -> out.writeOpaque(bytes(checked(from))).writeOpaque(bytes(checked(to))));
    return fromTo(fromDirectory, toDirectory, rename);
  }

  @Override
  public CompletableFuture<Boolean> link(Handle file, Handle directory, String name) {
    return fromTo(
        file,
        directory,
        operation(Nfs4Operation.LINK, out -> out.writeOpaque(bytes(checked(name)))));
  }

  private CompletableFuture<Boolean> fromTo(Handle from, Handle to, CompoundOperation last) {
    return once(
        List.of(put(from), CompoundOperation.of(Nfs4Operation.SAVEFH), put(to), last),
        done(Nfs4Operation.PUTFH, Nfs4Operation.SAVEFH, Nfs4Operation.PUTFH, last.operation()));
  }

  @Override
  public CompletableFuture<Page> list(Handle directory, long cookie, long verifier, int bytes) {
    return list(directory, cookie, verifier, bytes, AttributeSet.of(Nfs4Attribute.FILEID));
  }

  @Override
  public CompletableFuture<Page> listWithAttributes(
      Handle directory, long cookie, long verifier, int bytes) {
    return list(directory, cookie, verifier, bytes, FileAttributes.WANTED);
  }

  private CompletableFuture<Page> list(
      Handle directory, long cookie, long verifier, int bytes, AttributeSet wanted) {
    CompoundOperation list =
        operation(
            Nfs4Operation.READDIR,
            out -> {
              out.writeLong(cookie).writeLong(verifier).writeInt(bytes).writeInt(bytes);
              wanted.write(out);
            });
    return again(
        List.of(put(directory), list),
        answer -> {
          answer.next(Nfs4Operation.PUTFH);
          XdrReader in = answer.next(Nfs4Operation.READDIR);
          long verifierThen = in.readLong();
          List<Entry> entries = new ArrayList<>();
          while (in.readBoolean()) {
            long at = in.readLong();
            String name = text(in.readOpaque(Nfs3Sizes.NAME_BYTES_MAX));
            entries.add(new Entry(name, FileAttributes.readVersion4(in).fileId(), at));
          }
          return new Page(entries, verifierThen, in.readBoolean());
        });
  }

  @Override
  public CompletableFuture<Boolean> fileSystemStatus(Handle root) {
    return again(
        List.of(put(root), CompoundOperation.getAttributes(OF_SPACE)),
        done(Nfs4Operation.PUTFH, Nfs4Operation.GETATTR));
  }

  @Override
  public CompletableFuture<Limits> limits(Handle root) {
    AttributeSet wanted = AttributeSet.of(Nfs4Attribute.MAXREAD, Nfs4Attribute.MAXWRITE);
    return again(
        List.of(put(root), CompoundOperation.getAttributes(wanted)),
        answer -> {
          answer.next(Nfs4Operation.PUTFH);
          XdrReader in = answer.next(Nfs4Operation.GETATTR);
          AttributeSet told = AttributeSet.read(in);
          in.skip(Integer.BYTES);
          int most = node.transferBytesMax();
          int read = told.has(Nfs4Attribute.MAXREAD) ? atMost(in.readLong(), most) : most;
          int write = told.has(Nfs4Attribute.MAXWRITE) ? atMost(in.readLong(), most) : most;
          return new Limits(read, read, write, write);
        });
  }

  /** An unsigned number of bytes as far as the session lets so many pass. */
  private static int atMost(long bytes, int most) {
    return bytes < 0 || bytes > most ? most : (int) bytes;
  }

  // How that is put into COMPOUNDs.

  /** What must not be done twice: the server keeps the answer. */
  private <T> CompletableFuture<T> once(
      List<CompoundOperation> operations, Nfs4Answer.Results<T> results) {
    return node.call(caller, true, operations, null, results);
  }

  /** What may be done again for want of an answer. */
  private <T> CompletableFuture<T> again(
      List<CompoundOperation> operations, Nfs4Answer.Results<T> results) {
    return node.call(caller, false, operations, null, results);
  }

  /** For operations of which only the last one has results, and those interest nobody. */
  private static Nfs4Answer.Results<Boolean> done(Nfs4Operation... operations) {
    return answer -> {
      for (Nfs4Operation operation : operations) {
        answer.next(operation);
      }
      return true;
    };
  }

  private static CompoundOperation operation(
      Nfs4Operation operation, Consumer<XdrWriter> arguments) {
    return new CompoundOperation(operation, arguments);
  }

  private static CompoundOperation put(Handle handle) {
    return CompoundOperation.putHandle(handle.bytes());
  }

  /** What is read and written without being opened goes by the name for that. */
  private static StateId stateOf(Handle file) {
    OpenState open = file.open();
    return open == null ? StateId.ANONYMOUS : open.id();
  }

  private static String checked(String name) {
    if (bytes(name).length > Nfs3Sizes.NAME_BYTES_MAX) {
      throw new IllegalArgumentException(
          "a name of more than " + Nfs3Sizes.NAME_BYTES_MAX + " bytes: " + name);
    }
    return name;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
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
