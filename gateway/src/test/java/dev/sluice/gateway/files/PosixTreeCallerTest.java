package dev.sluice.gateway.files;

import static dev.sluice.gateway.files.TreeOnGround.bytes;
import static dev.sluice.gateway.files.TreeOnGround.mode;
import static dev.sluice.gateway.files.TreeOnGround.size;
import static dev.sluice.gateway.files.TreeOnGround.statusOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.gateway.files.AttributeChange.TimeChange;
import dev.sluice.gateway.files.FileTree.Child;
import dev.sluice.gateway.files.FileTree.Creation;
import dev.sluice.gateway.files.FileTree.Stability;
import dev.sluice.gateway.posix.SystemCalls;
import dev.sluice.nfs.nfs3.Nfs3Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What different users may do. Only root can be several; elsewhere these tests are skipped. */
@ParameterizedClass
@EnumSource(Ground.class)
class PosixTreeCallerTest {
  private static final Caller OWNER = new Caller(4_001, 4_001);
  private static final Caller STRANGER = new Caller(4_002, 4_002);
  private static final Caller MEMBER = new Caller(4_003, 4_003, 4_001, 4_100);
  private static final int ALL_RIGHTS = 0x3f;

  private final TreeOnGround on;
  private final FileHandle root;

  PosixTreeCallerTest(Ground ground) throws IOException {
    assumeTrue(PosixTree.actsAsCaller(), "only root can act as others");
    on = new TreeOnGround(ground);
    root = on.tree().root();
  }

  @AfterEach
  void closeTree() throws IOException {
    int leftAs = SystemCalls.ofThisThread().changeFileUser(-1);
    on.close();
    assertThat(leftAs).isZero();
  }

  @Test
  void whatACallerMakesIsTheCallersWithTheModeAsked() throws Exception {
    FileHandle shared = shared();
    try (FileNode node = on.open(shared)) {
      Child file = on.tree().create(node, bytes("file"), new Creation.Guarded(mode(0666)), OWNER);
      Child directory = on.tree().makeDirectory(node, bytes("directory"), mode(0777), OWNER);
      Child link = on.tree().makeSymbolicLink(node, bytes("link"), bytes("x"), mode(0777), OWNER);
      for (Child made : new Child[] {file, directory, link}) {
        assertThat(made.attributes().uid()).isEqualTo(OWNER.uid());
        assertThat(made.attributes().gid()).isEqualTo(OWNER.gid());
      }
      assertThat(file.attributes().mode()).isEqualTo(0666);
      assertThat(directory.attributes().mode()).isEqualTo(0777);
    }
  }

  @Test
  void theKernelSaysWhoMayChangeADirectory() throws Exception {
    on.create(root, "file");
    try (FileNode node = on.root();
        FileNode file = on.open(on.lookup(root, "file").handle())) {
      PosixTree tree = on.tree();
      byte[] name = bytes("new");
      Creation how = new Creation.Unchecked(mode(0644));
      assertThat(statusOf(() -> tree.create(node, name, how, STRANGER)))
          .isEqualTo(Nfs3Status.ACCES);
      assertThat(statusOf(() -> tree.makeDirectory(node, name, mode(0755), STRANGER)))
          .isEqualTo(Nfs3Status.ACCES);
      assertThat(statusOf(() -> tree.makeSymbolicLink(node, name, name, mode(0777), STRANGER)))
          .isEqualTo(Nfs3Status.ACCES);
      assertThat(
              statusOf(() -> tree.makeNode(node, name, FileType.FIFO, 0, 0, mode(0600), STRANGER)))
          .isEqualTo(Nfs3Status.ACCES);
      assertThat(statusOf(() -> tree.remove(node, bytes("file"), STRANGER)))
          .isEqualTo(Nfs3Status.ACCES);
      assertThat(statusOf(() -> tree.rename(node, bytes("file"), node, name, STRANGER)))
          .isEqualTo(Nfs3Status.ACCES);
      assertThat(statusOf(() -> tree.link(file, node, name, STRANGER)))
          .isIn(Nfs3Status.ACCES, Nfs3Status.PERM);
      assertThat(on.names(root, 10)).containsExactlyInAnyOrder(".", "..", "file");
    }
  }

