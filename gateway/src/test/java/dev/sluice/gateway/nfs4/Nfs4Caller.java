package dev.sluice.gateway.nfs4;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.rpc.PipedReplies;
import dev.sluice.gateway.rpc.RpcCall;
import dev.sluice.gateway.rpc.RpcProgram;
import dev.sluice.gateway.rpc.Work;
import dev.sluice.gateway.target.Served;
import dev.sluice.nfs.nfs4.AttributeSet;
import dev.sluice.nfs.nfs4.CompoundOperation;
import dev.sluice.nfs.nfs4.CompoundReply;
import dev.sluice.nfs.nfs4.Nfs4Operation;
import dev.sluice.nfs.nfs4.Nfs4Sizes;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.SessionId;
import dev.sluice.nfs.nfs4.StateId;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A client of version 4.1 without a network: builds COMPOUNDs and hands them to a program. Results
 * get just the room that was asked for them, so that whoever writes more fails.
 */
final class Nfs4Caller {
  private static final int AROUND_BYTES = 1 << 17;

  private final RpcProgram program;
  private final String name;
  private final ByteBuffer argumentBytes;
  private final ByteBuffer resultBytes;
  int minorVersion = 1;
  Credential credential = new Credential.Sys("test", 0, 0);
  ClientAddress client = ClientAddress.parse("10.0.0.1");
  SessionId session = new SessionId(0, 0);
  long clientId;
  int slot;
  int sequence;
  boolean isCached = true;
  boolean isPrivileged = true;

  /** The longest request that the server has agreed to. */
  int requestBytesMax;

  final PipedReplies replies = new PipedReplies();
  Served lastServed = Served.NOTHING;
  Work lastWork = new Work(null, null, 0, 0, false);

  Nfs4Caller(RpcProgram program, String name) {
    this(program, name, 1 << 20);
  }

  /** One that moves so many bytes at a time. */
  Nfs4Caller(RpcProgram program, String name, int contentsBytesMax) {
    this.program = program;
    this.name = name;
    this.argumentBytes = ByteBuffer.allocateDirect(contentsBytesMax + AROUND_BYTES);
    this.resultBytes = ByteBuffer.allocateDirect(contentsBytesMax + AROUND_BYTES);
  }

  /** An operation with its arguments. */
  record Op(Nfs4Operation operation, Consumer<XdrWriter> arguments) {}

  /** What came back. */
  static final class Reply {
    final Nfs4Status status;
    final int operations;
    private final XdrReader in;

    Reply(ByteBuffer bytes) {
      in = new XdrReader(bytes);
      status = Nfs4Status.read(in);
      in.readOpaque(1_024);
      operations = in.readInt();
    }

    /** Goes on to the results of the next operation, which must have ended so. */
    XdrReader next(Nfs4Operation operation, Nfs4Status expected) {
      assertThat(in.readInt()).isEqualTo(operation.code());
      assertThat(Nfs4Status.read(in)).as(operation.toString()).isEqualTo(expected);
      return in;
    }

    XdrReader next(Nfs4Operation operation) {
      return next(operation, Nfs4Status.OK);
    }

    Reply sequence() {
      next(Nfs4Operation.SEQUENCE).skip(SessionId.BYTES + 5 * Integer.BYTES);
      return this;
    }

    XdrReader in() {
      return in;
    }
  }

  static Op op(Nfs4Operation operation, Consumer<XdrWriter> arguments) {
    return new Op(operation, arguments);
  }

  static Op op(Nfs4Operation operation) {
    return new Op(operation, _ -> {});
  }

  static Op op(CompoundOperation operation) {
    return new Op(operation.operation(), operation.arguments());
  }

  static Op putfh(byte[] handle) {
    return op(CompoundOperation.putHandle(handle));
  }

  static Op lookup(String path) {
    return op(CompoundOperation.lookup(path));
  }

  static Op getattr(int... attributes) {
    return op(CompoundOperation.getAttributes(AttributeSet.of(attributes)));
  }

  Op sequence(int number) {
    return sequence(session, number, slot, slot, isCached);
  }

  static Op sequence(
      SessionId session, int number, int slot, int highestSlot, boolean isToBeCached) {
    return op(
        Nfs4Operation.SEQUENCE,
        out -> {
          session.write(out);
          out.writeInt(number).writeInt(slot).writeInt(highestSlot).writeBoolean(isToBeCached);
        });
  }

  Op exchangeId(long verifier, int flags) {
    return exchangeId(name, verifier, flags, 0);
  }

  static Op exchangeId(String name, long verifier, int flags, int protection) {
    return op(
        Nfs4Operation.EXCHANGE_ID,
        out ->
            out.writeLong(verifier)
                .writeOpaque(bytes(name))
                .writeInt(flags)
                .writeInt(protection)
                .writeInt(0));
  }

  /** What a client asks of a session's channel. */
  record Channel(int requestBytes, int replyBytes, int cachedBytes, int operations, int requests) {
    static final Channel USUAL = new Channel(1 << 20, 1 << 20, 2_048, 16, 16);

    private void write(XdrWriter out) {
      out.writeInt(0).writeInt(requestBytes).writeInt(replyBytes).writeInt(cachedBytes);
      out.writeInt(operations).writeInt(requests).writeInt(0);
    }
  }

