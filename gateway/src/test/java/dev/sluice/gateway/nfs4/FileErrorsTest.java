package dev.sluice.gateway.nfs4;

import static dev.sluice.gateway.nfs4.Nfs4Caller.bytes;
import static dev.sluice.gateway.nfs4.Nfs4Caller.getattr;
import static dev.sluice.gateway.nfs4.Nfs4Caller.lookup;
import static dev.sluice.gateway.nfs4.Nfs4Caller.op;
import static dev.sluice.gateway.nfs4.Nfs4Caller.putfh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.export.Squash;
import dev.sluice.gateway.files.FileHandles;
import dev.sluice.gateway.files.FileType;
import dev.sluice.gateway.files.PosixTree;
import dev.sluice.gateway.files.Timestamp;
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
import dev.sluice.nfs.nfs4.StateId;
import dev.sluice.nfs.xdr.XdrWriter;
import dev.sluice.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What operations on files are refused with, on a file system: what RFC 8881 says in sections 15.1
 * and 18 for each of them.
 */
class FileErrorsTest {
  private static final Duration LEASE = Duration.ofSeconds(45);
  private static final int READ = 1;
  private static final int WRITE = 2;
  private static final int BOTH = 3;
  private static final long TO_END = -1;

  private static final String FILE = "file";
  private static final String LINK = "link";
  private static final String PIPE = "pipe";
  private static final String EMPTY = "empty";
  private static final String FULL = "full";

  private Path exported;
  private PosixTree tree;
  private Nfs4Caller client;
  private byte[] root;

  @BeforeEach
  void begin(@TempDir Path directory) throws Exception {
    assumeTrue(PosixTree.actsAsCaller(), "only root can act as others");
    exported = Files.createDirectory(directory.resolve("exported"));
    Path state = Files.createDirectory(directory.resolve("state"));
    tree = PosixTree.open(1, exported, state, 64);
    Export export =
        new Export("/a", tree, "disk", false, Squash.of(Squash.Who.NONE), List.of(), false);
    Nfs4States states =
        new Nfs4States(
            StateBounds.DEFAULTS, LEASE.toNanos(), ClientRecords.forgetful(), 7, System.nanoTime());
    Nfs4Program program =
        new Nfs4Program(
            new Exports(List.of(export)),
            FileHandles.inDirectory(state),
            states,
            LEASE,
            new Timestamp(1, 2));
    client = new Nfs4Caller(program, "one").begin(1);
    root = client.handle("/a");
    Files.writeString(exported.resolve(FILE), "contents");
    Files.createSymbolicLink(exported.resolve(LINK), Path.of(FILE));
    Files.createDirectory(exported.resolve(EMPTY));
    Files.createDirectories(exported.resolve(FULL).resolve("inner"));
    assertThat(inRoot(create(FileType.FIFO.code(), PIPE))).isEqualTo(Nfs4Status.OK);
  }

  @AfterEach
  void end() throws Exception {
    if (tree != null) {
      tree.close();
    }
  }

  private Nfs4Status inRoot(Op... operations) {
    return at(root, operations);
  }

  private Nfs4Status at(byte[] handle, Op... operations) {
    List<Op> all = new ArrayList<>(List.of(putfh(handle)));
    all.addAll(List.of(operations));
    return client.call(all.toArray(Op[]::new)).status;
  }

  private byte[] handle(String name) {
    return client.handle("/a/" + name);
  }

  private static Op named(Nfs4Operation operation, String... names) {
    return op(
        operation,
        out -> {
          for (String name : names) {
            out.writeOpaque(bytes(name));
          }
        });
  }

  private static Op create(int type, String name) {
    return op(
        Nfs4Operation.CREATE,
        out -> {
          out.writeInt(type);
          if (type == FileType.SYMBOLIC_LINK.code()) {
            out.writeOpaque(bytes("to"));
          } else if (type == FileType.BLOCK_DEVICE.code()) {
            out.writeInt(1).writeInt(2);
          }
          out.writeOpaque(bytes(name)).writeInt(0).writeInt(0);
        });
  }

  // Names.