  @Test
  void contentsAreForThoseWhoMay() throws Exception {
    FileHandle file = ownersFile(0640);
    on.write(file, 0, bytes("text"));

    assertThat(on.read(file, 0, 9, OWNER)).isEqualTo(bytes("text"));
    assertThat(on.read(file, 0, 9, MEMBER)).isEqualTo(bytes("text"));
    assertThat(statusOf(() -> on.read(file, 0, 9, STRANGER))).isEqualTo(Nfs3Status.ACCES);
    assertThat(statusOf(() -> write(file, OWNER))).isEqualTo(Nfs3Status.OK);
    assertThat(statusOf(() -> write(file, MEMBER))).isEqualTo(Nfs3Status.ACCES);
    assertThat(statusOf(() -> write(file, STRANGER))).isEqualTo(Nfs3Status.ACCES);
    assertThat(statusOf(() -> on.setAttributes(file, size(1), MEMBER))).isEqualTo(Nfs3Status.ACCES);
    assertThat(statusOf(() -> on.setAttributes(file, size(1), OWNER))).isEqualTo(Nfs3Status.OK);
    assertThat(on.attributes(file).size()).isEqualTo(1);
  }

  @Test
  void theOwnerMayAlwaysAndWhoMayExecuteMayRead() throws Exception {
    FileHandle closed = ownersFile(0000);
    assertThat(statusOf(() -> write(closed, OWNER))).isEqualTo(Nfs3Status.OK);
    assertThat(on.read(closed, 0, 1, OWNER)).isEqualTo(bytes("x"));
    assertThat(statusOf(() -> on.setAttributes(closed, size(0), OWNER))).isEqualTo(Nfs3Status.OK);

    on.setAttributes(closed, mode(0711), OWNER);
    assertThat(statusOf(() -> on.read(closed, 0, 1, STRANGER))).isEqualTo(Nfs3Status.OK);
    assertThat(statusOf(() -> write(closed, STRANGER))).isEqualTo(Nfs3Status.ACCES);
  }

  @Test
  void aRightThatIsTakenAwayThroughUsIsGoneAtOnce() throws Exception {
    FileHandle file = ownersFile(0644);
    assertThat(statusOf(() -> on.read(file, 0, 1, STRANGER))).isEqualTo(Nfs3Status.OK);
    on.setAttributes(file, mode(0600), OWNER);
    assertThat(statusOf(() -> on.read(file, 0, 1, STRANGER))).isEqualTo(Nfs3Status.ACCES);

    FileHandle directory = on.makeDirectory(root, "directory");
    on.create(directory, "inner");
    on.lookup(directory, "inner", STRANGER);
    on.setAttributes(directory, mode(0700), Caller.ROOT);
    assertThat(statusOf(() -> on.lookup(directory, "inner", STRANGER))).isEqualTo(Nfs3Status.ACCES);
  }

  @Test
  void aClosedDirectoryIsNeitherSearchedNorListed() throws Exception {
    FileHandle directory = on.makeDirectory(root, "directory");
    FileHandle file = on.create(directory, "file");
    on.setAttributes(directory, mode(0700), Caller.ROOT);

    assertThat(statusOf(() -> on.lookup(directory, "file", STRANGER))).isEqualTo(Nfs3Status.ACCES);
    assertThat(statusOf(() -> on.lookup(directory, "absent", STRANGER)))
        .isEqualTo(Nfs3Status.ACCES);
    try (FileNode node = on.open(directory)) {
      assertThat(statusOf(() -> on.tree().readDirectory(node, 0, (_, _, _) -> true, STRANGER)))
          .isEqualTo(Nfs3Status.ACCES);
    }
    // Attributes are everybody's who has the handle.
    assertThat(on.attributes(file).size()).isZero();
  }

