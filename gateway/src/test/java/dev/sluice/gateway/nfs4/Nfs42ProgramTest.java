package dev.sluice.gateway.nfs4;

import static dev.sluice.gateway.nfs4.Nfs4Caller.bytes;
import static dev.sluice.gateway.nfs4.Nfs4Caller.getattr;
import static dev.sluice.gateway.nfs4.Nfs4Caller.op;
import static dev.sluice.gateway.nfs4.Nfs4Caller.putfh;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Operation;
import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.export.Squash;
import dev.sluice.gateway.files.Caller;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree.Stability;
import dev.sluice.gateway.files.MemoryHandles;
import dev.sluice.gateway.files.MemoryTree;
import dev.sluice.gateway.files.Timestamp;
import dev.sluice.gateway.files.TransferSize;
import dev.sluice.gateway.nfs4.Nfs4Caller.Op;
import dev.sluice.gateway.nfs4.Nfs4Caller.OpenFile;
import dev.sluice.gateway.nfs4.Nfs4Caller.Reply;
import dev.sluice.gateway.nfs4.state.ClientRecords;
import dev.sluice.gateway.nfs4.state.Nfs4States;
import dev.sluice.gateway.nfs4.state.StateBounds;
import dev.sluice.nfs.nfs3.AccessRights;
import dev.sluice.nfs.nfs4.AttributeSet;
import dev.sluice.nfs.nfs4.Nfs4Attribute;
import dev.sluice.nfs.nfs4.Nfs4Operation;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.StateId;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What version 4.2 adds, call by call: holes, copies and extended attributes. */
class Nfs42ProgramTest {
  private static final Duration LEASE = Duration.ofSeconds(45);
  private static final int PIECE = LongWork.COPY_BYTES_MAX;
  private static final int READ = 1;
  private static final int BOTH = 3;

  private final MemoryTree tree = new MemoryTree(1);
  private Nfs4Caller client;
  private byte[] root;

  @BeforeEach
  void begin() {
    Exports exports =
        new Exports(
            List.of(
                export("/a", tree, false),
                export("/b", new MemoryTree(2), false),
                export("/read-only", new MemoryTree(3), true)));
    Nfs4States states =
        new Nfs4States(
            StateBounds.DEFAULTS, LEASE.toNanos(), ClientRecords.forgetful(), 7, System.nanoTime());
    Nfs4Program program =
        new Nfs4Program(exports, new MemoryHandles(), states, LEASE, new Timestamp(1, 2));
    client = new Nfs4Caller(program, "one").begin(1);
    client.minorVersion = 2;
    root = client.handle("/a");
  }

  private static Export export(String path, MemoryTree tree, boolean isReadOnly) {
    return new Export(path, tree, "disk", isReadOnly, Squash.of(Squash.Who.NONE), List.of(), false);
  }

  private OpenFile file(String name, int length) throws Exception {
    OpenFile file = client.opened(root, "owner", name, BOTH, true);
    byte[] content = new byte[length];
    Arrays.fill(content, (byte) 7);
    try (FileNode directory = tree.open(tree.root());
        FileNode node = tree.open(tree.lookup(directory, bytes(name), Caller.ROOT).handle())) {
      ByteBuffer from = ByteBuffer.wrap(content);
      tree.write(node, 0, from, Stability.UNSTABLE, Caller.ROOT);
    }
    return file;
  }

  // Holes and room.

  @Test
  void seekFindsDataAndHoles() throws Exception {
    OpenFile file = file("file", 100);
    assertThat(sought(file, 10, 0)).containsExactly(0, 10);
    assertThat(sought(file, 10, 1)).containsExactly(1, 100);
    assertThat(call(file, seek(file, 100, 0)).status).isEqualTo(Nfs4Status.NXIO);
    assertThat(call(file, seek(file, -1, 1)).status).isEqualTo(Nfs4Status.NXIO);
    assertThat(call(file, seek(file, 0, 2)).status).isEqualTo(Nfs4Status.UNION_NOTSUPP);
    assertThat(client.call(putfh(root), seek(file, 0, 0)).status).isEqualTo(Nfs4Status.WRONG_TYPE);
  }

