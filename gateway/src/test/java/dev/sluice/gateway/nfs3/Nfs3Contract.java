package dev.sluice.gateway.nfs3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Network;
import dev.sluice.core.model.Operation;
import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.export.Squash;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.files.HandleCodec;
import dev.sluice.gateway.nfs3.Nfs3Caller.Change;
import dev.sluice.gateway.rpc.Work;
import dev.sluice.nfs.nfs3.AccessRights;
import dev.sluice.nfs.nfs3.CreateMode;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.nfs3.TimeHow;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every procedure does on any tree, seen through the bytes of its results. */
abstract class Nfs3Contract {
  private static final int EXPORT_ID = 9;
  private static final int OTHER_EXPORT_ID = 10;
  private static final int USER = 1_234;

  private FileTree tree;
  private Exports exports;
  private HandleCodec handles;
  private Nfs3Caller nfs;
  private byte[] root;

  /** An empty tree whose root everybody may write to, under this number. */
  abstract FileTree newTree(int exportId) throws Exception;

  abstract HandleCodec handleCodec() throws Exception;

  @BeforeEach
  void exportATree() throws Exception {
    handles = handleCodec();
    tree = newTree(EXPORT_ID);
    exports = new Exports(List.of(export("/data", tree)));
    nfs = new Nfs3Caller(new Nfs3Program(exports, handles), handles);
    root = nfs.bytes(tree.root());
  }

  private static Export export(String path, FileTree tree) {
    return new Export(path, tree, "disk", false, Squash.of(Squash.Who.NONE), List.of(), false);
  }

  private void exportReadOnly() {
    exports.replace(
        List.of(
            new Export("/data", tree, "disk", true, Squash.of(Squash.Who.NONE), List.of(), false)));
  }

  private byte[] newFile(String name, byte[] content) {
    byte[] file = handleOf(nfs.create(root, name, CreateMode.GUARDED, new Change().mode(0644)));
    if (content.length > 0) {
      assertOk(nfs.write(file, 0, StableHow.UNSTABLE, content));
    }
    return file;
  }

  private byte[] newDirectory(String name) {
    return handleOf(nfs.mkdir(root, name, new Change().mode(0755)));
  }

  private static byte[] handleOf(Reply reply) {
    assertOk(reply);
    return Objects.requireNonNull(reply.handle);
  }

  private static Reply.Fattr present(Reply.@Nullable Fattr attributes) {
    return Objects.requireNonNull(attributes);
  }

  private static void assertOk(Reply reply) {
    assertThat(reply.status).isEqualTo(Nfs3Status.OK);
  }

  private static void assertRefused(Reply reply, Nfs3Status status) {
    assertThat(reply.status).isEqualTo(status);
  }