  /** Names that no operation takes, and why. */
  private static Map<String, Nfs4Status> wrongNames() {
    Map<String, Nfs4Status> names = new LinkedHashMap<>();
    names.put("", Nfs4Status.INVAL);
    names.put("x".repeat(256), Nfs4Status.NAMETOOLONG);
    names.put("a/b", Nfs4Status.BADCHAR);
    names.put("a\0b", Nfs4Status.BADCHAR);
    names.put(".", Nfs4Status.BADNAME);
    names.put("..", Nfs4Status.BADNAME);
    return names;
  }

  @Test
  void wrongNamesAreRefusedAlikeEverywhere() {
    Map<String, Function<String, Op[]>> takers = new LinkedHashMap<>();
    takers.put("LOOKUP", name -> new Op[] {lookup(name)});
    takers.put("SECINFO", name -> new Op[] {named(Nfs4Operation.SECINFO, name)});
    takers.put("CREATE", name -> new Op[] {create(FileType.DIRECTORY.code(), name)});
    takers.put("REMOVE", name -> new Op[] {named(Nfs4Operation.REMOVE, name)});
    takers.put("OPEN", name -> new Op[] {client.open("o", name, READ, 0, false)});
    takers.put("OPEN, made", name -> new Op[] {client.open("o", name, BOTH, 0, true)});
    takers.put(
        "RENAME, from",
        name -> new Op[] {op(Nfs4Operation.SAVEFH), named(Nfs4Operation.RENAME, name, "new")});
    takers.put(
        "RENAME, to",
        name -> new Op[] {op(Nfs4Operation.SAVEFH), named(Nfs4Operation.RENAME, FILE, name)});
    takers.put(
        "LINK",
        name ->
            new Op[] {
              lookup(FILE), op(Nfs4Operation.SAVEFH), putfh(root), named(Nfs4Operation.LINK, name)
            });
    takers.forEach((taker, operations) ->
        wrongNames()
            .forEach((name, expected) ->
                assertThat(inRoot(operations.apply(name)))
                    .as("%s of \"%.10s\"", taker, name)
                    .isEqualTo(expected)));
  }

  @Test
  void onlyDirectoriesHaveNames() {
    Map<String, Nfs4Status> others =
        Map.of(FILE, Nfs4Status.NOTDIR, PIPE, Nfs4Status.NOTDIR, LINK, Nfs4Status.SYMLINK);
    others.forEach((name, expected) -> {
      byte[] handle = handle(name);
      List<Op[]> tries =
          List.of(
              new Op[] {lookup("x")},
              new Op[] {op(Nfs4Operation.LOOKUPP)},
              new Op[] {named(Nfs4Operation.SECINFO, "x")},
              new Op[] {create(FileType.DIRECTORY.code(), "x")},
              new Op[] {named(Nfs4Operation.REMOVE, "x")},
              new Op[] {client.open("o", "x", READ, 0, false)},
              new Op[] {readdir(0, 4_096, Nfs4Attribute.TYPE)},
              new Op[] {
                op(Nfs4Operation.SAVEFH), putfh(root), named(Nfs4Operation.RENAME, "x", "y")
              },
              new Op[] {
                putfh(root),
                op(Nfs4Operation.SAVEFH),
                putfh(handle),
                named(Nfs4Operation.RENAME, FILE, "y")
              },
              new Op[] {
                putfh(handle(FILE)),
                op(Nfs4Operation.SAVEFH),
                putfh(handle),
                named(Nfs4Operation.LINK, "y")
              });
      for (Op[] operations : tries) {
        assertThat(at(handle, operations))
            .as("%s in a %s", operations[operations.length - 1].operation(), name)
            .isEqualTo(expected);
      }
    });
  }

  @Test
  void filesAreMadeByOpenAndAllElseByCreate() {
    for (int type : new int[] {FileType.REGULAR.code(), 8, 9, 0, 77}) {
      assertThat(inRoot(create(type, "x"))).as("type %d", type).isEqualTo(Nfs4Status.BADTYPE);
    }
    for (String there : List.of(FILE, LINK, PIPE, EMPTY, FULL)) {
      assertThat(inRoot(create(FileType.DIRECTORY.code(), there)))
          .as(there)
          .isEqualTo(Nfs4Status.EXIST);
    }
    Op emptyLink =
        op(
            Nfs4Operation.CREATE,
            out ->
                out.writeInt(FileType.SYMBOLIC_LINK.code())
                    .writeOpaque(new byte[0])
                    .writeOpaque(bytes("x"))
                    .writeInt(0)
                    .writeInt(0));
    assertThat(inRoot(emptyLink)).isEqualTo(Nfs4Status.INVAL);
    assertThat(client.call(op(Nfs4Operation.PUTROOTFH), create(2, "x")).status)
        .isEqualTo(Nfs4Status.ROFS);
  }