  private long[] sought(OpenFile file, long offset, int what) {
    Reply reply = call(file, seek(file, offset, what)).sequence();
    reply.next(Nfs4Operation.PUTFH);
    XdrReader in = reply.next(Nfs4Operation.SEEK);
    return new long[] {in.readBoolean() ? 1 : 0, in.readLong()};
  }

  private static Op seek(OpenFile file, long offset, int what) {
    return op(
        Nfs4Operation.SEEK,
        out -> {
          file.state().write(out);
          out.writeLong(offset).writeInt(what);
        });
  }

  @Test
  void roomIsReservedAndGivenBack() throws Exception {
    OpenFile file = file("file", 100);
    assertThat(call(file, range(Nfs4Operation.ALLOCATE, file, 0, 5_000)).status)
        .isEqualTo(Nfs4Status.OK);
    assertThat(client.lastWork.operation()).isEqualTo(Operation.ALLOCATE);
    assertThat(client.lastServed.operations()).isEqualTo(1);
    assertThat(size(file)).isEqualTo(5_000);
    assertThat(call(file, range(Nfs4Operation.DEALLOCATE, file, 10, 20)).status)
        .isEqualTo(Nfs4Status.OK);
    assertThat(size(file)).isEqualTo(5_000);
    assertThat(call(file, range(Nfs4Operation.ALLOCATE, file, 0, 0)).status)
        .isEqualTo(Nfs4Status.INVAL);
    assertThat(call(file, range(Nfs4Operation.ALLOCATE, file, -1, 1)).status)
        .isEqualTo(Nfs4Status.INVAL);
    assertThat(call(file, range(Nfs4Operation.DEALLOCATE, file, 1, Long.MAX_VALUE)).status)
        .isEqualTo(Nfs4Status.FBIG);
    OpenFile forReading = client.opened(root, "reader", "file", READ, false);
    assertThat(call(file, range(Nfs4Operation.ALLOCATE, forReading, 0, 1)).status)
        .isEqualTo(Nfs4Status.OPENMODE);
  }

  private static Op range(Nfs4Operation operation, OpenFile file, long offset, long length) {
    return op(
        operation,
        out -> {
          file.state().write(out);
          out.writeLong(offset).writeLong(length);
        });
  }

  private long size(OpenFile file) {
    Reply reply = call(file, getattr(Nfs4Attribute.SIZE)).sequence();
    reply.next(Nfs4Operation.PUTFH);
    XdrReader in = reply.next(Nfs4Operation.GETATTR);
    AttributeSet.read(in);
    in.readInt();
    return in.readLong();
  }

  /** Long ranges are done piece by piece, each paid for, and later from where they were left. */
  @Test
  void aLongRangeEndsForOneCallWhenItsTimeIsOver() {
    Tally tally = new Tally();
    LongWork work = new LongWork(tally);
    assertThat(work.beginPiece(1_000)).isTrue();
    assertThat(work.beginPiece(1_000 + LongWork.NANOS_MAX - 1)).isTrue();
    assertThat(work.beginPiece(1_000 + LongWork.NANOS_MAX)).isFalse();
    assertThat(tally.served().operations()).isEqualTo(2);

    RangeProgress progress = new RangeProgress();
    FileHandle file = tree.root();
    RangeProgress.Range range = new RangeProgress.Range(1, file, true, 10, 1_000);
    assertThat(progress.resume(range, 0)).isEqualTo(10);
    progress.keep(range, 500);
    assertThat(progress.resume(range, 500)).isEqualTo(500);
    assertThat(progress.resume(range, 500)).as("once").isEqualTo(10);
    progress.keep(range, 500);
    assertThat(progress.resume(range, 499)).as("of a file that was cut").isEqualTo(10);
    progress.keep(range, 500);
    progress.forgetReserved(file);
    assertThat(progress.resume(range, 500)).isEqualTo(10);
    for (int i = 0; i < 2 * RangeProgress.RANGES_MAX; i++) {
      progress.keep(new RangeProgress.Range(i, file, false, 0, 1), 1);
    }
    assertThat(progress.size()).isEqualTo(RangeProgress.RANGES_MAX);
  }