  private static byte[] pattern(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  @Test
  void nullDoesNothing() {
    ByteBuffer nothing = ByteBuffer.allocate(0);
    Work work = nfs.inspect(Nfs3Procedure.NULL, nothing);

    assertThat(work).isEqualTo(new Work(null, null, 0, 0, false));
    assertOk(nfs.serve(Nfs3Procedure.NULL, work, nothing));
  }

  @Test
  void getattrTellsWhatAFileIs() {
    byte[] file = newFile("file", pattern(100));

    Reply.Fattr attributes = present(nfs.getattr(file).object);
    assertThat(attributes.type()).isEqualTo(1);
    assertThat(attributes.mode()).isEqualTo(0644);
    assertThat(attributes.links()).isEqualTo(1);
    assertThat(attributes.uid()).isZero();
    assertThat(attributes.size()).isEqualTo(100);
    assertThat(present(nfs.getattr(root).object).type()).isEqualTo(2);
  }

  @Test
  void setattrSetsModeSizeAndTimes() {
    byte[] file = newFile("file", pattern(100));
    Change change =
        new Change().mode(0100600).size(40).modified(TimeHow.SET_TO_CLIENT_TIME, -2, 999_999_999);

    Reply.Fattr attributes = present(nfs.setattr(file, change, null).object);
    assertThat(attributes.mode()).isEqualTo(0600);
    assertThat(attributes.size()).isEqualTo(40);
    assertThat(attributes.modified()).isEqualTo(new Reply.Time(-2, 999_999_999));

    Reply touched =
        nfs.setattr(
            file,
            new Change()
                .accessed(TimeHow.SET_TO_SERVER_TIME, 0, 0)
                .modified(TimeHow.SET_TO_SERVER_TIME, 0, 0),
            null);
    assertThat(present(touched.object).modified()).isNotEqualTo(attributes.modified());
  }

  @Test
  void setattrRefusesWhatNoFileCanHave() {
    byte[] file = newFile("file", pattern(10));

    assertRefused(nfs.setattr(file, new Change().size(-1), null), Nfs3Status.FBIG);
    assertRefused(nfs.setattr(file, new Change().uid(-1), null), Nfs3Status.INVAL);
    Change time = new Change().accessed(TimeHow.SET_TO_CLIENT_TIME, 1, 1_000_000_000);
    assertRefused(nfs.setattr(file, time, null), Nfs3Status.INVAL);
    assertThat(present(nfs.getattr(file).object).size()).isEqualTo(10);
  }

  @Test
  void setattrIsGuardedByTheTimeOfTheLastChange() {
    byte[] file = newFile("file", pattern(10));
    Reply.Time changed = present(nfs.getattr(file).object).changed();
    Reply.Time other = new Reply.Time(changed.seconds(), (changed.nanos() + 1) % 1_000_000_000);

    Reply refused = nfs.setattr(file, new Change().size(5), other);
    assertRefused(refused, Nfs3Status.NOT_SYNC);
    assertThat(present(refused.object).size()).isEqualTo(10);
    Reply done = nfs.setattr(file, new Change().size(5), changed);
    assertOk(done);
    assertThat(present(done.object).size()).isEqualTo(5);
  }

  @Test
  void lookupFindsFilesAndDots() {
    byte[] directory = newDirectory("directory");
    byte[] file = newFile("file", new byte[0]);

    Reply found = nfs.lookup(root, "file");
    assertThat(found.handle).isEqualTo(file);
    assertThat(present(found.object).type()).isEqualTo(1);
    assertThat(present(found.directory).type()).isEqualTo(2);
    assertThat(nfs.lookup(directory, ".").handle).isEqualTo(directory);
    assertThat(nfs.lookup(directory, "..").handle).isEqualTo(root);
    assertThat(nfs.lookup(root, "..").handle).as("no way out").isEqualTo(root);
  }

  @Test
  void lookupRefusesWhatCannotBeFound() {
    byte[] file = newFile("file", new byte[0]);

    Reply missing = nfs.lookup(root, "missing");
    assertRefused(missing, Nfs3Status.NOENT);
    assertThat(missing.directory).as("for the client's memory of what is not there").isNotNull();
    assertRefused(nfs.lookup(file, "x"), Nfs3Status.NOTDIR);
    assertRefused(nfs.lookup(root, "x".repeat(256)), Nfs3Status.NAMETOOLONG);
    assertRefused(nfs.lookup(root, "x".repeat(70_000)), Nfs3Status.NAMETOOLONG);
    assertRefused(nfs.lookup(root, ""), Nfs3Status.ACCES);
    assertRefused(nfs.lookup(root, "../etc"), Nfs3Status.ACCES);
    assertRefused(nfs.lookup(root, "file\0"), Nfs3Status.ACCES);
  }

  @Test
  void handlesPassOnTheClaimOfTheirDirectory() {
    newFile("file", new byte[0]);
    JobId job = JobId.of("4711");
    byte[] claimed = nfs.bytes(tree.root().claimedBy(job));

    byte[] file = handleOf(nfs.lookup(claimed, "file"));
    assertThat(claimOf(file)).isEqualTo(job);
    byte[] made = handleOf(nfs.create(claimed, "new", CreateMode.GUARDED, new Change()));
    assertThat(claimOf(made)).isEqualTo(job);
    Reply listing = nfs.readdirplus(claimed, 0, 8_192, 32_768);
    assertThat(listing.entries)
        .allSatisfy(entry ->
            assertThat(claimOf(Objects.requireNonNull(entry.handle()).array())).isEqualTo(job));
  }

  private @Nullable JobId claimOf(byte[] handle) {
    ByteBuffer wire = Nfs3Caller.arguments(out -> out.writeOpaque(handle));
    return Objects.requireNonNull(handles.read(new XdrReader(wire))).claimedJob();
  }

  @Test
  void accessAsksAsTheCaller() {
    byte[] file = newFile("file", new byte[0]);
    assertOk(nfs.setattr(file, new Change().mode(0640), null));

    assertThat(nfs.access(file, 0xffff_ffff).access)
        .isEqualTo(AccessRights.READ | AccessRights.MODIFY | AccessRights.EXTEND);
    nfs.credential = new Credential.Sys("test", USER, USER);
    Reply asOther = nfs.access(file, AccessRights.ALL);
    assertOk(asOther);
    assertThat(asOther.access).isZero();
    assertThat(asOther.object).isNotNull();
    nfs.credential = new Credential.Sys("test", USER, USER, 7, 0);
    assertThat(nfs.access(file, AccessRights.ALL).access).isEqualTo(AccessRights.READ);
    assertThat(nfs.access(root, AccessRights.LOOKUP | AccessRights.DELETE).access)
        .isEqualTo(AccessRights.LOOKUP | AccessRights.DELETE);
  }

  @Test
  void accessOfReadOnlyExportsHasNothingThatChanges() {
    byte[] file = newFile("file", new byte[0]);
    exportReadOnly();

    assertThat(nfs.access(file, AccessRights.ALL).access).isEqualTo(AccessRights.READ);
    assertThat(nfs.access(root, AccessRights.ALL).access)
        .isEqualTo(AccessRights.READ | AccessRights.LOOKUP);
  }

  @Test
  void readlinkTellsWhatSymlinkWasGiven() {
    String longest = "x".repeat(4_095);
    Reply made = nfs.symlink(root, "link", "../some where/ü");
    byte[] link = handleOf(made);

    assertThat(present(made.object).type()).isEqualTo(5);
    Reply read = nfs.readlink(link);
    assertThat(new String(read.data, UTF_8)).isEqualTo("../some where/ü");
    assertThat(present(read.object).type()).isEqualTo(5);
    byte[] longLink = handleOf(nfs.symlink(root, "long", longest));
    assertThat(new String(nfs.readlink(longLink).data, UTF_8)).isEqualTo(longest);
    assertRefused(nfs.symlink(root, "longer", longest + "x"), Nfs3Status.NAMETOOLONG);
    assertRefused(nfs.symlink(root, "link", "x"), Nfs3Status.EXIST);
    assertRefused(nfs.readlink(newFile("file", new byte[0])), Nfs3Status.INVAL);
  }

  @Test
  void readTellsWhereAFileEnds() {
    byte[] content = pattern(10_001);
    byte[] file = newFile("file", content);

    assertRead(nfs.read(file, 0, 10_000), Arrays.copyOf(content, 10_000), false);
    assertRead(nfs.read(file, 0, 10_001), content, true);
    assertRead(nfs.read(file, 0, 20_000), content, true);
    assertRead(nfs.read(file, 9_999, 1), new byte[] {content[9_999]}, false);
    assertRead(nfs.read(file, 10_000, 1), new byte[] {content[10_000]}, true);
    assertRead(nfs.read(file, 10_001, 1), new byte[0], true);
    assertRead(nfs.read(file, 10_002, 1), new byte[0], true);
    assertRead(nfs.read(file, Long.MAX_VALUE, 100), new byte[0], true);
    assertRead(nfs.read(file, -1, 100), new byte[0], true);
    assertRead(nfs.read(file, 0, 0), new byte[0], false);
    assertRead(nfs.read(file, 10_001, 0), new byte[0], true);
    assertRead(nfs.read(newFile("empty", new byte[0]), 0, 100), new byte[0], true);
  }

  private static void assertRead(Reply reply, byte[] data, boolean eof) {
    assertOk(reply);
    assertThat(reply.data).isEqualTo(data);
    assertThat(reply.eof).isEqualTo(eof);
    assertThat(reply.object).isNotNull();
  }

  @Test
  void readMovesAMebibyteAtMost() {
    byte[] file = newFile("file", new byte[0]);
    byte[] content = pattern(1 << 20);
    assertOk(nfs.write(file, 0, StableHow.UNSTABLE, content));
    assertOk(nfs.write(file, 1 << 20, StableHow.UNSTABLE, content));

    assertRead(nfs.read(file, 0, 0xffff_ffff), content, false);
    assertRead(nfs.read(file, 1 << 20, 3 << 20), content, true);
  }

  @Test
  void readRefusesWhoMayNot() {
    byte[] file = newFile("file", pattern(10));
    assertOk(nfs.setattr(file, new Change().mode(0600), null));
    nfs.credential = new Credential.Sys("test", USER, USER);

    Reply refused = nfs.read(file, 0, 10);
    assertRefused(refused, Nfs3Status.ACCES);
    assertThat(refused.object).isNotNull();
    assertThat(nfs.read(root, 0, 10).status).isIn(Nfs3Status.INVAL, Nfs3Status.ISDIR);
  }

  @ParameterizedTest
  @EnumSource
  void writeIsAsStableAsAsked(StableHow stable) {
    byte[] file = newFile("file", new byte[0]);
    byte[] content = pattern(1_001);

    Reply written = nfs.write(file, 7, stable, content);
    assertOk(written);
    assertThat(written.count).isEqualTo(1_001);
    assertThat(written.committed).isEqualTo(stable);
    assertThat(written.verifier).isEqualTo(tree.writeVerifier());
    assertThat(present(written.object).size()).isEqualTo(1_008);
    byte[] read = nfs.read(file, 0, 2_000).data;
    assertThat(Arrays.copyOf(read, 7)).isEqualTo(new byte[7]);
    assertThat(Arrays.copyOfRange(read, 7, read.length)).isEqualTo(content);
    Reply committed = nfs.commit(file);
    assertOk(committed);
    assertThat(committed.verifier).isEqualTo(written.verifier);
    assertThat(present(committed.object).size()).isEqualTo(1_008);
  }

  @Test
  void writeOfNothingChangesNothing() {
    byte[] file = newFile("file", pattern(3));

    Reply written = nfs.write(file, 1_000, StableHow.FILE_SYNC, new byte[0]);
    assertOk(written);
    assertThat(written.count).isZero();
    assertThat(present(written.object).size()).isEqualTo(3);
  }

  @Test
  void writeTakesAMebibyteAndLeavesTheRestToAnotherCall() {
    byte[] file = newFile("file", new byte[0]);
    byte[] content = pattern((1 << 20) + 3);

    Reply written = nfs.write(file, 0, StableHow.UNSTABLE, content);
    assertThat(written.count).isEqualTo(1 << 20);
    assertThat(present(written.object).size()).isEqualTo(1 << 20);
  }

  @Test
  void writeRefusesWhatCannotBe() {
    byte[] file = newFile("file", pattern(3));

    assertRefused(nfs.write(file, -1, StableHow.UNSTABLE, pattern(1)), Nfs3Status.FBIG);
    assertRefused(nfs.write(file, Long.MAX_VALUE, StableHow.UNSTABLE, pattern(1)), Nfs3Status.FBIG);
    assertThat(nfs.write(root, 0, StableHow.UNSTABLE, pattern(1)).status)
        .isIn(Nfs3Status.INVAL, Nfs3Status.ISDIR);
    nfs.credential = new Credential.Sys("test", USER, USER);
    Reply refused = nfs.write(file, 0, StableHow.UNSTABLE, pattern(1));
    assertRefused(refused, Nfs3Status.ACCES);
    assertThat(present(refused.object).size()).isEqualTo(3);
  }

  @Test
  void writeWhoseCountIsNotThatOfItsDataIsUnreadable() {
    byte[] file = newFile("file", pattern(3));
    ByteBuffer arguments =
        Nfs3Caller.arguments(out ->
            out.writeOpaque(file).writeLong(0).writeInt(9).writeInt(0).writeOpaque(new byte[8]));

    assertThatThrownBy(() -> nfs.call(Nfs3Procedure.WRITE, arguments))
        .isInstanceOf(XdrException.class)
        .hasMessageContaining("expected 9 bytes");
    assertThat(nfs.read(file, 0, 10).data).isEqualTo(pattern(3));
  }

  @Test
  void createTakesOrRefusesWhatIsThere() {
    Reply made = nfs.create(root, "file", CreateMode.UNCHECKED, new Change().mode(0600));
    byte[] file = handleOf(made);
    assertThat(present(made.object).mode()).isEqualTo(0600);
    assertThat(made.directory).isNotNull();
    assertOk(nfs.write(file, 0, StableHow.UNSTABLE, pattern(10)));

    Reply again = nfs.create(root, "file", CreateMode.UNCHECKED, new Change());
    assertThat(again.handle).isEqualTo(file);
    assertThat(present(again.object).size()).isEqualTo(10);
    Reply emptied = nfs.create(root, "file", CreateMode.UNCHECKED, new Change().size(0));
    assertThat(present(emptied.object).size()).isZero();
    Reply refused = nfs.create(root, "file", CreateMode.GUARDED, new Change());
    assertRefused(refused, Nfs3Status.EXIST);
    assertThat(refused.directory).isNotNull();
  }

  @Test
  void exclusiveCreateKnowsARepeatedCall() {
    byte[] file = handleOf(nfs.createExclusive(root, "file", 0x1234_5678_9abc_def0L));

    assertThat(nfs.createExclusive(root, "file", 0x1234_5678_9abc_def0L).handle).isEqualTo(file);
    assertRefused(nfs.createExclusive(root, "file", 77), Nfs3Status.EXIST);
    newFile("other", new byte[0]);
    assertRefused(nfs.createExclusive(root, "other", 77), Nfs3Status.EXIST);
  }

  @Test
  void mkdirAndRmdir() {
    Reply made = nfs.mkdir(root, "directory", new Change().mode(0750));
    byte[] directory = handleOf(made);
    assertThat(present(made.object).type()).isEqualTo(2);
    assertThat(present(made.object).mode()).isEqualTo(0750);
    assertRefused(nfs.mkdir(root, "directory", new Change()), Nfs3Status.EXIST);
    assertOk(nfs.create(directory, "file", CreateMode.GUARDED, new Change()));

    assertRefused(nfs.rmdir(root, "directory"), Nfs3Status.NOTEMPTY);
    assertOk(nfs.remove(directory, "file"));
    Reply removed = nfs.rmdir(root, "directory");
    assertOk(removed);
    assertThat(removed.directory).isNotNull();
    assertRefused(nfs.rmdir(root, "directory"), Nfs3Status.NOENT);
    assertRefused(nfs.getattr(directory), Nfs3Status.STALE);
    newFile("file", new byte[0]);
    assertRefused(nfs.rmdir(root, "file"), Nfs3Status.NOTDIR);
  }

  @Test
  void mknodMakesWhatHasNoProcedureOfItsOwn() {
    Reply made = nfs.mknod(root, "pipe", 7, new Change().mode(0622), 0, 0);
    assertOk(made);
    assertThat(present(made.object).type()).isEqualTo(7);
    assertThat(present(nfs.mknod(root, "socket", 6, new Change(), 0, 0).object).type())
        .isEqualTo(6);
    for (int type : new int[] {1, 2, 5}) {
      Reply refused = nfs.mknod(root, "other", type, new Change(), 0, 0);
      assertRefused(refused, Nfs3Status.BADTYPE);
      assertThat(refused.directory).isNotNull();
    }
    nfs.credential = new Credential.Sys("test", USER, USER);
    assertThat(nfs.mknod(root, "device", 3, new Change(), 8, 1).status)
        .isIn(Nfs3Status.PERM, Nfs3Status.ACCES);
  }

  @Test
  void removeTakesNamesOfFilesAway() {
    byte[] file = newFile("file", new byte[0]);
    newDirectory("directory");

    assertOk(nfs.remove(root, "file"));
    assertRefused(nfs.getattr(file), Nfs3Status.STALE);
    assertRefused(nfs.remove(root, "file"), Nfs3Status.NOENT);
    assertThat(nfs.remove(root, "directory").status).isIn(Nfs3Status.ISDIR, Nfs3Status.PERM);
  }

  @Test
  void renameMovesAndReplaces() {
    byte[] file = newFile("a", pattern(5));
    newFile("b", new byte[0]);
    byte[] directory = newDirectory("directory");

    Reply renamed = nfs.rename(root, "a", root, "b");
    assertOk(renamed);
    assertThat(renamed.directory).isNotNull();
    assertThat(renamed.secondDirectory).isNotNull();
    assertThat(nfs.lookup(root, "b").handle).isEqualTo(file);
    assertOk(nfs.rename(root, "b", directory, "c"));
    assertThat(nfs.read(file, 0, 10).data).isEqualTo(pattern(5));
    Reply missing = nfs.rename(root, "b", directory, "c");
    assertRefused(missing, Nfs3Status.NOENT);
    assertThat(missing.secondDirectory).isNotNull();
    assertRefused(nfs.rename(root, "directory", directory, "inside"), Nfs3Status.INVAL);
    assertRefused(nfs.rename(directory, "..", root, "x"), Nfs3Status.INVAL);
    assertRefused(nfs.rename(root, "directory", root, "."), Nfs3Status.INVAL);
    assertRefused(nfs.rename(root, "directory", new byte[16], "x"), Nfs3Status.BADHANDLE);
  }

  @Test
  void linkGivesAFileAnotherName() {
    byte[] file = newFile("file", new byte[0]);
    byte[] directory = newDirectory("directory");

    Reply linked = nfs.link(file, directory, "other");
    assertOk(linked);
    assertThat(present(linked.object).links()).isEqualTo(2);
    assertThat(linked.directory).isNotNull();
    assertThat(nfs.lookup(directory, "other").handle).isEqualTo(file);
    assertRefused(nfs.link(file, directory, "other"), Nfs3Status.EXIST);
    assertRefused(nfs.link(file, new byte[3], "x"), Nfs3Status.BADHANDLE);
    assertOk(nfs.remove(root, "file"));
    assertThat(present(nfs.getattr(file).object).links()).isEqualTo(1);
  }

  @Test
  void nothingGoesFromOneExportIntoAnother() throws Exception {
    FileTree other = newTree(OTHER_EXPORT_ID);
    exports.replace(List.of(export("/data", tree), export("/other", other)));
    byte[] otherRoot = nfs.bytes(other.root());
    byte[] file = newFile("file", new byte[0]);

    assertRefused(nfs.rename(root, "file", otherRoot, "file"), Nfs3Status.XDEV);
    assertRefused(nfs.link(file, otherRoot, "file"), Nfs3Status.XDEV);
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "MKDIR", "SYMLINK", "MKNOD", "LINK", "REMOVE", "RMDIR"})
  void dotsAndOddNamesAreNeitherMadeNorRemoved(Nfs3Procedure procedure) {
    byte[] file = newFile("file", new byte[0]);
    boolean makes = procedure != Nfs3Procedure.REMOVE && procedure != Nfs3Procedure.RMDIR;

    Nfs3Status whenDots = makes ? Nfs3Status.EXIST : Nfs3Status.INVAL;
    assertRefused(onName(procedure, file, "."), whenDots);
    assertRefused(onName(procedure, file, ".."), whenDots);
    assertRefused(onName(procedure, file, ""), Nfs3Status.ACCES);
    assertRefused(onName(procedure, file, "a/b"), Nfs3Status.ACCES);
    assertRefused(onName(procedure, file, "a\0b"), Nfs3Status.ACCES);
    assertRefused(onName(procedure, file, "x".repeat(256)), Nfs3Status.NAMETOOLONG);
    if (makes) {
      assertOk(onName(procedure, file, "x".repeat(255)));
    }
  }