  @Test
  void namesAreTakenAway() {
    assertThat(inRoot(named(Nfs4Operation.REMOVE, "nothing"))).isEqualTo(Nfs4Status.NOENT);
    assertThat(inRoot(named(Nfs4Operation.REMOVE, FULL))).isEqualTo(Nfs4Status.NOTEMPTY);
    assertThat(inRoot(named(Nfs4Operation.REMOVE, EMPTY))).isEqualTo(Nfs4Status.OK);
    assertThat(inRoot(named(Nfs4Operation.REMOVE, LINK))).isEqualTo(Nfs4Status.OK);
    assertThat(exported.resolve(FILE)).exists();
  }

  private Nfs4Status rename(String from, String to) {
    return inRoot(op(Nfs4Operation.SAVEFH), named(Nfs4Operation.RENAME, from, to));
  }

  @Test
  void renamesReplaceWhatIsAlike() {
    assertThat(inRoot(named(Nfs4Operation.RENAME, FILE, "x"))).isEqualTo(Nfs4Status.NOFILEHANDLE);
    assertThat(rename("nothing", "x")).isEqualTo(Nfs4Status.NOENT);
    assertThat(rename(EMPTY, FILE)).isIn(Nfs4Status.EXIST, Nfs4Status.NOTDIR);
    assertThat(rename(FILE, EMPTY)).isIn(Nfs4Status.EXIST, Nfs4Status.ISDIR);
    assertThat(rename(FILE, FULL)).isIn(Nfs4Status.EXIST, Nfs4Status.ISDIR);
    assertThat(rename(EMPTY, FULL)).isIn(Nfs4Status.EXIST, Nfs4Status.NOTEMPTY);
    assertThat(rename(FILE, FILE)).isEqualTo(Nfs4Status.OK);
    assertThat(rename(FULL, EMPTY)).isEqualTo(Nfs4Status.OK);
    assertThat(exported.resolve(EMPTY).resolve("inner")).exists();
    assertThat(
            inRoot(
                op(Nfs4Operation.SAVEFH),
                lookup(EMPTY),
                lookup("inner"),
                named(Nfs4Operation.RENAME, EMPTY, "x")))
        .as("into itself")
        .isEqualTo(Nfs4Status.INVAL);
  }

  @Test
  void linksAreOfFilesToNewNames() {
    assertThat(inRoot(named(Nfs4Operation.LINK, "x"))).isEqualTo(Nfs4Status.NOFILEHANDLE);
    for (String there : List.of(FILE, LINK, EMPTY)) {
      assertThat(link(FILE, there)).as(there).isEqualTo(Nfs4Status.EXIST);
    }
    assertThat(link(EMPTY, "x")).isEqualTo(Nfs4Status.ISDIR);
    assertThat(link(FILE, "x")).isEqualTo(Nfs4Status.OK);
  }

  private Nfs4Status link(String file, String name) {
    return inRoot(
        lookup(file), op(Nfs4Operation.SAVEFH), putfh(root), named(Nfs4Operation.LINK, name));
  }

  // Contents.

  private static final Map<String, Nfs4Status> WITHOUT_CONTENTS =
      Map.of(EMPTY, Nfs4Status.ISDIR, LINK, Nfs4Status.SYMLINK, PIPE, Nfs4Status.WRONG_TYPE);

  private static Op read(StateId state) {
    return op(
        Nfs4Operation.READ,
        out -> {
          state.write(out);
          out.writeLong(0).writeInt(100);
        });
  }

  private static Op write(StateId state, int stable) {
    return op(
        Nfs4Operation.WRITE,
        out -> {
          state.write(out);
          out.writeLong(0).writeInt(stable).writeOpaque(bytes("new"));
        });
  }

  private static Op setSize(StateId state) {
    return op(
        Nfs4Operation.SETATTR,
        out -> {
          state.write(out);
          AttributeSet.of(Nfs4Attribute.SIZE).write(out);
          out.writeInt(8).writeLong(0);
        });
  }

