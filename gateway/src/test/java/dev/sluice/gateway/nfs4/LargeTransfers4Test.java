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
import dev.sluice.gateway.files.TransferSize;
import dev.sluice.gateway.memory.BufferPool;
import dev.sluice.gateway.nfs4.Nfs4Caller.Channel;
import dev.sluice.gateway.nfs4.Nfs4Caller.Op;
import dev.sluice.gateway.nfs4.Nfs4Caller.OpenFile;
import dev.sluice.gateway.nfs4.Nfs4Caller.Reply;
import dev.sluice.gateway.nfs4.state.ClientRecords;
import dev.sluice.gateway.nfs4.state.Nfs4States;
import dev.sluice.gateway.nfs4.state.StateBounds;
import dev.sluice.gateway.posix.Pipe;
import dev.sluice.nfs.nfs4.AttributeSet;
import dev.sluice.nfs.nfs4.Nfs4Attribute;
import dev.sluice.nfs.nfs4.Nfs4Operation;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.rpc.RecordMark;
import dev.sluice.nfs.rpc.ReplyHeader;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** As much at a time as there can be, by version 4. */
class LargeTransfers4Test {
  private static final int MIB = 1 << 20;
  private static final Duration LEASE = Duration.ofSeconds(45);
  private static final int BOTH = 3;

  /** What Linux asks for that moves 4 MiB: a page more. */
  private static final Channel ROOMY = new Channel(4 * MIB + 4_096, 4 * MIB + 4_096, 2_048, 16, 16);

  private final byte[] contents = new byte[6 * MIB];
  private Path exported;
  private FileHandles handles;
  private PosixTree tree;

  @BeforeEach
  void begin(@TempDir Path directory) throws Exception {
    assumeTrue(PosixTree.actsAsCaller(), "only root can act as others");
    exported = Files.createDirectory(directory.resolve("exported"));
    Path state = Files.createDirectory(directory.resolve("state"));
    tree = PosixTree.open(1, exported, state, 64);
    handles = FileHandles.inDirectory(state);
    new Random(1).nextBytes(contents);
    Files.write(exported.resolve("file"), contents);
  }

  @AfterEach
  void end() throws Exception {
    if (tree != null) {
      tree.close();
    }
  }

  private Nfs4Caller client(TransferSize transfers) {
    Export export =
        new Export("/a", tree, "disk", false, Squash.of(Squash.Who.NONE), List.of(), false);
    Nfs4States states =
        new Nfs4States(
            StateBounds.DEFAULTS, LEASE.toNanos(), ClientRecords.forgetful(), 7, System.nanoTime());
    Nfs4Program program =
        new Nfs4Program(
            new Exports(List.of(export)),
            handles,
            transfers,
            states,
            OwnerNames.NUMBERS,
            null,
            LEASE,
            new Timestamp(1, 2));
    return new Nfs4Caller(program, "one", 4 * MIB).begin(1, ROOMY);
  }

  private static OpenFile open(Nfs4Caller client) {
    OpenFile file = client.opened(client.handle("/a"), "owner", "file", BOTH, false);
    client.isCached = false;
    return file;
  }

  private static Op read(OpenFile file, long offset, int count) {
    return op(
        Nfs4Operation.READ,
        out -> {
          file.state().write(out);
          out.writeLong(offset).writeInt(count);
        });
  }

  private static Op write(OpenFile file, long offset, byte[] bytes) {
    return op(
        Nfs4Operation.WRITE,
        out -> {
          file.state().write(out);
          out.writeLong(offset).writeInt(0).writeOpaque(bytes);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {64 << 10, MIB, 4 * MIB})
  void asMuchIsMovedAsIsToldAndNoMore(int most) throws Exception {
    Nfs4Caller client = client(new TransferSize(most));
    OpenFile file = open(client);
    Reply told =
        client.call(putfh(file.handle()), getattr(Nfs4Attribute.MAXREAD, Nfs4Attribute.MAXWRITE));
    told.sequence().next(Nfs4Operation.PUTFH);
    XdrReader in = told.next(Nfs4Operation.GETATTR);
    AttributeSet.read(in);
    assertThat(in.readInt()).isEqualTo(2 * Long.BYTES);
    assertThat(in.readLong()).isEqualTo(most);
    assertThat(in.readLong()).isEqualTo(most);
    Random random = new Random(most);
    for (int count : new int[] {MIB - 1, MIB, MIB + 1, 4 * MIB - 1, 4 * MIB}) {
      for (int offset : new int[] {0, 4_095, MIB + 1}) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        int moved = Math.min(count, most);
        Reply written =
            client.call(
                putfh(file.handle()), write(file, offset, bytes), getattr(Nfs4Attribute.SIZE));
        assertThat(written.status).isEqualTo(Nfs4Status.OK);
        if (count > most || count <= Pipe.BYTES_MIN) {
          // Whether larger pipes are given is for the system to say.
          assertThat(client.replies.lastWasGivenByPipe()).isEqualTo(count <= most);
        }
        written.sequence().next(Nfs4Operation.PUTFH);
        assertThat(written.next(Nfs4Operation.WRITE).readInt()).isEqualTo(moved);
        assertThat(client.lastServed.bytes()).isEqualTo(moved);
        System.arraycopy(bytes, 0, contents, offset, moved);
        Reply read = client.call(putfh(file.handle()), read(file, offset, count));
        read.sequence().next(Nfs4Operation.PUTFH);
        XdrReader data = read.next(Nfs4Operation.READ);
        data.readBoolean();
        assertThat(data.readOpaque(4 * MIB))
            .isEqualTo(Arrays.copyOfRange(contents, offset, offset + moved));
        assertThat(client.lastServed.bytes()).isEqualTo(moved);
      }
    }
    assertThat(Files.readAllBytes(exported.resolve("file"))).isEqualTo(contents);
  }

  /**
   * A client that mounted when more was moved at a time goes on in a new session without asking
   * again: what it sends must be taken.
   */
  @Test
  void sessionsTakeWhatWasOnceToldWhateverIsToldNow() {
    assertThat(client(TransferSize.USUAL).requestBytesMax).isEqualTo(ROOMY.requestBytes());
  }

  /** No reply, however much is asked for in one COMPOUND, needs a buffer that there is not. */
  @ParameterizedTest
  @ValueSource(ints = {64 << 10, MIB, 4 * MIB})
  void everyReplyHasRoomInABuffer(int most) {
    Nfs4Caller client = client(new TransferSize(most));
    OpenFile file = open(client);
    Reply reply =
        client.call(
            putfh(file.handle()), read(file, 0, -1), read(file, 0, -1), read(file, 0, 4 * MIB));
    reply.sequence().next(Nfs4Operation.PUTFH);
    int room = RecordMark.BYTES + ReplyHeader.BYTES_MAX + client.lastWork.replyBytesMax();
    assertThat(BufferPool.capacityFor(room)).isGreaterThanOrEqualTo(room);
    assertThat(reply.status).isEqualTo(Nfs4Status.REP_TOO_BIG);
  }
}