  private Reply onName(Nfs3Procedure procedure, byte[] file, String name) {
    return switch (procedure) {
      case CREATE -> nfs.create(root, name, CreateMode.UNCHECKED, new Change());
      case MKDIR -> nfs.mkdir(root, name, new Change());
      case SYMLINK -> nfs.symlink(root, name, "content");
      case MKNOD -> nfs.mknod(root, name, 7, new Change(), 0, 0);
      case LINK -> nfs.link(file, root, name);
      case REMOVE -> nfs.remove(root, name);
      case RMDIR -> nfs.rmdir(root, name);
      default -> throw new IllegalArgumentException(procedure.toString());
    };
  }

  /** Every entry comes once, whatever room the client gives each time. */
  @Test
  void readdirGoesThroughADirectoryInPieces() {
    Set<String> names = new HashSet<>(Set.of(".", ".."));
    for (int i = 0; i < 100; i++) {
      String name = "n".repeat(1 + i) + i;
      newFile(name, new byte[0]);
      names.add(name);
    }

    for (int room : new int[] {250, 300, 1_000, 4_096, 65_536, 1 << 30, -1}) {
      List<String> seen = new ArrayList<>();
      Reply page;
      long cookie = 0;
      do {
        page = nfs.readdir(root, cookie, room);
        assertOk(page);
        assertThat(page.directory).isNotNull();
        assertThat(Integer.compareUnsigned(page.resultBytes, room)).isNotPositive();
        assertThat(page.eof || !page.entries.isEmpty()).as("it goes on").isTrue();
        for (Reply.Entry entry : page.entries) {
          seen.add(entry.name());
          cookie = entry.cookie();
        }
      } while (!page.eof);
      assertThat(seen).hasSameSizeAs(names).containsExactlyInAnyOrderElementsOf(names);
    }
  }