  @Test
  void accessIsWhatTheKernelWouldAllow() throws Exception {
    FileHandle file = ownersFile(0640);
    FileHandle directory = on.makeDirectory(root, "directory");

    assertThat(access(file, OWNER)).isEqualTo(0x0d);
    assertThat(access(file, MEMBER)).isEqualTo(0x01);
    assertThat(access(file, STRANGER)).isZero();
    assertThat(access(directory, STRANGER)).isEqualTo(0x03);
    assertThat(access(directory, Caller.ROOT)).isEqualTo(0x1f);
  }

  @Test
  void attributesAreSetByThoseWhoMay() throws Exception {
    FileHandle file = ownersFile(0666);
    AttributeChange gift = new AttributeChange(null, STRANGER.uid(), null, null, null, null);
    TimeChange past = new TimeChange.To(new Timestamp(1, 0));
    AttributeChange old = new AttributeChange(null, null, null, null, past, past);
    TimeChange now = new TimeChange.Now();
    AttributeChange touch = new AttributeChange(null, null, null, null, now, now);

    assertThat(statusOf(() -> on.setAttributes(file, mode(0600), STRANGER)))
        .isEqualTo(Nfs3Status.PERM);
    assertThat(statusOf(() -> on.setAttributes(file, gift, OWNER))).isEqualTo(Nfs3Status.PERM);
    assertThat(statusOf(() -> on.setAttributes(file, old, STRANGER))).isEqualTo(Nfs3Status.PERM);
    assertThat(statusOf(() -> on.setAttributes(file, touch, STRANGER))).isEqualTo(Nfs3Status.OK);
    assertThat(statusOf(() -> on.setAttributes(file, old, OWNER))).isEqualTo(Nfs3Status.OK);
    on.setAttributes(file, gift, Caller.ROOT);
    assertThat(on.attributes(file).uid()).isEqualTo(STRANGER.uid());
  }

  @Test
  void aStrangersWriteTakesSetIdBitsAway() throws Exception {
    FileHandle file = ownersFile(0666);
    on.setAttributes(file, mode(06777), Caller.ROOT);
    write(file, STRANGER);
    assertThat(on.attributes(file).mode()).isEqualTo(0777);
    on.setAttributes(file, mode(06777), Caller.ROOT);
    on.setAttributes(file, size(0), STRANGER);
    assertThat(on.attributes(file).mode()).isEqualTo(0777);
  }

  @Test
  void onlyRootMakesFilesForOthers() throws Exception {
    FileHandle shared = shared();
    AttributeChange forStranger =
        new AttributeChange(0600, STRANGER.uid(), STRANGER.gid(), null, null, null);
    Creation how = new Creation.Guarded(forStranger);
    try (FileNode node = on.open(shared)) {
      Child byRoot = on.tree().create(node, bytes("a"), how, Caller.ROOT);
      Child byOwner = on.tree().create(node, bytes("b"), how, OWNER);
      assertThat(byRoot.attributes().uid()).isEqualTo(STRANGER.uid());
      assertThat(byRoot.attributes().gid()).isEqualTo(STRANGER.gid());
      assertThat(byOwner.attributes().uid()).isEqualTo(OWNER.uid());
    }
  }

  @Test
  void aFileIsFoundAgainWhoeverAskedBefore() throws Exception {
    FileHandle directory = on.makeDirectory(root, "directory");
    FileHandle file = on.create(directory, "file");
    on.setAttributes(directory, mode(0700), Caller.ROOT);
    on.setAttributes(file, mode(0666), Caller.ROOT);
    on.restart();

    assertThat(statusOf(() -> on.lookup(directory, "file", STRANGER))).isEqualTo(Nfs3Status.ACCES);
    // The handle was given out once; finding the file by it takes root, writing to it does not.
    assertThat(statusOf(() -> write(file, STRANGER))).isEqualTo(Nfs3Status.OK);
  }