  @Test
  void onlyFilesHaveContents() {
    WITHOUT_CONTENTS.forEach((name, expected) -> {
      byte[] handle = handle(name);
      Op commit = op(Nfs4Operation.COMMIT, out -> out.writeLong(0).writeInt(0));
      for (Op operation :
          List.of(
              read(StateId.ANONYMOUS),
              write(StateId.ANONYMOUS, 2),
              setSize(StateId.ANONYMOUS),
              commit,
              lock(StateId.ANONYMOUS, WRITE, 0, 1),
              lockTest(WRITE, 0, 1))) {
        assertThat(at(handle, operation))
            .as("%s of a %s", operation.operation(), name)
            .isEqualTo(expected);
      }
      assertThat(inRoot(client.open("o", name, READ, 0, false))).isEqualTo(expected);
      assertThat(inRoot(client.open("o", name, READ, 0, true))).isEqualTo(expected);
      assertThat(at(handle, openByHandle("o", READ))).isEqualTo(expected);
    });
    for (String other : List.of(FILE, EMPTY, PIPE)) {
      assertThat(at(handle(other), op(Nfs4Operation.READLINK)))
          .as(other)
          .isEqualTo(Nfs4Status.WRONG_TYPE);
    }
  }

  @Test
  void contentsAreForThoseWhoOpenedTheFileForThat() {
    OpenFile reader = client.opened(root, "reader", FILE, READ, false);
    OpenFile writer = client.opened(root, "writer", FILE, WRITE, false);
    OpenFile other = client.opened(root, "reader", "other", BOTH, true);
    byte[] file = reader.handle();
    assertThat(at(file, read(reader.state()))).isEqualTo(Nfs4Status.OK);
    assertThat(at(file, write(reader.state(), 2))).isEqualTo(Nfs4Status.OPENMODE);
    assertThat(at(file, setSize(reader.state()))).isEqualTo(Nfs4Status.OPENMODE);
    assertThat(at(file, write(writer.state(), 2))).isEqualTo(Nfs4Status.OK);
    assertThat(at(file, write(writer.state(), 3))).isEqualTo(Nfs4Status.BADXDR);
    assertThat(at(file, read(other.state()))).isEqualTo(Nfs4Status.BAD_STATEID);
    assertThat(at(file, read(StateId.ANONYMOUS))).isEqualTo(Nfs4Status.OK);
    assertThat(at(file, read(StateId.READ_BYPASS))).isEqualTo(Nfs4Status.OK);
    assertThat(at(file, read(StateId.CURRENT))).isEqualTo(Nfs4Status.BAD_STATEID);
    assertThat(at(file, read(StateId.INVALID))).isEqualTo(Nfs4Status.BAD_STATEID);
    assertThat(at(file, read(new StateId(5, 0, 0)))).isEqualTo(Nfs4Status.BAD_STATEID);
    StateId ahead = new StateId(9, reader.state().server(), reader.state().number());
    assertThat(at(file, read(ahead))).isEqualTo(Nfs4Status.BAD_STATEID);
    StateId any = new StateId(0, reader.state().server(), reader.state().number());
    assertThat(at(file, read(any))).isEqualTo(Nfs4Status.OK);
    client.opened(root, "reader", FILE, BOTH, false);
    assertThat(at(file, read(reader.state()))).isEqualTo(Nfs4Status.OLD_STATEID);
  }

  // OPEN and CLOSE.

  private Op openByHandle(String owner, int access) {
    return op(
        Nfs4Operation.OPEN,
        out -> {
          out.writeInt(0).writeInt(access).writeInt(0).writeLong(client.clientId);
          out.writeOpaque(bytes(owner)).writeInt(0).writeInt(4);
        });
  }

  /** An OPEN that makes the file: how is a createmode4, with what comes after it. */
  private Op openToMake(int how, Consumer<XdrWriter> attributes) {
    return op(
        Nfs4Operation.OPEN,
        out -> {
          out.writeInt(0).writeInt(WRITE).writeInt(0).writeLong(client.clientId);
          out.writeOpaque(bytes("maker")).writeInt(1).writeInt(how);
          attributes.accept(out);
          out.writeInt(0).writeOpaque(bytes(FILE));
        });
  }

  private static void emptied(XdrWriter out) {
    AttributeSet.of(Nfs4Attribute.SIZE).write(out);
    out.writeInt(8).writeLong(0);
  }