  @Test
  void readdirplusAddsAttributesAndHandles() {
    byte[] directory = newDirectory("directory");
    byte[] file = newFile("file", pattern(12));

    Reply listing = nfs.readdirplus(root, 0, 4_096, 32_768);
    assertThat(listing.eof).isTrue();
    assertThat(listing.entries)
        .extracting(Reply.Entry::name)
        .containsExactlyInAnyOrder(".", "..", "directory", "file");
    for (Reply.Entry entry : listing.entries) {
      byte[] expected =
          switch (entry.name()) {
            case "directory" -> directory;
            case "file" -> file;
            default -> root;
          };
      assertThat(entry.handle()).isEqualTo(ByteBuffer.wrap(expected));
      assertThat(entry.attributes()).isEqualTo(nfs.getattr(expected).object);
      assertThat(entry.fileNumber()).isEqualTo(present(entry.attributes()).fileNumber());
    }
  }

  @Test
  void readdirplusKeepsToBothBounds() {
    for (int i = 0; i < 50; i++) {
      newFile("file-" + i, new byte[0]);
    }

    for (int room : new int[] {600, 1_000, 5_000}) {
      Reply page = nfs.readdirplus(root, 0, 65_536, room);
      assertOk(page);
      assertThat(page.resultBytes).isLessThanOrEqualTo(room).isGreaterThan(room - 250);
      assertThat(page.eof).isFalse();
    }
    Reply fewNames = nfs.readdirplus(root, 0, 200, 65_536);
    assertThat(fewNames.entries.stream().mapToInt(e -> 20 + (e.name().length() + 3) / 4 * 4).sum())
        .isBetween(150, 200);
    assertThat(nfs.readdirplus(root, 0, 0, 65_536).entries).hasSize(1);
  }