  @Test
  void nobodyIsNotTakenForRoot() throws Exception {
    FileHandle file = ownersFile(0600);
    Caller noUser = new Caller(-1, 4_001);
    Caller noGroup = new Caller(4_001, -1);
    assertThat(statusOf(() -> on.read(file, 0, 1, noUser))).isEqualTo(Nfs3Status.ACCES);
    assertThat(statusOf(() -> write(file, noUser))).isEqualTo(Nfs3Status.ACCES);
    assertThat(statusOf(() -> write(file, noGroup))).isEqualTo(Nfs3Status.ACCES);
    assertThatThrownBy(() -> write(file, noUser))
        .hasMessage("user 4294967295 is none that the kernel lets us act as");
    assertThat(statusOf(() -> write(file, OWNER))).isEqualTo(Nfs3Status.OK);
  }

  @Test
  void threadsOfOneProcessAreDifferentUsersAtOnce() throws Exception {
    FileHandle shared = shared();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      var futures = new ArrayList<Future<?>>();
      for (int thread = 0; thread < 4; thread++) {
        Caller caller = new Caller(5_000 + thread, 6_000 + thread, 7_000 + thread);
        futures.add(
            threads.submit(() -> {
              for (int i = 0; i < 300; i++) {
                byte[] name = bytes(caller.uid() + "-" + i);
                try (FileNode node = on.open(shared)) {
                  Creation how = new Creation.Guarded(mode(0600));
                  Attributes made = on.tree().create(node, name, how, caller).attributes();
                  assertThat(made.uid()).isEqualTo(caller.uid());
                  assertThat(made.gid()).isEqualTo(caller.gid());
                }
              }
              return null;
            }));
      }
      for (var future : futures) {
        future.get();
      }
    }
  }

  @Test
  void virtualThreadsAreRefused() throws Exception {
    FileHandle file = ownersFile(0600);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThatThrownBy(() -> threads.submit(() -> on.read(file, 0, 1, OWNER)).get())
          .isInstanceOf(ExecutionException.class)
          .hasRootCauseMessage(
              "a virtual thread changes its kernel thread, and with it who it is:"
                  + " use platform threads");
    }
  }

  @Test
  void theThreadKeepsItsModeMask() throws Exception {
    Path before = Files.createFile(on.state().resolve("before"));
    try (FileNode node = on.open(shared())) {
      Creation how = new Creation.Guarded(mode(0666));
      Child made = on.tree().create(node, bytes("file"), how, OWNER);
      assertThat(made.attributes().mode()).isEqualTo(0666);
    }
    Path after = Files.createFile(on.state().resolve("after"));
    assertThat(Files.getAttribute(after, "unix:mode"))
        .isEqualTo(Files.getAttribute(before, "unix:mode"))
        .isNotEqualTo(0100666);
  }

  /** A directory in which everybody may make files. */
  private FileHandle shared() throws FileException {
    FileHandle directory = on.makeDirectory(root, "shared");
    on.setAttributes(directory, mode(0777), Caller.ROOT);
    return directory;
  }

  private FileHandle ownersFile(int mode) throws FileException {
    FileHandle file = on.create(root, "owners");
    on.setAttributes(
        file, new AttributeChange(mode, OWNER.uid(), OWNER.gid(), null, null, null), Caller.ROOT);
    return file;
  }

  private void write(FileHandle file, Caller caller) throws FileException {
    on.write(file, 0, bytes("x"), Stability.UNSTABLE, caller);
  }

  private int access(FileHandle file, Caller caller) throws FileException {
    try (FileNode node = on.open(file)) {
      return on.tree().access(node, ALL_RIGHTS, caller);
    }
  }
}