  @Test
  void opensAreAsTheyShouldBe() {
    assertThat(inRoot(client.open("o", FILE, 0, 0, false))).isEqualTo(Nfs4Status.INVAL);
    assertThat(inRoot(client.open("o", FILE, READ, 4, false))).isEqualTo(Nfs4Status.INVAL);
    assertThat(inRoot(client.open("o", "nothing", READ, 0, false))).isEqualTo(Nfs4Status.NOENT);
    assertThat(client.call(client.open("o", FILE, READ, 0, false)).status)
        .isEqualTo(Nfs4Status.NOFILEHANDLE);
    Consumer<XdrWriter> nothing = out -> out.writeInt(0).writeInt(0);
    assertThat(inRoot(openToMake(1, nothing))).as("guarded").isEqualTo(Nfs4Status.EXIST);
    assertThat(inRoot(openToMake(2, out -> out.writeLong(1))))
        .as("exclusive")
        .isEqualTo(Nfs4Status.EXIST);
    assertThat(inRoot(openToMake(4, nothing))).isEqualTo(Nfs4Status.BADXDR);
    Op reclaim =
        op(
            Nfs4Operation.OPEN,
            out -> {
              out.writeInt(0).writeInt(READ).writeInt(0).writeLong(client.clientId);
              out.writeOpaque(bytes("o")).writeInt(0).writeInt(1).writeInt(0);
            });
    assertThat(at(handle(FILE), reclaim)).isEqualTo(Nfs4Status.NO_GRACE);
  }

  @Test
  void aRefusedOpenLeavesTheContents() throws Exception {
    client.opened(root, "other", "unrelated", BOTH, true);
    Reply denying = client.call(putfh(root), client.open("denier", FILE, READ, WRITE, false));
    assertThat(denying.status).isEqualTo(Nfs4Status.OK);
    assertThat(inRoot(openToMake(0, FileErrorsTest::emptied))).isEqualTo(Nfs4Status.SHARE_DENIED);
    assertThat(at(handle(FILE), write(StateId.ANONYMOUS, 2))).isEqualTo(Nfs4Status.LOCKED);
    assertThat(at(handle(FILE), setSize(StateId.ANONYMOUS))).isEqualTo(Nfs4Status.LOCKED);
    assertThat(Files.readString(exported.resolve(FILE))).isEqualTo("contents");
  }

  @Test
  void anOpenThatIsAllowedCutsTheFile() throws Exception {
    assertThat(inRoot(openToMake(0, FileErrorsTest::emptied))).isEqualTo(Nfs4Status.OK);
    assertThat(Files.size(exported.resolve(FILE))).isZero();
  }

  @Test
  void statesAreClosedOnce() {
    OpenFile open = client.opened(root, "o", FILE, READ, false);
    assertThat(at(handle(PIPE), close(open.state()))).isEqualTo(Nfs4Status.BAD_STATEID);
    assertThat(at(handle(PIPE), downgrade(open.state()))).isEqualTo(Nfs4Status.BAD_STATEID);
    assertThat(client.call(close(open.state())).status).isEqualTo(Nfs4Status.NOFILEHANDLE);
    assertThat(at(open.handle(), close(StateId.CURRENT))).isEqualTo(Nfs4Status.BAD_STATEID);
    assertThat(at(open.handle(), close(StateId.ANONYMOUS))).isEqualTo(Nfs4Status.BAD_STATEID);
    assertThat(at(open.handle(), freed(open.state()))).isEqualTo(Nfs4Status.LOCKS_HELD);
    assertThat(at(open.handle(), close(open.state()))).isEqualTo(Nfs4Status.OK);
    assertThat(at(open.handle(), close(open.state()))).isEqualTo(Nfs4Status.BAD_STATEID);
    assertThat(at(open.handle(), freed(open.state()))).isEqualTo(Nfs4Status.BAD_STATEID);
  }

  @Test
  void theCurrentStateGoesWithTheCurrentFile() {
    Op open = client.open("o", FILE, BOTH, 0, false);
    assertThat(inRoot(open, read(StateId.CURRENT), close(StateId.CURRENT)))
        .isEqualTo(Nfs4Status.OK);
    assertThat(inRoot(open, putfh(root), lookup(FILE), close(StateId.CURRENT)))
        .isEqualTo(Nfs4Status.BAD_STATEID);
    assertThat(
            inRoot(
                open,
                op(Nfs4Operation.SAVEFH),
                putfh(root),
                op(Nfs4Operation.RESTOREFH),
                close(StateId.CURRENT)))
        .isEqualTo(Nfs4Status.OK);
    assertThat(client.call(op(Nfs4Operation.RESTOREFH)).status).isEqualTo(Nfs4Status.NOFILEHANDLE);
    assertThat(client.call(op(Nfs4Operation.SAVEFH)).status).isEqualTo(Nfs4Status.NOFILEHANDLE);
  }

