package dev.sluice.gateway.nfs3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.nfs3.Nfs3Caller.Change;
import dev.sluice.gateway.rpc.Work;
import dev.sluice.nfs.nfs3.CreateMode;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrReader;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How names are found, made and taken away. */
abstract class Nfs3NamesContract extends Nfs3Fixture {
  private static final int OTHER_EXPORT_ID = 10;

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

  /**
   * What a server began that died comes again: if it was done, that is found, and it is answered as
   * it would have been.
   */
  @Test
  void whatMayHaveBeenDoneByAnotherIsAnsweredAsDone() {
    for (Nfs3Procedure procedure :
        List.of(
            Nfs3Procedure.CREATE,
            Nfs3Procedure.REMOVE,
            Nfs3Procedure.MKDIR,
            Nfs3Procedure.RENAME,
            Nfs3Procedure.MKDIR,
            Nfs3Procedure.RMDIR,
            Nfs3Procedure.SYMLINK,
            Nfs3Procedure.REMOVE,
            Nfs3Procedure.MKNOD,
            Nfs3Procedure.REMOVE,
            Nfs3Procedure.LINK)) {
      boolean isLink = procedure == Nfs3Procedure.LINK;
      byte[] first = isLink ? newFile("file", new byte[0]) : root;
      ByteBuffer arguments = Nfs3Caller.anyArguments(procedure, first, root);
      Work work = nfs.inspect(procedure, arguments);
      Work again =
          new Work(
              work.handle(),
              work.operation(),
              work.bytes(),
              work.replyBytesMax(),
              work.replayed(),
              work.remembered(),
              true,
              Work.NO_CONTENTS);
      assertThat(nfs.mayTakeEffect(procedure, work, arguments)).as("before %s", procedure).isTrue();
      Reply done = nfs.serve(procedure, work, arguments.duplicate());
      assertOk(done);
      assertThat(nfs.mayTakeEffect(procedure, work, arguments)).as("after %s", procedure).isFalse();
      Reply repeated = nfs.serve(procedure, again, arguments.duplicate());
      assertOk(repeated);
      assertThat(repeated.handle).isEqualTo(done.handle);
      boolean isMade = done.handle != null || isLink;
      assertRefused(
          nfs.serve(procedure, work, arguments.duplicate()),
          isMade ? Nfs3Status.EXIST : Nfs3Status.NOENT);
    }
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

  /** So a client knows that nobody but itself changed a directory, and keeps it in its cache. */
  @Test
  void changesTellWhatTheirDirectoryWasBefore() {
    byte[] directory = newDirectory("directory");
    byte[] other = newDirectory("other");
    Reply.Fattr before = present(nfs.mkdir(directory, "first", new Change().mode(0755)).directory);
    Reply made = nfs.create(directory, "file", CreateMode.GUARDED, new Change().mode(0644));
    before = assertTold(made, before);
    byte[] file = handleOf(made);
    before = assertTold(nfs.link(file, directory, "link"), before);
    before = assertTold(nfs.symlink(directory, "symlink", "x"), before);
    before = assertTold(nfs.remove(directory, "link"), before);
    before = assertTold(nfs.rmdir(directory, "first"), before);
    before = assertTold(nfs.rmdir(directory, "absent"), before);
    before = assertTold(nfs.rename(directory, "file", directory, "renamed"), before);

    Reply.Fattr otherBefore = present(nfs.symlink(other, "symlink", "x").directory);
    Reply moved = nfs.rename(directory, "renamed", other, "moved");
    before = assertTold(moved, before);
    assertThat(moved.secondBefore)
        .isEqualTo(
            new Reply.Before(otherBefore.size(), otherBefore.modified(), otherBefore.changed()));
    Reply closed = nfs.setattr(directory, new Change().mode(0700), null);
    assertThat(closed.before)
        .isEqualTo(new Reply.Before(before.size(), before.modified(), before.changed()));
  }

  /** Of the changed directory afterwards. */
  private static Reply.Fattr assertTold(Reply reply, Reply.Fattr before) {
    assertThat(reply.before)
        .isEqualTo(new Reply.Before(before.size(), before.modified(), before.changed()));
    return present(reply.directory);
  }
}