  /** Whoever is told to come again goes on from where the call before has ended. */
  @Test
  void aLongRangeIsDoneInSeveralCalls() {
    AtomicLong now = new AtomicLong();
    Exports exports = new Exports(List.of(export("/a", tree, false)));
    MemoryHandles handles = new MemoryHandles();
    Nfs4Parts parts =
        new Nfs4Parts(
            exports,
            handles,
            TransferSize.USUAL,
            new PseudoTree(exports, new Timestamp(1, 2)),
            new AttributeCodec(handles, OwnerNames.NUMBERS, TransferSize.USUAL, 45),
            new Nfs4States(StateBounds.DEFAULTS, LEASE.toNanos(), ClientRecords.forgetful(), 7, 0),
            new RangeProgress(),
            null,
            () -> now.addAndGet(LongWork.NANOS_MAX * 3 / 4));
    client = new Nfs4Caller(new Nfs4Program(parts), "slow").begin(1);
    client.minorVersion = 2;
    OpenFile file = client.opened(client.handle("/a"), "owner", "file", BOTH, true);
    Op five = range(Nfs4Operation.DEALLOCATE, file, 0, 5 * LongWork.PIECE_BYTES);
    for (int call = 1; call <= 3; call++) {
      assertThat(call(file, five).status)
          .as("call " + call)
          .isEqualTo(call < 3 ? Nfs4Status.DELAY : Nfs4Status.OK);
      assertThat(client.lastServed.operations()).isEqualTo(call < 3 ? 2 : 1);
    }
    assertThat(parts.progress().size()).isZero();
  }

  // Copies.

  @Test
  void aCopyIsShortAndPaidForAsReadAndWritten() throws Exception {
    OpenFile from = file("from", 3 * PIECE);
    OpenFile to = client.opened(root, "owner", "to", BOTH, true);
    assertThat(copied(from, 0, to, 0, 3L * PIECE)).isEqualTo(PIECE);
    assertThat(client.lastWork.operation()).isEqualTo(Operation.COPY);
    assertThat(client.lastWork.bytes()).isEqualTo(2 * PIECE);
    assertThat(client.lastServed.bytes()).isEqualTo(2 * PIECE);
    assertThat(copied(from, PIECE, to, PIECE, 0)).as("to the end").isEqualTo(PIECE);
    assertThat(copied(from, 3L * PIECE - 10, to, 2L * PIECE, 100)).isEqualTo(10);
    assertThat(client.lastWork.bytes()).isEqualTo(200);
    assertThat(client.lastServed.bytes()).isEqualTo(20);
    assertThat(copied(from, 3L * PIECE, to, 0, 100)).isZero();
    assertThat(size(to)).isEqualTo(2L * PIECE + 10);
  }

  private long copied(OpenFile from, long fromOffset, OpenFile to, long toOffset, long count) {
    Reply reply = between(from, to, copy(from, fromOffset, to, toOffset, count)).sequence();
    reply.next(Nfs4Operation.PUTFH);
    reply.next(Nfs4Operation.SAVEFH);
    reply.next(Nfs4Operation.PUTFH);
    XdrReader in = reply.next(Nfs4Operation.COPY);
    assertThat(in.readInt()).as("no later word").isZero();
    long copied = in.readLong();
    assertThat(in.readInt()).as("unstable").isZero();
    in.readLong();
    assertThat(in.readBoolean()).as("in order").isTrue();
    assertThat(in.readBoolean()).as("done").isTrue();
    return copied;
  }

  private Reply between(OpenFile from, OpenFile to, Op... operations) {
    List<Op> all = new ArrayList<>();
    all.add(putfh(from.handle()));
    all.add(op(Nfs4Operation.SAVEFH));
    all.add(putfh(to.handle()));
    all.addAll(List.of(operations));
    return client.call(all.toArray(Op[]::new));
  }

  private static Op copy(OpenFile from, long fromOffset, OpenFile to, long toOffset, long count) {
    return op(
        Nfs4Operation.COPY,
        out -> {
          from.state().write(out);
          to.state().write(out);
          out.writeLong(fromOffset).writeLong(toOffset).writeLong(count);
          out.writeBoolean(true).writeBoolean(false).writeInt(0);
        });
  }

  @Test
  void noCompoundCopiesMoreThanOnePiece() throws Exception {
    OpenFile from = file("from", 2 * PIECE);
    OpenFile to = client.opened(root, "owner", "to", BOTH, true);
    Reply reply = between(from, to, copy(from, 0, to, 0, 0), copy(from, 0, to, 0, 0));
    assertThat(reply.status).isEqualTo(Nfs4Status.DELAY);
    assertThat(reply.operations).isEqualTo(6);
    assertThat(client.lastServed.bytes()).isEqualTo(2 * PIECE);
  }

