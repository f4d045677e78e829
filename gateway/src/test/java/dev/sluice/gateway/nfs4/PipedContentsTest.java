package dev.sluice.gateway.nfs4;

import static dev.sluice.gateway.nfs4.Nfs4Caller.getattr;
import static dev.sluice.gateway.nfs4.Nfs4Caller.op;
import static dev.sluice.gateway.nfs4.Nfs4Caller.putfh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.export.Squash;
import dev.sluice.gateway.files.FileHandles;
import dev.sluice.gateway.files.PosixTree;
import dev.sluice.gateway.files.Timestamp;
import dev.sluice.gateway.nfs4.Nfs4Caller.Channel;
import dev.sluice.gateway.nfs4.Nfs4Caller.Op;
import dev.sluice.gateway.nfs4.Nfs4Caller.OpenFile;
import dev.sluice.gateway.nfs4.Nfs4Caller.Reply;
import dev.sluice.gateway.nfs4.state.ClientRecords;
import dev.sluice.gateway.nfs4.state.Nfs4States;
import dev.sluice.gateway.nfs4.state.StateBounds;
import dev.sluice.nfs.nfs4.AttributeSet;
import dev.sluice.nfs.nfs4.Nfs4Attribute;
import dev.sluice.nfs.nfs4.Nfs4Operation;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.xdr.XdrReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contents that go through a pipe from or into the middle of a COMPOUND. */
class PipedContentsTest {
  private static final Duration LEASE = Duration.ofSeconds(45);
  private static final int READ = 1;
  private static final int BOTH = 3;

  /** Sessions may keep replies that are longer than usual. */
  private static final StateBounds KEPT =
      new StateBounds(64, 16, 64, 500_000, 512L << 20, 1_024, 1_024, 1_024, 1_024, 1);

  private final byte[] contents = new byte[400_001];
  private PosixTree tree;
  private Nfs4Caller client;
  private OpenFile file;

  @BeforeEach
  void begin(@TempDir Path directory) throws Exception {
    assumeTrue(PosixTree.actsAsCaller(), "only root can act as others");
    Path exported = Files.createDirectory(directory.resolve("exported"));
    Path state = Files.createDirectory(directory.resolve("state"));
    tree = PosixTree.open(1, exported, state, 64);
    new Random(1).nextBytes(contents);
    Files.write(exported.resolve("file"), contents);
    Export export =
        new Export("/a", tree, "disk", false, Squash.of(Squash.Who.NONE), List.of(), false);
    Nfs4States states =
        new Nfs4States(KEPT, LEASE.toNanos(), ClientRecords.forgetful(), 7, System.nanoTime());
    client =
        new Nfs4Caller(
            new Nfs4Program(
                new Exports(List.of(export)),
                FileHandles.inDirectory(state),
                states,
                LEASE,
                new Timestamp(1, 2)),
            "one");
    begin(Channel.USUAL);
  }

  private void begin(Channel channel) {
    client.isCached = true;
    client.begin(1, channel);
    file = client.opened(client.handle("/a"), "owner", "file", READ, false);
    client.isCached = false;
  }

  @AfterEach
  void end() throws Exception {
    if (tree != null) {
      tree.close();
    }
  }

  private Op read(long offset, int count) {
    return op(
        Nfs4Operation.READ,
        out -> {
          file.state().write(out);
          out.writeLong(offset).writeInt(count);
        });
  }

  private void assertContents(Reply reply, int offset, int end) {
    XdrReader in = reply.next(Nfs4Operation.READ);
    assertThat(in.readBoolean()).isEqualTo(end == contents.length);
    assertThat(in.readOpaque(1 << 20)).isEqualTo(Arrays.copyOfRange(contents, offset, end));
  }

  @Test
  void whatFollowsThemIsWhereItBelongs() {
    Reply reply =
        client.call(
            putfh(file.handle()),
            read(0, 140_001),
            read(100, 200_000),
            read(4096, 400_000),
            getattr(Nfs4Attribute.SIZE));
    assertThat(client.replies.lastWasPiped()).isTrue();
    assertThat(reply.status).isEqualTo(Nfs4Status.OK);
    reply.sequence().next(Nfs4Operation.PUTFH);
    assertContents(reply, 0, 140_001);
    assertContents(reply, 100, 200_100);
    assertContents(reply, 4096, contents.length);
    XdrReader in = reply.next(Nfs4Operation.GETATTR);
    AttributeSet.read(in);
    assertThat(in.readInt()).isEqualTo(8);
    assertThat(in.readLong()).isEqualTo(contents.length);
    assertThat(client.lastServed.bytes()).isEqualTo(140_001 + 200_000 + contents.length - 4096);
  }

