package dev.sluice.gateway.nfs4;

import static dev.sluice.gateway.nfs4.Nfs4Caller.bytes;
import static dev.sluice.gateway.nfs4.Nfs4Caller.getattr;
import static dev.sluice.gateway.nfs4.Nfs4Caller.lookup;
import static dev.sluice.gateway.nfs4.Nfs4Caller.op;
import static dev.sluice.gateway.nfs4.Nfs4Caller.putfh;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Network;
import dev.sluice.core.model.Operation;
import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.export.Squash;
import dev.sluice.gateway.files.FileHandles;
import dev.sluice.gateway.files.MemoryTree;
import dev.sluice.gateway.files.Timestamp;
import dev.sluice.gateway.nfs4.Nfs4Caller.OpenFile;
import dev.sluice.gateway.nfs4.Nfs4Caller.Reply;
import dev.sluice.gateway.nfs4.state.ClientRecords;
import dev.sluice.gateway.nfs4.state.Nfs4States;
import dev.sluice.gateway.nfs4.state.StateBounds;
import dev.sluice.gateway.rpc.RpcServer;
import dev.sluice.gateway.rpc.Slots;
import dev.sluice.nfs.nfs4.AttributeSet;
import dev.sluice.nfs.nfs4.Nfs4Attribute;
import dev.sluice.nfs.nfs4.Nfs4Operation;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.SessionId;
import dev.sluice.nfs.nfs4.StateId;
import dev.sluice.nfs.xdr.XdrReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client of version 4.1 can do, call by call. */
class Nfs4ProgramTest {
  private static final int READ = 1;
  private static final int BOTH = 3;
  private static final Duration LEASE = Duration.ofSeconds(45);

  private final MemoryTree tree = new MemoryTree(1);
  private final MemoryTree deep = new MemoryTree(2);
  private Nfs4Program program;
  private Nfs4Caller client;
  private FileHandles handles;

  @BeforeEach
  void begin(@TempDir Path state) throws Exception {
    handles = FileHandles.inDirectory(state);
    Exports exports =
        new Exports(
            List.of(
                export("/a", tree, List.of()),
                export("/b/deep", deep, List.of()),
                export("/hidden", new MemoryTree(3), List.of(Network.parse("192.0.2.0/24")))));
    Nfs4States states =
        new Nfs4States(
            StateBounds.DEFAULTS, LEASE.toNanos(), ClientRecords.forgetful(), 7, System.nanoTime());
    program = new Nfs4Program(exports, handles, states, LEASE, new Timestamp(1, 2));
    client = new Nfs4Caller(program, "one").begin(1);
  }

  private static Export export(String path, MemoryTree tree, List<Network> clients) {
    return new Export(path, tree, "disk", false, Squash.of(Squash.Who.NONE), clients, false);
  }

  @Test
  void theRootLeadsToTheExportsThatAClientMayUse() {
    assertThat(names(client.handle("/"))).containsExactlyInAnyOrder("a", "b");
    assertThat(names(client.handle("/b"))).containsExactly("deep");
    Reply hidden = client.call(op(Nfs4Operation.PUTROOTFH), lookup("hidden"));
    assertThat(hidden.status).isEqualTo(Nfs4Status.NOENT);
    Reply above = client.call(putfh(client.handle("/b/deep")), op(Nfs4Operation.LOOKUPP));
    assertThat(above.status).isEqualTo(Nfs4Status.OK);
    Reply change =
        client.call(
            op(Nfs4Operation.PUTROOTFH),
            op(Nfs4Operation.REMOVE, out -> out.writeOpaque(bytes("a"))));
    assertThat(change.status).isEqualTo(Nfs4Status.ROFS);
  }

  @Test
  void aNameWithAnAtClaimsAJob() {
    byte[] claimed = client.handle("/@4711/a");
    assertThat(
            Objects.requireNonNull(
                    handles.read(
                        new XdrReader(
                            ByteBuffer.allocate(132).putInt(claimed.length).put(claimed).rewind())))
                .claimedJob())
        .isEqualTo(JobId.of("4711"));
  }