  private static Op close(StateId state) {
    return op(
        Nfs4Operation.CLOSE,
        out -> {
          out.writeInt(0);
          state.write(out);
        });
  }

  private static Op downgrade(StateId state) {
    return op(
        Nfs4Operation.OPEN_DOWNGRADE,
        out -> {
          state.write(out);
          out.writeInt(0).writeInt(READ).writeInt(0);
        });
  }

  private static Op freed(StateId state) {
    return op(Nfs4Operation.FREE_STATEID, state::write);
  }

  // Locks.

  private Op lock(StateId open, int type, long offset, long length) {
    return lock(open, type, offset, length, false);
  }

  private Op lock(StateId open, int type, long offset, long length, boolean isReclaim) {
    return op(
        Nfs4Operation.LOCK,
        out -> {
          out.writeInt(type).writeBoolean(isReclaim).writeLong(offset).writeLong(length);
          out.writeBoolean(true).writeInt(0);
          open.write(out);
          out.writeInt(0).writeLong(client.clientId).writeOpaque(bytes("process"));
        });
  }

  private Op lockTest(int type, long offset, long length) {
    return op(
        Nfs4Operation.LOCKT,
        out ->
            out.writeInt(type)
                .writeLong(offset)
                .writeLong(length)
                .writeLong(client.clientId)
                .writeOpaque(bytes("another")));
  }

  private static Op unlock(StateId locks, long offset, long length) {
    return op(
        Nfs4Operation.LOCKU,
        out -> {
          out.writeInt(WRITE).writeInt(0);
          locks.write(out);
          out.writeLong(offset).writeLong(length);
        });
  }

  @Test
  void locksAreOfSomeBytesAndOfAnOpen() {
    OpenFile reader = client.opened(root, "reader", FILE, READ, false);
    OpenFile writer = client.opened(root, "writer", FILE, BOTH, false);
    byte[] file = reader.handle();
    assertThat(at(file, lock(reader.state(), WRITE, 0, 1))).isEqualTo(Nfs4Status.OPENMODE);
    for (long[] range : new long[][] {{0, 0}, {5, TO_END - 1}, {TO_END, 2}}) {
      assertThat(at(file, lock(writer.state(), WRITE, range[0], range[1])))
          .isEqualTo(Nfs4Status.INVAL);
      assertThat(at(file, lockTest(WRITE, range[0], range[1]))).isEqualTo(Nfs4Status.INVAL);
    }
    assertThat(at(file, lock(writer.state(), 5, 0, 1))).isEqualTo(Nfs4Status.BADXDR);
    assertThat(at(file, lock(writer.state(), WRITE, 0, 1, true))).isEqualTo(Nfs4Status.NO_GRACE);
    byte[] other = client.opened(root, "o", "other", BOTH, true).handle();
    assertThat(at(other, lock(writer.state(), WRITE, 0, 1))).isEqualTo(Nfs4Status.BAD_STATEID);
    Reply locked = client.call(putfh(file), lock(writer.state(), WRITE, 0, TO_END));
    locked.sequence().next(Nfs4Operation.PUTFH);
    StateId locks = StateId.read(locked.next(Nfs4Operation.LOCK));
    assertThat(at(file, lockTest(READ, 7, 1))).isEqualTo(Nfs4Status.DENIED);
    assertThat(at(file, unlock(writer.state(), 0, 1)))
        .as("by the open")
        .isEqualTo(Nfs4Status.BAD_STATEID);
    assertThat(at(file, unlock(locks, 0, 0))).isEqualTo(Nfs4Status.INVAL);
    assertThat(at(file, freed(locks))).isEqualTo(Nfs4Status.LOCKS_HELD);
    assertThat(at(file, close(locks))).as("locks, as an open").isEqualTo(Nfs4Status.BAD_STATEID);
    assertThat(at(file, unlock(locks, 0, TO_END))).isEqualTo(Nfs4Status.OK);
    assertThat(at(file, unlock(locks, 0, TO_END))).isEqualTo(Nfs4Status.OLD_STATEID);
    StateId now = new StateId(0, locks.server(), locks.number());
    assertThat(at(file, freed(now))).isEqualTo(Nfs4Status.OK);
    assertThat(at(file, unlock(now, 0, TO_END))).isEqualTo(Nfs4Status.BAD_STATEID);
    assertThat(at(file, lockTest(READ, 7, 1))).isEqualTo(Nfs4Status.OK);
  }