  static Op createSession(long clientId, int number, int flags, Channel fore, Channel back) {
    return op(
        Nfs4Operation.CREATE_SESSION,
        out -> {
          out.writeLong(clientId).writeInt(number).writeInt(flags);
          fore.write(out);
          back.write(out);
          out.writeInt(0x4000_0000).writeInt(0);
        });
  }

  /** A COMPOUND in the session. */
  Reply call(Op... operations) {
    List<Op> all = new ArrayList<>();
    all.add(sequence(++sequence));
    all.addAll(List.of(operations));
    return raw(all);
  }

  Reply raw(List<Op> operations) {
    return raw(arguments(operations));
  }

  ByteBuffer arguments(List<Op> operations) {
    return arguments(new byte[0], operations.size(), operations);
  }

  /** The same with a tag, and with a lie about how many operations there are. */
  ByteBuffer arguments(byte[] tag, int count, List<Op> operations) {
    ByteBuffer bytes = argumentBytes.clear();
    XdrWriter out = new XdrWriter(bytes);
    out.writeOpaque(tag).writeInt(minorVersion).writeInt(count);
    for (Op operation : operations) {
      out.writeInt(operation.operation().code());
      operation.arguments().accept(out);
    }
    return bytes.flip();
  }

  Reply raw(ByteBuffer arguments) {
    RpcCall call = rpcCall();
    lastWork = program.inspect(call, new XdrReader(arguments));
    ByteBuffer results = resultBytes.clear().limit(lastWork.replyBytesMax());
    lastServed = replies.serve(program, call, lastWork, arguments, results);
    return new Reply(ByteBuffer.allocate(results.position()).put(results.flip()).flip());
  }

  /** The same, put off. */
  Reply postponed(Op... operations) {
    List<Op> all = new ArrayList<>();
    all.add(sequence(++sequence));
    all.addAll(List.of(operations));
    RpcCall call = rpcCall();
    Work work = program.inspect(call, new XdrReader(arguments(all)));
    ByteBuffer results = ByteBuffer.allocateDirect(256);
    program.postpone(call, work, new XdrWriter(results));
    return new Reply(results.flip());
  }

  private RpcCall rpcCall() {
    return new RpcCall(
        client,
        isPrivileged,
        1,
        Nfs4Sizes.PROGRAM,
        Nfs4Sizes.VERSION,
        Nfs4Sizes.PROCEDURE_COMPOUND,
        credential);
  }

  /** Registers and makes a session. */
  Nfs4Caller begin(long verifier) {
    return begin(verifier, Channel.USUAL);
  }

  Nfs4Caller begin(long verifier, Channel channel) {
    int number = introduce(verifier);
    Reply created = raw(List.of(createSession(clientId, number, 0, channel, Channel.USUAL)));
    XdrReader made = created.next(Nfs4Operation.CREATE_SESSION);
    session = SessionId.read(made);
    made.skip(3 * Integer.BYTES);
    requestBytesMax = made.readInt();
    sequence = 0;
    call(op(Nfs4Operation.RECLAIM_COMPLETE, out -> out.writeBoolean(false)));
    return this;
  }

  /** Registers; the number for the CREATE_SESSION that is expected next. */
  int introduce(long verifier) {
    XdrReader in = raw(List.of(exchangeId(verifier, 0))).next(Nfs4Operation.EXCHANGE_ID);
    clientId = in.readLong();
    return in.readInt();
  }

  byte[] handle(String path) {
    List<Op> operations = new ArrayList<>();
    operations.add(op(Nfs4Operation.PUTROOTFH));
    for (String part : path.split("/", -1)) {
      if (!part.isEmpty()) {
        operations.add(lookup(part));
      }
    }
    operations.add(op(Nfs4Operation.GETFH));
    Reply reply = call(operations.toArray(Op[]::new)).sequence();
    for (Op operation : operations) {
      XdrReader in = reply.next(operation.operation());
      if (operation.operation() == Nfs4Operation.GETFH) {
        return in.readOpaque(128);
      }
    }
    throw new AssertionError();
  }

  /** An OPEN of a name in the current directory. */
  Op open(String owner, String file, int access, int deny, boolean isToBeMade) {
    return op(CompoundOperation.open(clientId, owner, access, deny, isToBeMade ? 0644 : -1, file));
  }

  /** A file that was opened. */
  static final class OpenFile {
    private final StateId state;
    private final byte[] handle;

    OpenFile(StateId state, byte[] handle) {
      this.state = state;
      this.handle = handle;
    }

    StateId state() {
      return state;
    }

    byte[] handle() {
      return handle;
    }
  }

  OpenFile opened(byte[] directory, String owner, String file, int access, boolean isToBeMade) {
    Reply reply =
        call(putfh(directory), open(owner, file, access, 0, isToBeMade), op(Nfs4Operation.GETFH));
    reply.sequence().next(Nfs4Operation.PUTFH);
    StateId state = CompoundReply.readOpened(reply.next(Nfs4Operation.OPEN));
    return new OpenFile(state, reply.next(Nfs4Operation.GETFH).readOpaque(128));
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