  @Test
  void listingsWithoutRoomForOneEntryAreRefused() {
    newDirectory("directory");

    for (int room : new int[] {0, 1, 100, 120}) {
      Reply refused = nfs.readdir(root, 0, room);
      assertRefused(refused, Nfs3Status.TOOSMALL);
      assertThat(refused.directory).isNotNull();
      assertRefused(nfs.readdirplus(root, 0, room, room), Nfs3Status.TOOSMALL);
    }
    Reply all = nfs.readdir(root, 0, 4_096);
    long last = all.entries.getLast().cookie();
    Reply end = nfs.readdir(root, last, 104);
    assertThat(end.entries).isEmpty();
    assertThat(end.eof).isTrue();
    assertThat(end.resultBytes).isEqualTo(104);
    assertRefused(nfs.readdir(root, last, 103), Nfs3Status.TOOSMALL);
  }

  @Test
  void listingsRefuseWhoMayNotAndWhatIsNoDirectory() {
    assertOk(nfs.setattr(newDirectory("closed"), new Change().mode(0711), null));
    byte[] closed = handleOf(nfs.lookup(root, "closed"));
    byte[] file = newFile("file", new byte[0]);
    nfs.credential = new Credential.Sys("test", USER, USER);

    assertRefused(nfs.readdir(closed, 0, 4_096), Nfs3Status.ACCES);
    assertRefused(nfs.readdirplus(closed, 0, 4_096, 4_096), Nfs3Status.ACCES);
    assertRefused(nfs.readdir(file, 0, 4_096), Nfs3Status.NOTDIR);
    assertRefused(nfs.readdirplus(file, 0, 4_096, 4_096), Nfs3Status.NOTDIR);
  }