  @Test
  void whatIsWrittenIsReadAndListed() {
    byte[] root = client.handle("/a");
    OpenFile file = client.opened(root, "owner", "file", BOTH, true);
    byte[] contents = bytes("what is written");
    Reply written =
        client.call(
            putfh(file.handle()),
            op(
                Nfs4Operation.WRITE,
                out -> {
                  file.state().write(out);
                  out.writeLong(0).writeInt(2).writeOpaque(contents);
                }),
            getattr(Nfs4Attribute.SIZE));
    written.sequence().next(Nfs4Operation.PUTFH);
    XdrReader in = written.next(Nfs4Operation.WRITE);
    assertThat(in.readInt()).isEqualTo(contents.length);
    assertThat(in.readInt()).isEqualTo(2);
    in.readLong();
    in = written.next(Nfs4Operation.GETATTR);
    AttributeSet.read(in);
    assertThat(in.readInt()).isEqualTo(8);
    assertThat(in.readLong()).isEqualTo(contents.length);
    assertThat(client.lastWork.operation()).isEqualTo(Operation.WRITE);
    assertThat(client.lastServed.bytes()).isEqualTo(contents.length);

    Reply read = client.call(putfh(file.handle()), read(file.state(), 100));
    read.sequence().next(Nfs4Operation.PUTFH);
    in = read.next(Nfs4Operation.READ);
    assertThat(in.readBoolean()).as("the end").isTrue();
    assertThat(in.readOpaque(100)).isEqualTo(contents);
    assertThat(names(root)).containsExactly("file");

    Reply closed =
        client.call(
            putfh(file.handle()),
            op(
                Nfs4Operation.CLOSE,
                out -> {
                  out.writeInt(0);
                  file.state().write(out);
                }));
    assertThat(closed.status).isEqualTo(Nfs4Status.OK);
    assertThat(client.call(putfh(file.handle()), read(file.state(), 1)).status)
        .isEqualTo(Nfs4Status.BAD_STATEID);
  }

  private static Nfs4Caller.Op read(StateId state, int count) {
    return op(
        Nfs4Operation.READ,
        out -> {
          state.write(out);
          out.writeLong(0).writeInt(count);
        });
  }

  @Test
  void aRepetitionIsAnsweredAlikeAndDoneOnce() {
    byte[] root = client.handle("/a");
    List<Nfs4Caller.Op> operations =
        List.of(
            client.sequence(client.sequence + 1),
            putfh(root),
            client.open("owner", "once", BOTH, 0, true));
    Reply first = client.raw(operations);
    Reply again = client.raw(operations);
    assertThat(again.operations).isEqualTo(first.operations).isEqualTo(3);
    first.sequence().next(Nfs4Operation.PUTFH);
    again.sequence().next(Nfs4Operation.PUTFH);
    assertThat(StateId.read(again.next(Nfs4Operation.OPEN)))
        .isEqualTo(StateId.read(first.next(Nfs4Operation.OPEN)));
    client.sequence++;
  }

  @Test
  void whoIsPostponedHasUsedItsTurnAndComesAgain() {
    byte[] root = client.handle("/a");
    Reply later = client.postponed(putfh(root), getattr(Nfs4Attribute.SIZE));
    assertThat(later.status).isEqualTo(Nfs4Status.DELAY);
    later.sequence().next(Nfs4Operation.PUTFH, Nfs4Status.DELAY);
    assertThat(client.call(putfh(root), getattr(Nfs4Attribute.SIZE)).status)
        .isEqualTo(Nfs4Status.OK);
  }

  @Test
  void locksKeepOthersOut() {
    byte[] root = client.handle("/a");
    OpenFile mine = client.opened(root, "owner", "locked", BOTH, true);
    Nfs4Caller other = new Nfs4Caller(program, "two");
    other.client = ClientAddress.parse("10.0.0.2");
    other.begin(2);
    OpenFile theirs = other.opened(root, "owner", "locked", BOTH, false);
    Reply locked = client.call(putfh(mine.handle()), lock(client, mine.state(), "process", 0, 10));
    assertThat(locked.status).isEqualTo(Nfs4Status.OK);
    Reply denied = other.call(putfh(theirs.handle()), lock(other, theirs.state(), "process", 5, 1));
    assertThat(denied.status).isEqualTo(Nfs4Status.DENIED);
    denied.sequence().next(Nfs4Operation.PUTFH);
    XdrReader in = denied.next(Nfs4Operation.LOCK, Nfs4Status.DENIED);
    assertThat(in.readLong()).isZero();
    assertThat(in.readLong()).isEqualTo(10);
    assertThat(
            other.call(putfh(theirs.handle()), lock(other, theirs.state(), "process", 10, 1))
                .status)
        .isEqualTo(Nfs4Status.OK);
  }