  @Test
  void copiesThatCannotBeMadeAreRefused() throws Exception {
    OpenFile from = file("from", 100);
    OpenFile to = client.opened(root, "owner", "to", BOTH, true);
    assertThat(client.call(putfh(to.handle()), copy(from, 0, to, 0, 1)).status)
        .as("from nothing")
        .isEqualTo(Nfs4Status.NOFILEHANDLE);
    assertThat(between(from, from, copy(from, 0, from, 10, 50)).status)
        .as("onto itself")
        .isEqualTo(Nfs4Status.INVAL);
    assertThat(between(from, from, copy(from, 0, from, 50, 50)).status).isEqualTo(Nfs4Status.OK);
    assertThat(between(from, to, copy(from, -1, to, 0, 1)).status).isEqualTo(Nfs4Status.INVAL);
    assertThat(between(from, to, copy(from, 0, to, Long.MAX_VALUE, 1)).status)
        .isEqualTo(Nfs4Status.FBIG);
    assertThat(between(to, to, copy(from, 0, to, 0, 1)).status)
        .as("another file's state")
        .isEqualTo(Nfs4Status.BAD_STATEID);
    OpenFile directory = new OpenFile(StateId.ANONYMOUS, root);
    assertThat(between(directory, to, copy(directory, 0, to, 0, 1)).status)
        .isEqualTo(Nfs4Status.WRONG_TYPE);
    OpenFile elsewhere = client.opened(client.handle("/b"), "owner", "elsewhere", BOTH, true);
    assertThat(between(elsewhere, to, copy(elsewhere, 0, to, 0, 1)).status)
        .as("of another export, which may be at another target")
        .isEqualTo(Nfs4Status.XDEV);
    Op fromAnotherServer =
        op(
            Nfs4Operation.COPY,
            out -> {
              from.state().write(out);
              to.state().write(out);
              out.writeLong(0).writeLong(0).writeLong(1);
              out.writeBoolean(true).writeBoolean(true).writeInt(1).writeInt(1);
              out.writeOpaque(bytes("elsewhere"));
            });
    assertThat(between(from, to, fromAnotherServer).status).isEqualTo(Nfs4Status.NOTSUPP);
    assertThat(tree.openNodes()).as("nothing is left open but what clients have").isEqualTo(2);
  }

  @Test
  void contentsAreSharedWhereTheFileSystemCan() throws Exception {
    OpenFile from = file("from", 100);
    OpenFile to = client.opened(root, "owner", "to", BOTH, true);
    Op clone =
        op(
            Nfs4Operation.CLONE,
            out -> {
              from.state().write(out);
              to.state().write(out);
              out.writeLong(0).writeLong(10).writeLong(0);
            });
    assertThat(between(from, to, clone).status).isEqualTo(Nfs4Status.OK);
    assertThat(client.lastWork.operation()).isEqualTo(Operation.COPY);
    assertThat(client.lastServed.bytes()).as("nothing is moved").isZero();
    assertThat(size(to)).isEqualTo(110);
  }

  @Test
  void adviceIsTakenAndNotFollowed() throws Exception {
    OpenFile file = file("file", 100);
    Op advice =
        op(
            Nfs4Operation.IO_ADVISE,
            out -> {
              file.state().write(out);
              out.writeLong(0).writeLong(0);
              AttributeSet.of(1, 2, 33).write(out);
            });
    Reply reply = call(file, advice).sequence();
    reply.next(Nfs4Operation.PUTFH);
    assertThat(reply.next(Nfs4Operation.IO_ADVISE).readInt()).as("hints").isZero();
    call(
        file,
        op(
            Nfs4Operation.CLOSE,
            out -> {
              out.writeInt(0);
              file.state().write(out);
            }));
    assertThat(call(file, advice).status).isEqualTo(Nfs4Status.BAD_STATEID);
  }