  @Test
  void cookiesOutliveChanges() {
    IntStream.range(0, 60).forEach(i -> newFile("file-" + i, new byte[0]));
    Reply first = nfs.readdir(root, 0, 800);
    Set<String> seen = new HashSet<>();
    first.entries.forEach(entry -> seen.add(entry.name()));
    String removed =
        seen.stream().filter(name -> name.startsWith("file-")).findFirst().orElseThrow();
    assertOk(nfs.remove(root, removed));
    newFile("another", new byte[0]);

    long cookie = first.entries.getLast().cookie();
    Reply page;
    do {
      page = nfs.readdir(root, cookie, 800);
      for (Reply.Entry entry : page.entries) {
        assertThat(seen.add(entry.name())).as(entry.name()).isTrue();
        cookie = entry.cookie();
      }
    } while (!page.eof);
    for (int i = 0; i < 60; i++) {
      assertThat(seen).contains("file-" + i);
    }
  }

  @Test
  void fileSystemProceduresTellWhatThereIs() {
    Reply space = nfs.onFile(Nfs3Procedure.FSSTAT, root);
    assertOk(space);
    assertThat(space.object).isNotNull();
    assertThat(space.numbers.get(0)).isPositive().isGreaterThanOrEqualTo(space.numbers.get(1));
    assertThat(space.numbers.get(1)).isGreaterThanOrEqualTo(space.numbers.get(2));

    Reply information = nfs.onFile(Nfs3Procedure.FSINFO, root);
    assertThat(information.object).isNotNull();
    long mebibyte = 1 << 20;
    assertThat(information.numbers)
        .containsExactly(
            mebibyte,
            mebibyte,
            4_096L,
            mebibyte,
            mebibyte,
            4_096L,
            65_536L,
            Long.MAX_VALUE,
            0L,
            1L,
            0x1bL);

    Reply configuration = nfs.onFile(Nfs3Procedure.PATHCONF, root);
    assertThat(configuration.numbers.get(0)).isPositive();
    assertThat(configuration.numbers.subList(1, 6)).containsExactly(255L, 1L, 1L, 0L, 1L);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NULL")
  void handlesThatAreNotOursAreBad(Nfs3Procedure procedure) {
    byte[] forged = root.clone();
    forged[forged.length - 1] ^= 1;

    for (byte[] handle : List.of(forged, new byte[0], new byte[64])) {
      ByteBuffer arguments = anyArguments(procedure, handle);
      Work work = nfs.inspect(procedure, arguments);
      assertThat(work.handle()).isNull();
      assertThat(work.operation()).isNull();
      assertRefused(nfs.serve(procedure, work, arguments), Nfs3Status.BADHANDLE);
    }
    assertThatThrownBy(() -> nfs.call(procedure, anyArguments(procedure, new byte[65])))
        .isInstanceOf(XdrException.class);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NULL")
  void handlesOfFilesOrExportsThatAreGoneAreStale(Nfs3Procedure procedure) {
    byte[] file = newFile("file", new byte[0]);
    assertOk(nfs.remove(root, "file"));

    assertRefused(nfs.call(procedure, anyArguments(procedure, file)), Nfs3Status.STALE);
    exports.replace(List.of());
    assertRefused(nfs.call(procedure, anyArguments(procedure, root)), Nfs3Status.STALE);
  }

  /** Whoever once got a handle has no right to use it from elsewhere. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NULL")
  void clientsAreCheckedWithEveryCall(Nfs3Procedure procedure) {
    exports.replace(
        List.of(
            new Export(
                "/data",
                tree,
                "disk",
                false,
                Squash.of(Squash.Who.NONE),
                List.of(Network.parse("10.0.0.0/24"), Network.parse("fd00::/8")),
                false)));

    nfs.client = ClientAddress.parse("10.0.1.1");
    ByteBuffer arguments = anyArguments(procedure, root);
    Work work = nfs.inspect(procedure, arguments);
    assertThat(work.operation()).as("it waits in no queue").isNull();
    assertRefused(nfs.serve(procedure, work, arguments), Nfs3Status.ACCES);
    // Let in between the look and the serving: there is no room for more than a refusal by then.
    exports.replace(List.of(export("/data", tree)));
    assertRefused(nfs.serve(procedure, work, anyArguments(procedure, root)), Nfs3Status.ACCES);
    nfs.client = ClientAddress.parse("fd00::1");
    assertThat(nfs.call(procedure, anyArguments(procedure, root)).status)
        .isNotEqualTo(Nfs3Status.ACCES);
  }

  @Test
  void aPrivilegedPortIsRequiredWhereTheExportSaysSo() {
    exports.replace(
        List.of(
            new Export("/data", tree, "disk", false, Squash.of(Squash.Who.NONE), List.of(), true)));

    assertRefused(nfs.getattr(root), Nfs3Status.ACCES);
    nfs.privilegedPort = true;
    assertOk(nfs.getattr(root));
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "SETATTR", "WRITE", "CREATE", "MKDIR", "SYMLINK", "MKNOD", "REMOVE", "RMDIR", "RENAME",
        "LINK"
      })
  void readOnlyExportsRefuseChanges(Nfs3Procedure procedure) {
    exportReadOnly();

    assertRefused(nfs.call(procedure, anyArguments(procedure, root)), Nfs3Status.ROFS);
  }

  @Test
  void readOnlyExportsAreRead() {
    byte[] file = newFile("file", pattern(9));
    exportReadOnly();

    assertThat(nfs.read(file, 0, 100).data).isEqualTo(pattern(9));
    assertOk(nfs.lookup(root, "file"));
    assertOk(nfs.commit(file));
  }

  @Test
  void squashedCallersAreNobody() {
    for (Squash.Who who : List.of(Squash.Who.ROOT, Squash.Who.ALL)) {
      exports.replace(
          List.of(new Export("/data", tree, "disk", false, Squash.of(who), List.of(), false)));
      Reply made = nfs.create(root, "by " + who, CreateMode.GUARDED, new Change());
      assertThat(present(made.object).uid()).isEqualTo(Squash.NOBODY);
    }
  }

  private static ByteBuffer anyArguments(Nfs3Procedure procedure, byte[] handle) {
    return anyArguments(procedure, handle, handle);
  }

  /**
   * Arguments that can be read, for any procedure.
   *
   * @param second the handle of the other directory, for procedures that have two
   */
  static ByteBuffer anyArguments(Nfs3Procedure procedure, byte[] handle, byte[] second) {
    return Nfs3Caller.arguments(out -> {
      switch (procedure) {
        case NULL -> {}
        case GETATTR, READLINK, FSSTAT, FSINFO, PATHCONF -> out.writeOpaque(handle);
        case SETATTR -> Nfs3Caller.setattrArguments(handle, new Change(), null, out);
        case LOOKUP, REMOVE, RMDIR -> Nfs3Caller.writeName(handle, "name", out);
        case ACCESS -> out.writeOpaque(handle).writeInt(AccessRights.ALL);
        case READ -> out.writeOpaque(handle).writeLong(0).writeInt(100);
        case WRITE ->
            out.writeOpaque(handle).writeLong(0).writeInt(5).writeInt(0).writeOpaque(new byte[5]);
        case CREATE -> {
          Nfs3Caller.writeName(handle, "name", out);
          out.writeInt(1);
          new Change().write(out);
        }
        case MKDIR -> {
          Nfs3Caller.writeName(handle, "name", out);
          new Change().write(out);
        }
        case SYMLINK -> {
          Nfs3Caller.writeName(handle, "name", out);
          new Change().write(out);
          out.writeOpaque(new byte[] {'x'});
        }
        case MKNOD -> {
          Nfs3Caller.writeName(handle, "name", out);
          out.writeInt(7);
          new Change().write(out);
        }
        case RENAME -> {
          Nfs3Caller.writeName(handle, "name", out);
          Nfs3Caller.writeName(second, "other", out);
        }
        case LINK -> {
          out.writeOpaque(handle);
          Nfs3Caller.writeName(second, "name", out);
        }
        case READDIR -> out.writeOpaque(handle).writeLong(0).writeLong(0).writeInt(4_096);
        case READDIRPLUS ->
            out.writeOpaque(handle).writeLong(0).writeLong(0).writeInt(512).writeInt(4_096);
        case COMMIT -> out.writeOpaque(handle).writeLong(0).writeInt(0);
      }
    });
  }

  @Test
  void inspectTellsWhatACallIsFor() {
    for (Nfs3Procedure procedure : Nfs3Procedure.values()) {
      Work work = nfs.inspect(procedure, anyArguments(procedure, root));
      assertThat(work.operation()).isEqualTo(procedure.operation());
      assertThat(work.replayed()).isEqualTo(procedure.isReplayedFromMemory());
      if (procedure != Nfs3Procedure.NULL) {
        assertThat(work.handle()).isEqualTo(tree.root());
      }
    }
    Change truncation = new Change().mode(0).uid(1).size(3);
    assertThat(
            nfs.inspect(
                    Nfs3Procedure.SETATTR,
                    out -> Nfs3Caller.setattrArguments(root, truncation, null, out))
                .operation())
        .isEqualTo(Operation.TRUNCATE);
    assertThat(
            nfs.inspect(
                    Nfs3Procedure.READ, out -> out.writeOpaque(root).writeLong(0).writeInt(4_097))
                .bytes())
        .isEqualTo(4_097);
    for (int count : new int[] {1 << 20, (1 << 20) + 1, Integer.MAX_VALUE, -1}) {
      for (Nfs3Procedure procedure : List.of(Nfs3Procedure.READ, Nfs3Procedure.WRITE)) {
        Work work =
            nfs.inspect(procedure, out -> out.writeOpaque(root).writeLong(0).writeInt(count));
        assertThat(work.bytes()).isEqualTo(1 << 20);
      }
    }
  }
}
