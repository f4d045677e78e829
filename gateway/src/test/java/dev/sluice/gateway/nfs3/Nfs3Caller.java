package dev.sluice.gateway.nfs3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.files.HandleCodec;
import dev.sluice.gateway.rpc.PipedReplies;
import dev.sluice.gateway.rpc.RpcCall;
import dev.sluice.gateway.rpc.RpcProgram;
import dev.sluice.gateway.rpc.Work;
import dev.sluice.gateway.target.Served;
import dev.sluice.nfs.nfs3.AccessRights;
import dev.sluice.nfs.nfs3.CreateMode;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.nfs3.TimeHow;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls a program's procedures without a network. Results get just the room that was asked for
 * them, so that whoever writes more fails.
 */
final class Nfs3Caller {
  /** Something stands before the results, as the head of the reply does in earnest. */
  private static final int HEAD_BYTES = 28;

  private static final int SMALL_ARGUMENTS_BYTES = 1_024;
  private static final int ARGUMENTS_BYTES_MAX = (1 << 20) + SMALL_ARGUMENTS_BYTES;

  private final RpcProgram program;

  /** What the last call came to. */
  Served lastServed = Served.NOTHING;

  private final HandleCodec handles;

  final PipedReplies replies = new PipedReplies();

  /** Used again and again, so that what one call leaves behind shows where another has a gap. */
  private ByteBuffer results = ByteBuffer.allocateDirect(4_096);

  Credential credential = new Credential.Sys("test", 0, 0);
  ClientAddress client = ClientAddress.parse("10.0.0.1");
  boolean privilegedPort;

  Nfs3Caller(RpcProgram program, HandleCodec handles) {
    this.program = program;
    this.handles = handles;
  }

  RpcCall rpcCall(Nfs3Procedure procedure) {
    return new RpcCall(
        client,
        privilegedPort,
        1,
        Nfs3Procedure.PROGRAM,
        Nfs3Procedure.VERSION,
        procedure.number(),
        credential);
  }

  static ByteBuffer arguments(Consumer<XdrWriter> writer) {
    try {
      return arguments(writer, SMALL_ARGUMENTS_BYTES);
    } catch (BufferOverflowException _) {
      return arguments(writer, ARGUMENTS_BYTES_MAX);
    }
  }

  private static ByteBuffer arguments(Consumer<XdrWriter> writer, int bytesMax) {
    ByteBuffer draft = ByteBuffer.allocate(bytesMax);
    writer.accept(new XdrWriter(draft));
    return ByteBuffer.allocateDirect(draft.position()).put(draft.flip()).flip();
  }

  /** Arguments that can be read, for any procedure. */
  static ByteBuffer anyArguments(Nfs3Procedure procedure, byte[] handle) {
    return anyArguments(procedure, handle, handle);
  }

  /**
   * Arguments that can be read, for any procedure.
   *
   * @param second the handle of the other directory, for procedures that have two
   */
  static ByteBuffer anyArguments(Nfs3Procedure procedure, byte[] handle, byte[] second) {
    return arguments(out -> {
      switch (procedure) {
        case NULL -> {}
        case GETATTR, READLINK, FSSTAT, FSINFO, PATHCONF -> out.writeOpaque(handle);
        case SETATTR -> setattrArguments(handle, new Change(), null, out);
        case LOOKUP, REMOVE, RMDIR -> writeName(handle, "name", out);
        case ACCESS -> out.writeOpaque(handle).writeInt(AccessRights.ALL);
        case READ -> out.writeOpaque(handle).writeLong(0).writeInt(100);
        case WRITE ->
            out.writeOpaque(handle).writeLong(0).writeInt(5).writeInt(0).writeOpaque(new byte[5]);
        case CREATE -> {
          writeName(handle, "name", out);
          out.writeInt(1);
          new Change().write(out);
        }
        case MKDIR -> {
          writeName(handle, "name", out);
          new Change().write(out);
        }
        case SYMLINK -> {
          writeName(handle, "name", out);
          new Change().write(out);
          out.writeOpaque(new byte[] {'x'});
        }
        case MKNOD -> {
          writeName(handle, "name", out);
          out.writeInt(7);
          new Change().write(out);
        }
        case RENAME -> {
          writeName(handle, "name", out);
          writeName(second, "other", out);
        }
        case LINK -> {
          out.writeOpaque(handle);
          writeName(second, "name", out);
        }
        case READDIR -> out.writeOpaque(handle).writeLong(0).writeLong(0).writeInt(4_096);
        case READDIRPLUS ->
            out.writeOpaque(handle).writeLong(0).writeLong(0).writeInt(512).writeInt(4_096);
        case COMMIT -> out.writeOpaque(handle).writeLong(0).writeInt(0);
      }
    });
  }