  @Test
  void whatIsNotThereIsSaidNotToBe() throws Exception {
    OpenFile file = file("file", 100);
    for (Nfs4Operation operation :
        List.of(
            Nfs4Operation.READ_PLUS,
            Nfs4Operation.COPY_NOTIFY,
            Nfs4Operation.OFFLOAD_CANCEL,
            Nfs4Operation.OFFLOAD_STATUS,
            Nfs4Operation.WRITE_SAME,
            Nfs4Operation.LAYOUTERROR,
            Nfs4Operation.LAYOUTSTATS)) {
      assertThat(call(file, op(operation)).status)
          .as(operation.toString())
          .isEqualTo(Nfs4Status.NOTSUPP);
    }
    client.minorVersion = 1;
    assertThat(call(file, seek(file, 0, 0)).status).isEqualTo(Nfs4Status.OP_ILLEGAL);
    assertThat(call(file, get("x")).status).isEqualTo(Nfs4Status.OP_ILLEGAL);
  }

  // Extended attributes.

  @Test
  void extendedAttributesAreSetReadListedAndRemoved() throws Exception {
    OpenFile file = file("file", 0);
    for (byte[] handle : List.of(file.handle(), root)) {
      OpenFile at = new OpenFile(StateId.ANONYMOUS, handle);
      assertThat(call(at, get("colour")).status).isEqualTo(Nfs4Status.NOXATTR);
      assertThat(call(at, set(2, "colour", bytes("blue"))).status).isEqualTo(Nfs4Status.NOXATTR);
      Reply set = call(at, set(1, "colour", bytes("blue"))).sequence();
      set.next(Nfs4Operation.PUTFH);
      XdrReader in = set.next(Nfs4Operation.SETXATTR);
      assertThat(in.readBoolean()).as("atomic").isTrue();
      assertThat(in.readLong()).isNotEqualTo(in.readLong());
      assertThat(client.lastWork.operation()).isEqualTo(Operation.SETXATTR);
      assertThat(call(at, set(1, "colour", bytes("red"))).status).isEqualTo(Nfs4Status.EXIST);
      assertThat(call(at, set(0, "shape", new byte[5_000])).status).isEqualTo(Nfs4Status.OK);
      Reply got = call(at, get("colour")).sequence();
      got.next(Nfs4Operation.PUTFH);
      assertThat(got.next(Nfs4Operation.GETXATTR).readOpaque(10)).isEqualTo(bytes("blue"));
      assertThat(client.lastWork.operation()).isEqualTo(Operation.GETXATTR);
      assertThat(listed(at, 1_000)).containsExactly("colour", "shape");
      assertThat(listed(at, 30)).as("one at a time").containsExactly("colour", "shape");
      assertThat(call(at, list(0, 20)).status).isEqualTo(Nfs4Status.TOOSMALL);
      assertThat(call(at, list(3, 1_000)).status).isEqualTo(Nfs4Status.BAD_COOKIE);
      assertThat(call(at, remove("colour")).status).isEqualTo(Nfs4Status.OK);
      assertThat(call(at, remove("colour")).status).isEqualTo(Nfs4Status.NOXATTR);
    }
  }

  @Test
  void extendedAttributesHaveBounds() throws Exception {
    OpenFile file = file("file", 0);
    assertThat(call(file, set(0, "x", new byte[1 << 16])).status).isEqualTo(Nfs4Status.OK);
    client.isCached = false;
    Reply got = call(file, get("x")).sequence();
    got.next(Nfs4Operation.PUTFH);
    assertThat(got.next(Nfs4Operation.GETXATTR).readOpaque(1 << 16)).hasSize(1 << 16);
    client.isCached = true;
    assertThat(call(file, get("x")).status).isEqualTo(Nfs4Status.REP_TOO_BIG_TO_CACHE);
    assertThat(call(file, set(0, "x", new byte[(1 << 16) + 1])).status)
        .isEqualTo(Nfs4Status.XATTR2BIG);
    assertThat(call(file, set(0, "y", new byte[1])).status).isEqualTo(Nfs4Status.XATTR2BIG);
    assertThat(call(file, get("")).status).isEqualTo(Nfs4Status.INVAL);
    assertThat(call(file, get("x\0y")).status).isEqualTo(Nfs4Status.BADCHAR);
    assertThat(call(file, get("x".repeat(251))).status).isEqualTo(Nfs4Status.NAMETOOLONG);
    assertThat(call(file, set(3, "x", new byte[1])).status).isEqualTo(Nfs4Status.BADXDR);
  }