  @Test
  void aRefusalBehindThemLeavesThemAlone() {
    Reply reply =
        client.call(putfh(file.handle()), read(0, 140_000), op(Nfs4Operation.READLINK), read(0, 1));
    assertThat(client.replies.lastWasPiped()).isTrue();
    assertThat(reply.operations).isEqualTo(4);
    reply.sequence().next(Nfs4Operation.PUTFH);
    assertContents(reply, 0, 140_000);
    reply.next(Nfs4Operation.READLINK, Nfs4Status.WRONG_TYPE);
  }

  @Test
  void theyCountAmongWhatTheClientTakes() {
    begin(new Channel(1 << 20, 200_000, 2_048, 16, 16));
    Reply reply = client.call(putfh(file.handle()), read(0, 140_000), read(0, 140_000));
    reply.sequence().next(Nfs4Operation.PUTFH);
    assertContents(reply, 0, 140_000);
    reply.next(Nfs4Operation.READ, Nfs4Status.REP_TOO_BIG);
    Reply tooLong = client.call(putfh(file.handle()), read(0, 300_000));
    tooLong.sequence().next(Nfs4Operation.PUTFH);
    tooLong.next(Nfs4Operation.READ, Nfs4Status.REP_TOO_BIG);
    assertThat(client.replies.lastWasPiped()).isFalse();
  }

  @Test
  void aReplyThatIsToBeKeptIsAllInOnePlace() {
    begin(new Channel(1 << 20, 1 << 20, 500_000, 16, 1));
    client.isCached = true;
    List<Op> operations =
        List.of(client.sequence(client.sequence + 1), putfh(file.handle()), read(0, 300_000));
    for (int i = 0; i < 2; i++) {
      Reply reply = client.raw(operations);
      assertThat(client.replies.lastWasPiped()).isFalse();
      reply.sequence().next(Nfs4Operation.PUTFH);
      assertContents(reply, 0, 300_000);
    }
  }

  private Op write(OpenFile to, int offset, byte[] bytes) {
    System.arraycopy(bytes, 0, contents, offset, bytes.length);
    return op(
        Nfs4Operation.WRITE,
        out -> {
          to.state().write(out);
          out.writeLong(offset).writeInt(0).writeOpaque(bytes);
        });
  }

  private static void assertWritten(Reply reply, int count) {
    XdrReader in = reply.next(Nfs4Operation.WRITE);
    assertThat(in.readInt()).isEqualTo(count);
    in.skip(Integer.BYTES + Long.BYTES);
  }

  /**
   * The first is in a pipe; those behind it stand among the arguments, and so does the question.
   */
  @Test
  void whatFollowsThoseThatAreGivenIsSeen() {
    client.isCached = true;
    OpenFile both = client.opened(client.handle("/a"), "writer", "file", BOTH, false);
    client.isCached = false;
    byte[] large = new byte[200_003];
    new Random(2).nextBytes(large);
    byte[] small = new byte[301];
    Reply reply =
        client.call(
            putfh(file.handle()),
            write(both, 1_001, large),
            write(both, 5_000, small),
            getattr(Nfs4Attribute.SIZE));
    assertThat(client.replies.lastWasGivenByPipe()).isTrue();
    assertThat(reply.status).isEqualTo(Nfs4Status.OK);
    reply.sequence().next(Nfs4Operation.PUTFH);
    assertWritten(reply, large.length);
    assertWritten(reply, small.length);
    XdrReader in = reply.next(Nfs4Operation.GETATTR);
    AttributeSet.read(in);
    assertThat(in.readInt()).isEqualTo(8);
    assertThat(in.readLong()).isEqualTo(contents.length);
    assertThat(client.lastServed.bytes()).isEqualTo(large.length + small.length);
    Reply read = client.call(putfh(file.handle()), read(0, contents.length));
    read.sequence().next(Nfs4Operation.PUTFH);
    assertContents(read, 0, contents.length);
  }

  /** A session is told that a request is too long by all that came, also by what is in a pipe. */
  @Test
  void thoseThatAreGivenCountAmongWhatTheServerTakes() {
    begin(new Channel(150_000, 1 << 20, 2_048, 16, 16));
    byte[] before = contents.clone();
    Reply reply = client.call(putfh(file.handle()), write(file, 0, new byte[200_000]));
    assertThat(client.replies.lastWasGivenByPipe()).isTrue();
    assertThat(reply.status).isEqualTo(Nfs4Status.REQ_TOO_BIG);
    client.sequence--; // Such a refusal leaves no trace on its slot.
    System.arraycopy(before, 0, contents, 0, before.length);
    Reply read = client.call(putfh(file.handle()), read(0, contents.length));
    read.sequence().next(Nfs4Operation.PUTFH);
    assertContents(read, 0, contents.length);
  }
}