  Work inspect(Nfs3Procedure procedure, ByteBuffer arguments) {
    int start = arguments.position();
    Work work = program.inspect(rpcCall(procedure), new XdrReader(arguments));
    assertThat(arguments.position()).as("inspecting moves nothing").isEqualTo(start);
    return work;
  }

  Work inspect(Nfs3Procedure procedure, Consumer<XdrWriter> writer) {
    return inspect(procedure, arguments(writer));
  }

  Reply call(Nfs3Procedure procedure, Consumer<XdrWriter> writer) {
    return call(procedure, arguments(writer));
  }

  Reply call(Nfs3Procedure procedure, ByteBuffer arguments) {
    return serve(procedure, inspect(procedure, arguments), arguments);
  }

  Reply serve(Nfs3Procedure procedure, Work work, ByteBuffer arguments) {
    int end = HEAD_BYTES + work.replyBytesMax();
    if (results.capacity() < end) {
      results = ByteBuffer.allocateDirect(2 * end);
    }
    results.limit(end).position(HEAD_BYTES);
    Served served = replies.serve(program, rpcCall(procedure), work, arguments, results);
    assertThat(results.limit()).isEqualTo(end);
    Reply reply = new Reply(procedure, results.flip().position(HEAD_BYTES));
    assertThat(served.bytes()).isEqualTo(reply.count).isLessThanOrEqualTo(work.bytes());
    lastServed = served;
    return reply;
  }

  boolean mayTakeEffect(Nfs3Procedure procedure, Work work, ByteBuffer arguments) {
    return program.mayTakeEffect(rpcCall(procedure), work, new XdrReader(arguments.duplicate()));
  }

  byte[] bytes(FileHandle handle) {
    ByteBuffer buffer = ByteBuffer.allocate(68);
    handles.write(handle, new XdrWriter(buffer));
    return new XdrReader(buffer.flip()).readOpaque(64);
  }

  Reply getattr(byte[] file) {
    return call(Nfs3Procedure.GETATTR, out -> out.writeOpaque(file));
  }

  Reply setattr(byte[] file, Change change, Reply.@Nullable Time guard) {
    return call(Nfs3Procedure.SETATTR, out -> setattrArguments(file, change, guard, out));
  }

  static void setattrArguments(
      byte[] file, Change change, Reply.@Nullable Time guard, XdrWriter out) {
    out.writeOpaque(file);
    change.write(out);
    out.writeBoolean(guard != null);
    if (guard != null) {
      out.writeInt(guard.seconds()).writeInt(guard.nanos());
    }
  }

  Reply lookup(byte[] directory, String name) {
    return call(Nfs3Procedure.LOOKUP, out -> writeName(directory, name, out));
  }

  Reply access(byte[] file, int rights) {
    return call(Nfs3Procedure.ACCESS, out -> out.writeOpaque(file).writeInt(rights));
  }

  Reply readlink(byte[] file) {
    return call(Nfs3Procedure.READLINK, out -> out.writeOpaque(file));
  }

  Reply read(byte[] file, long offset, int count) {
    return call(Nfs3Procedure.READ, out -> out.writeOpaque(file).writeLong(offset).writeInt(count));
  }

  Reply write(byte[] file, long offset, StableHow stable, byte[] data) {
    return call(
        Nfs3Procedure.WRITE,
        out ->
            out.writeOpaque(file)
                .writeLong(offset)
                .writeInt(data.length)
                .writeInt(stable.code())
                .writeOpaque(data));
  }

  Reply create(byte[] directory, String name, CreateMode mode, Change change) {
    return call(
        Nfs3Procedure.CREATE,
        out -> {
          writeName(directory, name, out);
          out.writeInt(mode.code());
          change.write(out);
        });
  }

  Reply createExclusive(byte[] directory, String name, long verifier) {
    return call(
        Nfs3Procedure.CREATE,
        out -> {
          writeName(directory, name, out);
          out.writeInt(CreateMode.EXCLUSIVE.code()).writeLong(verifier);
        });
  }