  private static Nfs4Caller.Op lock(
      Nfs4Caller caller, StateId open, String owner, long offset, long length) {
    return op(
        Nfs4Operation.LOCK,
        out -> {
          out.writeInt(2).writeBoolean(false).writeLong(offset).writeLong(length);
          out.writeBoolean(true).writeInt(0);
          open.write(out);
          out.writeInt(0).writeLong(caller.clientId).writeOpaque(bytes(owner));
        });
  }

  @Test
  void aReaderWhoDeniesWritersKeepsThemOut() {
    byte[] root = client.handle("/a");
    client.opened(root, "owner", "denied", BOTH, true);
    Reply refused = client.call(putfh(root), client.open("other", "denied", READ, 2, false));
    assertThat(refused.status).isEqualTo(Nfs4Status.SHARE_DENIED);
  }

  @Test
  void aCompoundIsChargedForWhatItDoes() {
    byte[] root = client.handle("/a");
    OpenFile file = client.opened(root, "owner", "file", BOTH, true);
    client.call(putfh(file.handle()), read(file.state(), 70_000));
    assertThat(client.lastWork.operation()).isEqualTo(Operation.READ);
    assertThat(client.lastWork.bytes()).isEqualTo(70_000);
    // By way of the root it is the same target, and the same price.
    client.call(
        op(Nfs4Operation.PUTROOTFH), lookup("a"), lookup("file"), read(StateId.ANONYMOUS, 70_000));
    assertThat(client.lastWork.handle()).isEqualTo(tree.root());
    assertThat(client.lastWork.bytes()).isEqualTo(70_000);
    // Nor does what comes before make it cheaper, or somebody else's.
    client.call(
        putfh(client.handle("/b/deep")),
        op(Nfs4Operation.TEST_STATEID, out -> out.writeInt(0)),
        lookup("nothing"),
        putfh(file.handle()),
        read(file.state(), 70_000));
    assertThat(client.lastWork.operation()).isEqualTo(Operation.READ);
    assertThat(client.lastWork.bytes()).isEqualTo(70_000);
    assertThat(Objects.requireNonNull(client.lastWork.handle()).exportId()).isEqualTo(1);
    client.call(op(Nfs4Operation.PUTROOTFH), getattr(Nfs4Attribute.TYPE));
    assertThat(client.lastWork.operation()).as("above the exports nothing is charged").isNull();
  }

  @Test
  void aCompoundIsOnOneAccount() {
    OpenFile file = client.opened(client.handle("/a"), "owner", "file", BOTH, true);
    OpenFile other = client.opened(client.handle("/b/deep"), "owner", "file", BOTH, true);
    Reply cut =
        client.call(
            putfh(file.handle()),
            read(file.state(), 10),
            putfh(other.handle()),
            read(other.state(), 10));
    assertThat(cut.status).isEqualTo(Nfs4Status.TOO_MANY_OPS);
    assertThat(cut.operations).as("what comes before is done").isEqualTo(5);
    assertThat(client.lastServed.operations()).isEqualTo(1);
    Reply rest = client.call(putfh(other.handle()), read(other.state(), 10));
    assertThat(rest.status).isEqualTo(Nfs4Status.OK);
    assertThat(Objects.requireNonNull(client.lastWork.handle()).exportId()).isEqualTo(2);
    // A job that is claimed on the way is the one that is charged, and another is another.
    Reply claimed =
        client.call(op(Nfs4Operation.PUTROOTFH), lookup("@4711"), lookup("a"), getattr());
    assertThat(claimed.status).isEqualTo(Nfs4Status.OK);
    assertThat(Objects.requireNonNull(client.lastWork.handle()).claimedJob())
        .isEqualTo(JobId.of("4711"));
    Reply two =
        client.call(putfh(client.handle("/@4711/a")), getattr(), putfh(file.handle()), getattr());
    assertThat(two.status).isEqualTo(Nfs4Status.TOO_MANY_OPS);
  }