  // Attributes.

  private static Op set(AttributeSet attributes, Consumer<XdrWriter> values, int length) {
    return op(
        Nfs4Operation.SETATTR,
        out -> {
          StateId.ANONYMOUS.write(out);
          attributes.write(out);
          out.writeInt(length);
          values.accept(out);
        });
  }

  private static Op readdir(long cookie, int count, int... attributes) {
    return op(
        Nfs4Operation.READDIR,
        out -> {
          out.writeLong(cookie).writeLong(0).writeInt(count).writeInt(count);
          AttributeSet.of(attributes).write(out);
        });
  }

  private static Op compare(Nfs4Operation operation, AttributeSet attributes, long value) {
    return op(
        operation,
        out -> {
          attributes.write(out);
          out.writeInt(8).writeLong(value);
        });
  }

  @Test
  void whatCanOnlyBeSetIsNotTold() {
    for (int attribute :
        List.of(
            Nfs4Attribute.TIME_ACCESS_SET,
            Nfs4Attribute.TIME_MODIFY_SET,
            Nfs4Attribute.MODE_UMASK)) {
      assertThat(inRoot(getattr(attribute))).isEqualTo(Nfs4Status.INVAL);
      assertThat(inRoot(readdir(0, 4_096, attribute))).isEqualTo(Nfs4Status.INVAL);
      for (Nfs4Operation operation : List.of(Nfs4Operation.VERIFY, Nfs4Operation.NVERIFY)) {
        assertThat(inRoot(compare(operation, AttributeSet.of(attribute), 0)))
            .isEqualTo(Nfs4Status.INVAL);
      }
    }
  }

  @Test
  void whatIsNotKnownIsLeftOutButNotSet() {
    AttributeSet unknown = AttributeSet.of(12, 94);
    assertThat(inRoot(op(Nfs4Operation.GETATTR, unknown::write))).isEqualTo(Nfs4Status.OK);
    assertThat(inRoot(op(Nfs4Operation.GETATTR, out -> giant(out, 64)))).isEqualTo(Nfs4Status.OK);
    assertThat(inRoot(op(Nfs4Operation.GETATTR, out -> giant(out, 65))))
        .isEqualTo(Nfs4Status.BADXDR);
    byte[] file = handle(FILE);
    assertThat(at(file, set(unknown, out -> out.writeLong(0), 8)))
        .isEqualTo(Nfs4Status.ATTRNOTSUPP);
    for (int told : List.of(Nfs4Attribute.TYPE, Nfs4Attribute.FILEID, Nfs4Attribute.SPACE_USED)) {
      assertThat(at(file, set(AttributeSet.of(told), out -> out.writeLong(0), 8)))
          .isEqualTo(Nfs4Status.INVAL);
    }
    for (Nfs4Operation operation : List.of(Nfs4Operation.VERIFY, Nfs4Operation.NVERIFY)) {
      assertThat(at(file, compare(operation, unknown, 0))).isEqualTo(Nfs4Status.ATTRNOTSUPP);
      assertThat(at(file, compare(operation, AttributeSet.of(Nfs4Attribute.RDATTR_ERROR), 0)))
          .isEqualTo(Nfs4Status.INVAL);
    }
    AttributeSet size = AttributeSet.of(Nfs4Attribute.SIZE);
    assertThat(at(file, compare(Nfs4Operation.VERIFY, size, 8))).isEqualTo(Nfs4Status.OK);
    assertThat(at(file, compare(Nfs4Operation.VERIFY, size, 9))).isEqualTo(Nfs4Status.NOT_SAME);
    assertThat(at(file, compare(Nfs4Operation.NVERIFY, size, 8))).isEqualTo(Nfs4Status.SAME);
    assertThat(at(file, compare(Nfs4Operation.NVERIFY, size, 9))).isEqualTo(Nfs4Status.OK);
  }