  Reply mkdir(byte[] directory, String name, Change change) {
    return call(
        Nfs3Procedure.MKDIR,
        out -> {
          writeName(directory, name, out);
          change.write(out);
        });
  }

  Reply symlink(byte[] directory, String name, String content) {
    return call(
        Nfs3Procedure.SYMLINK,
        out -> {
          writeName(directory, name, out);
          new Change().write(out);
          out.writeOpaque(content.getBytes(StandardCharsets.UTF_8));
        });
  }

  Reply mknod(byte[] directory, String name, int type, Change change, int major, int minor) {
    return call(
        Nfs3Procedure.MKNOD,
        out -> {
          writeName(directory, name, out);
          out.writeInt(type);
          if (type == 3 || type == 4 || type == 6 || type == 7) {
            change.write(out);
          }
          if (type == 3 || type == 4) {
            out.writeInt(major).writeInt(minor);
          }
        });
  }

  Reply remove(byte[] directory, String name) {
    return call(Nfs3Procedure.REMOVE, out -> writeName(directory, name, out));
  }

  Reply rmdir(byte[] directory, String name) {
    return call(Nfs3Procedure.RMDIR, out -> writeName(directory, name, out));
  }

  Reply rename(byte[] from, String fromName, byte[] to, String toName) {
    return call(
        Nfs3Procedure.RENAME,
        out -> {
          writeName(from, fromName, out);
          writeName(to, toName, out);
        });
  }

  Reply link(byte[] file, byte[] directory, String name) {
    return call(
        Nfs3Procedure.LINK,
        out -> {
          out.writeOpaque(file);
          writeName(directory, name, out);
        });
  }

  Reply readdir(byte[] directory, long cookie, int count) {
    return call(
        Nfs3Procedure.READDIR,
        out -> out.writeOpaque(directory).writeLong(cookie).writeLong(0).writeInt(count));
  }

  Reply readdirplus(byte[] directory, long cookie, int dircount, int maxcount) {
    return call(
        Nfs3Procedure.READDIRPLUS,
        out ->
            out.writeOpaque(directory)
                .writeLong(cookie)
                .writeLong(0)
                .writeInt(dircount)
                .writeInt(maxcount));
  }

  Reply onFile(Nfs3Procedure procedure, byte[] file) {
    return call(procedure, out -> out.writeOpaque(file));
  }

  Reply commit(byte[] file) {
    return call(Nfs3Procedure.COMMIT, out -> out.writeOpaque(file).writeLong(0).writeInt(0));
  }

  static void writeName(byte[] directory, String name, XdrWriter out) {
    out.writeOpaque(directory).writeOpaque(name.getBytes(StandardCharsets.UTF_8));
  }

  /** A sattr3 in the making. */
  static final class Change {
    @Nullable Integer mode;
    @Nullable Integer uid;
    @Nullable Integer gid;
    @Nullable Long size;
    TimeHow accessed = TimeHow.DONT_CHANGE;
    TimeHow modified = TimeHow.DONT_CHANGE;
    Reply.Time time = new Reply.Time(0, 0);

    Change mode(int value) {
      mode = value;
      return this;
    }

    Change uid(int value) {
      uid = value;
      return this;
    }

    Change gid(int value) {
      gid = value;
      return this;
    }

    Change size(long value) {
      size = value;
      return this;
    }

    Change accessed(TimeHow how, int seconds, int nanos) {
      accessed = how;
      time = new Reply.Time(seconds, nanos);
      return this;
    }

    Change modified(TimeHow how, int seconds, int nanos) {
      modified = how;
      time = new Reply.Time(seconds, nanos);
      return this;
    }

    void write(XdrWriter out) {
      for (Integer value : new Integer[] {mode, uid, gid}) {
        out.writeBoolean(value != null);
        if (value != null) {
          out.writeInt(value);
        }
      }
      out.writeBoolean(size != null);
      if (size != null) {
        out.writeLong(size);
      }
      for (TimeHow how : new TimeHow[] {accessed, modified}) {
        out.writeInt(how.code());
        if (how == TimeHow.SET_TO_CLIENT_TIME) {
          out.writeInt(time.seconds()).writeInt(time.nanos());
        }
      }
    }
  }
}