  @Test
  void aSessionOfAJobThatIsHeldBackIsGivenMoreSlots() {
    JobId hog = JobId.of("hog");
    byte[] root = client.handle("/a");
    client.call(putfh(root), getattr(Nfs4Attribute.SIZE));
    Slots slots = Objects.requireNonNull(program.slots(client.lastWork));
    int kept = 0;
    while (slots.mayKeepOne(hog)) {
      slots.keep(hog);
      kept++;
    }
    assertThat(kept).as("half of what the client has").isEqualTo(8);
    assertThat(slots.mayKeepOne(JobId.of("another"))).isTrue();
    assertThat(highestSlot(client.call(putfh(root)))).isEqualTo(1_023);
    assertThat(slots.mayKeepOne(hog)).as("the client need not have heard of it").isFalse();
    client.slot = 16;
    client.sequence = 0;
    client.call(putfh(root), getattr(Nfs4Attribute.SIZE));
    Slots same = Objects.requireNonNull(program.slots(client.lastWork));
    assertThat(same.mayKeepOne(hog)).isTrue();
    for (int i = 0; i < kept; i++) {
      same.release(hog);
    }
  }

  /** A client that sent a longer one would lose its connection, and send it again. */
  @Test
  void noRequestIsPromisedThatTheConnectionWouldNotTake() {
    assertThat(
            new Nfs4Caller(program, "large")
                .begin(1, new Nfs4Caller.Channel(1 << 30, 1 << 20, 2_048, 8, 16))
                .requestBytesMax)
        .isLessThanOrEqualTo(RpcServer.RECORD_BYTES_MAX);
  }

  private static int highestSlot(Reply reply) {
    XdrReader in = reply.next(Nfs4Operation.SEQUENCE);
    in.skip(SessionId.BYTES + 2 * Integer.BYTES);
    int highest = in.readInt();
    assertThat(in.readInt()).as("the target").isEqualTo(highest);
    return highest;
  }

  @Test
  void whatIsNotAsTheProtocolHasItIsRefused() {
    assertThat(client.raw(List.of(op(Nfs4Operation.PUTROOTFH))).status)
        .isEqualTo(Nfs4Status.OP_NOT_IN_SESSION);
    assertThat(client.call(client.sequence(5)).status).isEqualTo(Nfs4Status.SEQUENCE_POS);
    assertThat(client.call(op(Nfs4Operation.GETFH)).status).isEqualTo(Nfs4Status.NOFILEHANDLE);
    assertThat(client.call(op(Nfs4Operation.LAYOUTGET)).status).isEqualTo(Nfs4Status.NOTSUPP);
    assertThat(client.call(op(Nfs4Operation.SEEK)).status).isEqualTo(Nfs4Status.OP_ILLEGAL);
    assertThat(client.call(op(Nfs4Operation.PUTFH)).status).isEqualTo(Nfs4Status.BADXDR);
    client.minorVersion = 3;
    assertThat(client.call().status).isEqualTo(Nfs4Status.MINOR_VERS_MISMATCH);
  }

  private List<String> names(byte[] directory) {
    Reply reply =
        client.call(
            putfh(directory),
            op(
                Nfs4Operation.READDIR,
                out -> {
                  out.writeLong(0).writeLong(0).writeInt(4_096).writeInt(8_192);
                  AttributeSet.of(Nfs4Attribute.TYPE, Nfs4Attribute.FILEID).write(out);
                }));
    reply.sequence().next(Nfs4Operation.PUTFH);
    XdrReader in = reply.next(Nfs4Operation.READDIR);
    in.readLong();
    List<String> names = new ArrayList<>();
    while (in.readBoolean()) {
      in.readLong();
      names.add(new String(in.readOpaque(255), StandardCharsets.UTF_8));
      AttributeSet.read(in);
      in.skipOpaque(100);
    }
    assertThat(in.readBoolean()).as("the end").isTrue();
    return names;
  }
}