  @Test
  void aReadOnlyExportTakesNone() {
    byte[] readOnly = client.handle("/read-only");
    assertThat(client.call(putfh(readOnly), set(0, "x", bytes("1"))).status)
        .isEqualTo(Nfs4Status.ROFS);
    assertThat(client.call(putfh(readOnly), remove("x")).status).isEqualTo(Nfs4Status.ROFS);
    assertThat(granted(readOnly)).isEqualTo(AccessRights.XATTR_READ | AccessRights.XATTR_LIST);
    assertThat(granted(root)).isEqualTo(AccessRights.XATTRS);
    client.minorVersion = 1;
    assertThat(granted(root)).as("version 4.1 does not know them").isZero();
  }

  private int granted(byte[] handle) {
    Reply reply =
        client.call(
            putfh(handle), op(Nfs4Operation.ACCESS, out -> out.writeInt(AccessRights.XATTRS)));
    reply.sequence().next(Nfs4Operation.PUTFH);
    XdrReader in = reply.next(Nfs4Operation.ACCESS);
    int supported = in.readInt();
    int granted = in.readInt();
    assertThat(supported & granted).isEqualTo(granted);
    return granted;
  }

  @Test
  void extendedAttributesAreForThoseWhoMay() throws Exception {
    OpenFile file = file("file", 0);
    call(file, set(0, "x", bytes("1")));
    client.credential = new Credential.Sys("test", 1_001, 1_001);
    assertThat(call(file, get("x")).status).isEqualTo(Nfs4Status.OK);
    assertThat(call(file, set(0, "x", bytes("2"))).status).isEqualTo(Nfs4Status.ACCESS);
    assertThat(call(file, remove("x")).status).isEqualTo(Nfs4Status.ACCESS);
  }

  @Test
  void theFileSystemSaysWhetherItHasThem() {
    assertThat(support(root)).isEqualTo(1);
    assertThat(support(client.handle("/"))).as("above the exports").isZero();
    byte[] above = client.handle("/");
    assertThat(client.call(putfh(above), get("x")).status).isEqualTo(Nfs4Status.NOXATTR);
    assertThat(client.call(putfh(above), set(0, "x", bytes("1"))).status)
        .isEqualTo(Nfs4Status.ROFS);
  }

  private int support(byte[] handle) {
    Reply reply = client.call(putfh(handle), getattr(Nfs4Attribute.XATTR_SUPPORT)).sequence();
    reply.next(Nfs4Operation.PUTFH);
    XdrReader in = reply.next(Nfs4Operation.GETATTR);
    assertThat(AttributeSet.read(in).has(Nfs4Attribute.XATTR_SUPPORT)).isTrue();
    in.readInt();
    return in.readInt();
  }

  private List<String> listed(OpenFile at, int bytesMax) {
    List<String> names = new ArrayList<>();
    long cookie = 0;
    boolean isEnd = false;
    while (!isEnd) {
      Reply reply = call(at, list(cookie, bytesMax)).sequence();
      reply.next(Nfs4Operation.PUTFH);
      XdrReader in = reply.next(Nfs4Operation.LISTXATTRS);
      cookie = in.readLong();
      for (int count = in.readInt(); count > 0; count--) {
        names.add(new String(in.readOpaque(255), StandardCharsets.UTF_8));
      }
      isEnd = in.readBoolean();
    }
    return names;
  }

  private static Op get(String name) {
    return op(Nfs4Operation.GETXATTR, out -> out.writeOpaque(bytes(name)));
  }

  private static Op set(int how, String name, byte[] value) {
    return op(
        Nfs4Operation.SETXATTR,
        out -> out.writeInt(how).writeOpaque(bytes(name)).writeOpaque(value));
  }

  private static Op list(long cookie, int bytesMax) {
    return op(Nfs4Operation.LISTXATTRS, out -> out.writeLong(cookie).writeInt(bytesMax));
  }

  private static Op remove(String name) {
    return op(Nfs4Operation.REMOVEXATTR, out -> out.writeOpaque(bytes(name)));
  }

  private Reply call(OpenFile file, Op operation) {
    return client.call(putfh(file.handle()), operation);
  }
}