  /** All bits from the third word on, but for one that is known and can only be set. */
  private static void giant(XdrWriter out, int words) {
    out.writeInt(words).writeInt(0).writeInt(0);
    out.writeInt(~(1 << (Nfs4Attribute.MODE_UMASK - 2 * Integer.SIZE)));
    for (int i = 3; i < words; i++) {
      out.writeInt(-1);
    }
  }

  @Test
  void valuesAreInTheirRange() {
    byte[] file = handle(FILE);
    assertThat(at(file, set(AttributeSet.of(Nfs4Attribute.SIZE), out -> out.writeLong(-1), 8)))
        .isEqualTo(Nfs4Status.FBIG);
    assertThat(
            at(
                file,
                set(
                    AttributeSet.of(Nfs4Attribute.TIME_MODIFY_SET),
                    out -> out.writeInt(1).writeLong(0).writeInt(1_000_000_000),
                    16)))
        .isEqualTo(Nfs4Status.INVAL);
    assertThat(
            at(
                file,
                set(
                    AttributeSet.of(Nfs4Attribute.MODE, Nfs4Attribute.MODE_UMASK),
                    out -> out.writeInt(0).writeInt(0).writeInt(0),
                    12)))
        .isEqualTo(Nfs4Status.INVAL);
    assertThat(
            at(
                file,
                set(
                    AttributeSet.of(Nfs4Attribute.MODE_UMASK),
                    out -> out.writeInt(0).writeInt(0),
                    8)))
        .as("a umask where nothing is made")
        .isEqualTo(Nfs4Status.INVAL);
    assertThat(at(file, set(AttributeSet.of(Nfs4Attribute.SIZE), out -> out.writeInt(0), 4)))
        .isEqualTo(Nfs4Status.BADXDR);
  }

  @Test
  void listingsBeginWhereOthersEnded() {
    assertThat(inRoot(readdir(1, 4_096, Nfs4Attribute.TYPE))).isEqualTo(Nfs4Status.BAD_COOKIE);
    assertThat(inRoot(readdir(2, 4_096, Nfs4Attribute.TYPE))).isEqualTo(Nfs4Status.BAD_COOKIE);
    assertThat(inRoot(readdir(0, 16, Nfs4Attribute.TYPE))).isEqualTo(Nfs4Status.TOOSMALL);
    assertThat(inRoot(readdir(0, 0, Nfs4Attribute.TYPE))).isEqualTo(Nfs4Status.TOOSMALL);
  }

  // Handles.

  @Test
  void handlesLeadSomewhere() throws Exception {
    assertThat(client.call(putfh(new byte[0])).status).isEqualTo(Nfs4Status.BADHANDLE);
    assertThat(client.call(putfh(new byte[64])).status).isEqualTo(Nfs4Status.BADHANDLE);
    assertThat(client.call(putfh(new byte[200])).status)
        .isIn(Nfs4Status.BADXDR, Nfs4Status.BADHANDLE);
    byte[] file = handle(FILE);
    assertThat(inRoot(named(Nfs4Operation.REMOVE, FILE))).isEqualTo(Nfs4Status.OK);
    // The server may have it open for a moment longer.
    Eventually.await(
        "the handle is stale", () -> at(file, getattr(Nfs4Attribute.SIZE)) == Nfs4Status.STALE);
    assertThat(inRoot(named(Nfs4Operation.SECINFO, PIPE), op(Nfs4Operation.GETFH)))
        .isEqualTo(Nfs4Status.NOFILEHANDLE);
    assertThat(inRoot(named(Nfs4Operation.SECINFO, "nothing"))).isEqualTo(Nfs4Status.NOENT);
    assertThat(client.call(op(Nfs4Operation.PUTROOTFH), op(Nfs4Operation.LOOKUPP)).status)
        .isEqualTo(Nfs4Status.NOENT);
    for (Nfs4Operation needs :
        List.of(
            Nfs4Operation.GETFH,
            Nfs4Operation.LOOKUPP,
            Nfs4Operation.READLINK,
            Nfs4Operation.SAVEFH)) {
      assertThat(client.call(op(needs)).status)
          .as(needs.toString())
          .isEqualTo(Nfs4Status.NOFILEHANDLE);
    }
  }
}
