package dev.sluice.gateway.files;

import static dev.sluice.gateway.files.TreeOnGround.bytes;
import static dev.sluice.gateway.files.TreeOnGround.mode;
import static dev.sluice.gateway.files.TreeOnGround.size;
import static dev.sluice.gateway.files.TreeOnGround.statusOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.core.model.JobId;
import dev.sluice.gateway.files.AttributeChange.TimeChange;
import dev.sluice.gateway.files.FileTree.Child;
import dev.sluice.gateway.files.FileTree.Creation;
import dev.sluice.gateway.files.FileTree.Stability;
import dev.sluice.nfs.nfs3.Nfs3Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Ground.class)
class PosixTreeTest {
  private final TreeOnGround on;
  private final FileHandle root;

  PosixTreeTest(Ground ground) throws IOException {
    on = new TreeOnGround(ground);
    root = on.tree().root();
  }

  @AfterEach
  void closeTree() throws IOException {
    on.tree().checkInvariants();
    on.close();
  }

  @Test
  void contentsAreWrittenAndRead() throws Exception {
    FileHandle file = on.create(root, "file");
    on.write(file, 3, bytes("hello"));
    on.write(file, 100_000, bytes("far"), Stability.FILE_SYNC, Caller.ROOT);
    on.write(file, 3, bytes("H"), Stability.DATA_SYNC, Caller.ROOT);

    assertThat(on.read(file, 0, 8)).isEqualTo(bytes("\0\0\0Hello"));
    assertThat(on.read(file, 99_999, 100)).isEqualTo(bytes("\0far"));
    assertThat(on.read(file, 100_003, 100)).isEmpty();
    assertThat(on.attributes(file).size()).isEqualTo(100_003);
    assertThat(on.exported().resolve("file")).hasSize(100_003);
    try (FileNode node = on.open(file)) {
      on.tree().commit(node, Caller.ROOT);
    }
  }

  @Test
  void attributesAreThoseOfTheFile() throws Exception {
    FileHandle file = on.create(root, "file");
    on.write(file, 0, new byte[10_000]);
    Path local = on.exported().resolve("file");
    Attributes attributes = on.attributes(file);

    assertThat(attributes.type()).isEqualTo(FileType.REGULAR);
    assertThat(attributes.mode()).isEqualTo(0644);
    assertThat(attributes.links()).isEqualTo(1);
    assertThat(attributes.uid()).isEqualTo(Files.getAttribute(local, "unix:uid"));
    assertThat(attributes.gid()).isEqualTo(Files.getAttribute(local, "unix:gid"));
    assertThat(attributes.fileNumber()).isEqualTo(Files.getAttribute(local, "unix:ino"));
    assertThat(attributes.usedBytes()).isBetween(8_192L, 1L << 20);
    assertThat(attributes.modified().seconds() * 1_000_000_000 + attributes.modified().nanos())
        .isEqualTo(Files.getLastModifiedTime(local).to(TimeUnit.NANOSECONDS));
    assertThat(on.attributes(root).type()).isEqualTo(FileType.DIRECTORY);
  }

  @Test
  void handlesSurviveRenamesAndARestart() throws Exception {
    FileHandle outer = on.makeDirectory(root, "outer");
    FileHandle inner = on.makeDirectory(outer, "inner");
    FileHandle file = on.create(inner, "file");
    on.write(file, 0, bytes("kept"));
    on.rename(outer, "inner", root, "moved");
    on.rename(inner, "file", inner, "other");
    on.restart();

    assertThat(on.tree().root()).isEqualTo(root);
    assertThat(on.read(file, 0, 10)).isEqualTo(bytes("kept"));
    assertThat(on.lookup(inner, "other").handle()).isEqualTo(file);
    assertThat(on.lookup(root, "moved").handle()).isEqualTo(inner);
    assertThat(on.exported().resolve("moved/other")).hasContent("kept");
  }

  @Test
  void aRemovedFileIsStaleAndItsSuccessorIsAnother() throws Exception {
    FileHandle file = on.create(root, "file");
    on.write(file, 0, bytes("old"));
    try (FileNode inUse = on.open(file)) {
      on.remove(root, "file");
      ByteBuffer buffer = ByteBuffer.allocateDirect(10);
      assertThat(on.tree().read(inUse, 0, buffer, Caller.ROOT)).isEqualTo(3);
    }
    FileHandle next = on.create(root, "file");

    assertThat(next).isNotEqualTo(file);
    assertThat(statusOf(() -> on.attributes(file))).isEqualTo(Nfs3Status.STALE);
    FileHandle directory = on.makeDirectory(root, "directory");
    on.removeDirectory(root, "directory");
    assertThat(statusOf(() -> on.attributes(directory))).isEqualTo(Nfs3Status.STALE);
    on.create(root, "replacing");
    on.rename(root, "replacing", root, "file");
    assertThat(statusOf(() -> on.attributes(next))).isEqualTo(Nfs3Status.STALE);
  }

  @Test
  void aFileRemovedBehindOurBackIsLetGoOfOnceThatIsSeen() throws Exception {
    FileHandle file = on.create(root, "file");
    on.write(file, 0, bytes("text"));
    int before = on.tree().openDescriptors();
    Files.delete(on.exported().resolve("file"));

    assertThat(on.attributes(file).links()).isZero();
    assertThat(on.tree().openDescriptors()).isLessThan(before);
    assertThat(statusOf(() -> on.attributes(file))).isEqualTo(Nfs3Status.STALE);
  }

  @Test
  void aFileThatLostOneOfItsNamesIsStillThere() throws Exception {
    FileHandle file = on.create(root, "first");
    try (FileNode node = on.open(file);
        FileNode directory = on.root()) {
      on.tree().link(node, directory, bytes("second"), Caller.ROOT);
    }
    assertThat(on.attributes(file).links()).isEqualTo(2);
    on.remove(root, "first");

    assertThat(on.lookup(root, "second").handle()).isEqualTo(file);
    assertThat(on.attributes(file).links()).isEqualTo(1);
  }

  @Test
  void theClaimedJobIsPassedOn() throws Exception {
    JobId job = JobId.of("4711");
    on.makeDirectory(root, "directory");
    FileHandle claimed = on.tree().directory("directory").claimedBy(job);

    assertThat(on.create(claimed, "file").claimedJob()).isEqualTo(job);
    assertThat(on.lookup(claimed, "file").handle().claimedJob()).isEqualTo(job);
    assertThat(on.lookup(claimed, ".").handle().claimedJob()).isEqualTo(job);
    assertThat(on.lookup(claimed, "..").handle().claimedJob()).isEqualTo(job);
    try (FileNode node = on.open(claimed)) {
      assertThat(node.handle().claimedJob()).isEqualTo(job);
      Child listed =
          Objects.requireNonNull(on.tree().childForListing(node, bytes("file"), Caller.ROOT));
      assertThat(listed.handle().claimedJob()).isEqualTo(job);
    }
    assertThat(on.lookup(root, "directory").handle().claimedJob()).isNull();
  }

  @Test
  void noNameLeadsOutOfTheTree() throws Exception {
    FileHandle directory = on.makeDirectory(root, "directory");
    Files.createSymbolicLink(on.exported().resolve("link"), Path.of("/etc"));
    Files.createSymbolicLink(on.exported().resolve("up"), Path.of(".."));

    assertThat(on.lookup(root, "..").handle()).isEqualTo(root);
    assertThat(on.lookup(directory, "..").handle()).isEqualTo(root);
    assertThat(on.lookup(directory, ".").handle()).isEqualTo(directory);
    for (String link : List.of("link", "up")) {
      Child found = on.lookup(root, link);
      assertThat(found.attributes().type()).isEqualTo(FileType.SYMBOLIC_LINK);
      assertThat(statusOf(() -> on.lookup(found.handle(), "passwd"))).isEqualTo(Nfs3Status.NOTDIR);
      assertThat(statusOf(() -> on.read(found.handle(), 0, 10))).isEqualTo(Nfs3Status.INVAL);
      assertThat(statusOf(() -> on.names(found.handle(), 10))).isEqualTo(Nfs3Status.NOTDIR);
      assertThat(statusOf(() -> on.create(found.handle(), "x"))).isEqualTo(Nfs3Status.NOTDIR);
      assertThat(statusOf(() -> on.tree().directory(link))).isEqualTo(Nfs3Status.NOTDIR);
      assertThat(statusOf(() -> on.tree().directory(link + "/state"))).isEqualTo(Nfs3Status.NOTDIR);
    }
    for (String name : List.of("../state", "directory/..", "/etc", "/", "", "a\0b")) {
      assertThat(statusOf(() -> on.lookup(root, name))).as(name).isEqualTo(Nfs3Status.NOENT);
      assertThat(statusOf(() -> on.create(root, name))).as(name).isEqualTo(Nfs3Status.INVAL);
      assertThat(statusOf(() -> on.makeDirectory(root, name))).isEqualTo(Nfs3Status.INVAL);
      assertThat(statusOf(() -> on.remove(root, name))).as(name).isEqualTo(Nfs3Status.INVAL);
      assertThat(statusOf(() -> on.rename(root, "directory", root, name)))
          .isEqualTo(Nfs3Status.INVAL);
    }
    for (String name : List.of(".", "..")) {
      assertThat(statusOf(() -> on.create(directory, name))).isEqualTo(Nfs3Status.EXIST);
      assertThat(statusOf(() -> on.removeDirectory(directory, name))).isEqualTo(Nfs3Status.INVAL);
      assertThat(statusOf(() -> on.rename(directory, name, root, "x"))).isEqualTo(Nfs3Status.INVAL);
      assertThat(statusOf(() -> on.tree().directory(name))).isEqualTo(Nfs3Status.INVAL);
    }
    assertThat(on.state()).exists();
  }

  @Test
  void fromADirectoryThatWasMovedOutNothingLeadsFurther() throws Exception {
    FileHandle directory = on.makeDirectory(root, "directory");
    FileHandle inner = on.makeDirectory(directory, "inner");
    Files.move(on.exported().resolve("directory"), on.state().resolve("directory"));

    assertThat(statusOf(() -> on.lookup(directory, ".."))).isEqualTo(Nfs3Status.STALE);
    assertThat(statusOf(() -> on.lookup(inner, ".."))).isEqualTo(Nfs3Status.STALE);
    try (FileNode node = on.open(inner)) {
      assertThat(on.tree().childForListing(node, bytes(".."), Caller.ROOT)).isNull();
    }
  }

  @Test
  void whatIsMountedBelowIsNotPartOfIt() throws Exception {
    on.makeDirectory(root, "mounted");
    Path mountPoint = on.exported().resolve("mounted");
    assumeTrue(run("mount", "-t", "tmpfs", "sluice", mountPoint.toString()), "cannot mount");
    try {
      Files.createFile(mountPoint.resolve("secret"));
      assertThat(statusOf(() -> on.lookup(root, "mounted"))).isEqualTo(Nfs3Status.ACCES);
      assertThat(statusOf(() -> on.tree().directory("mounted"))).isEqualTo(Nfs3Status.ACCES);
      assertThat(statusOf(() -> on.removeDirectory(root, "mounted"))).isEqualTo(Nfs3Status.ACCES);
      try (FileNode node = on.root()) {
        assertThat(on.tree().childForListing(node, bytes("mounted"), Caller.ROOT)).isNull();
      }
    } finally {
      run("umount", mountPoint.toString());
    }
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
  }

  @Test
  void aLongDirectoryIsListedPageByPage() throws Exception {
    FileHandle directory = on.makeDirectory(root, "directory");
    Set<String> expected = new HashSet<>(Set.of(".", ".."));
    for (int i = 0; i < 3_000; i++) {
      String name = "a-file-with-a-name-of-some-length-" + i;
      Files.createFile(on.exported().resolve("directory").resolve(name));
      expected.add(name);
    }
    for (int pageSize : new int[] {1, 7, 1_000_000}) {
      List<String> names = on.names(directory, pageSize);
      assertThat(names).doesNotHaveDuplicates().hasSameSizeAs(expected);
      assertThat(new HashSet<>(names)).isEqualTo(expected);
    }
  }

  @Test
  void cookiesHoldWhileTheDirectoryChanges() throws Exception {
    Set<String> staying = new HashSet<>();
    for (int i = 0; i < 500; i++) {
      staying.add("staying" + i);
      on.create(root, "staying" + i);
      on.create(root, "going" + i);
    }
    List<String> seen = new ArrayList<>();
    long[] cookie = {0};
    boolean end = false;
    while (!end) {
      int before = seen.size();
      try (FileNode node = on.root()) {
        end =
            on.tree()
                .readDirectory(
                    node,
                    cookie[0],
                    (_, name, next) -> {
                      if (seen.size() == before + 10) {
                        return false;
                      }
                      seen.add(new String(name, StandardCharsets.UTF_8));
                      cookie[0] = next;
                      return true;
                    },
                    Caller.ROOT);
      }
      for (String name : seen.subList(before, seen.size())) {
        if (name.startsWith("going")) {
          on.remove(root, name);
        }
      }
    }
    assertThat(seen).doesNotHaveDuplicates().containsAll(staying);
  }

  @Test
  void theRootIsItsOwnParentInAListing() throws Exception {
    List<Long> numbers = new ArrayList<>();
    try (FileNode node = on.root()) {
      on.tree()
          .readDirectory(
              node,
              0,
              (number, _, _) -> {
                numbers.add(number);
                return true;
              },
              Caller.ROOT);
    }
    long rootNumber = on.attributes(root).fileNumber();
    assertThat(numbers).containsExactly(rootNumber, rootNumber);
  }

  @Test
  void creatingTreatsWhatIsThereAsAsked() throws Exception {
    try (FileNode node = on.root()) {
      PosixTree tree = on.tree();
      Child made =
          tree.create(node, bytes("file"), new Creation.Unchecked(mode(0640)), Caller.ROOT);
      assertThat(made.attributes().mode()).isEqualTo(0640);
      on.write(made.handle(), 0, bytes("content"));

      Child again =
          tree.create(node, bytes("file"), new Creation.Unchecked(mode(0600)), Caller.ROOT);
      assertThat(again.handle()).isEqualTo(made.handle());
      assertThat(again.attributes().mode()).isEqualTo(0640);
      assertThat(again.attributes().size()).isEqualTo(7);
      Child cut = tree.create(node, bytes("file"), new Creation.Unchecked(size(2)), Caller.ROOT);
      assertThat(cut.attributes().size()).isEqualTo(2);
      assertThat(on.read(made.handle(), 0, 10)).isEqualTo(bytes("co"));

      Creation guarded = new Creation.Guarded(AttributeChange.NOTHING);
      assertThat(statusOf(() -> tree.create(node, bytes("file"), guarded, Caller.ROOT)))
          .isEqualTo(Nfs3Status.EXIST);
      on.makeDirectory(root, "directory");
      Creation unchecked = new Creation.Unchecked(AttributeChange.NOTHING);
      assertThat(statusOf(() -> tree.create(node, bytes("directory"), unchecked, Caller.ROOT)))
          .isEqualTo(Nfs3Status.EXIST);
    }
  }

  @Test
  void anExclusiveCreationCanBeRepeatedByItsMakerOnly() throws Exception {
    try (FileNode node = on.root()) {
      PosixTree tree = on.tree();
      Creation mine = new Creation.Exclusive(0x8123_4567_89ab_cdefL);
      Creation others = new Creation.Exclusive(0x8123_4567_89ab_cdeeL);
      FileHandle made = tree.create(node, bytes("file"), mine, Caller.ROOT).handle();

      assertThat(tree.create(node, bytes("file"), mine, Caller.ROOT).handle()).isEqualTo(made);
      assertThat(statusOf(() -> tree.create(node, bytes("file"), others, Caller.ROOT)))
          .isEqualTo(Nfs3Status.EXIST);
    }
  }

  @Test
  void attributesAreSet() throws Exception {
    FileHandle file = on.create(root, "file");
    on.write(file, 0, bytes("content"));
    TimeChange accessed = new TimeChange.To(new Timestamp(1_000_000_000L, 123));
    TimeChange modified = new TimeChange.To(new Timestamp(4_000_000_000L, 456));
    on.setAttributes(
        file, new AttributeChange(06711, null, null, 3L, accessed, modified), Caller.ROOT);

    Attributes set = on.attributes(file);
    assertThat(set.mode()).isEqualTo(06711);
    assertThat(set.size()).isEqualTo(3);
    assertThat(set.accessed()).isEqualTo(new Timestamp(1_000_000_000L, 123));
    assertThat(set.modified()).isEqualTo(new Timestamp(4_000_000_000L, 456));

    on.setAttributes(
        file, new AttributeChange(null, null, null, null, null, new TimeChange.Now()), Caller.ROOT);
    Attributes touched = on.attributes(file);
    assertThat(touched.accessed()).isEqualTo(set.accessed());
    assertThat(touched.modified().seconds())
        .isGreaterThan(1_600_000_000L)
        .isLessThan(4_000_000_000L);
    on.setAttributes(file, size(10), Caller.ROOT);
    assertThat(on.read(file, 0, 20)).isEqualTo(bytes("con\0\0\0\0\0\0\0"));
  }

  @Test
  void attributesThatCannotBeAreRefused() throws Exception {
    FileHandle file = on.create(root, "file");
    // UTIME_NOW: to the kernel not a number of nanoseconds at all.
    TimeChange odd = new TimeChange.To(new Timestamp(1, 0x3fff_ffff));
    assertThat(
            statusOf(() ->
                on.setAttributes(
                    file, new AttributeChange(null, null, null, null, odd, null), Caller.ROOT)))
        .isEqualTo(Nfs3Status.INVAL);
    assertThat(statusOf(() -> on.setAttributes(file, size(-1), Caller.ROOT)))
        .isEqualTo(Nfs3Status.FBIG);
    assertThat(statusOf(() -> on.setAttributes(root, size(0), Caller.ROOT)))
        .isEqualTo(Nfs3Status.ISDIR);
  }

  @Test
  void linksAndSpecialFilesAreMade() throws Exception {
    try (FileNode node = on.root()) {
      PosixTree tree = on.tree();
      byte[] content = bytes("../some/where else");
      Child link = tree.makeSymbolicLink(node, bytes("link"), content, mode(0777), Caller.ROOT);
      assertThat(link.attributes().type()).isEqualTo(FileType.SYMBOLIC_LINK);
      try (FileNode opened = on.open(link.handle());
          FileNode directory = on.root()) {
        assertThat(tree.readLink(opened, Caller.ROOT)).isEqualTo(content);
        tree.link(opened, directory, bytes("same link"), Caller.ROOT);
        assertThat(Files.readSymbolicLink(on.exported().resolve("same link")))
            .hasToString("../some/where else");
      }
      for (FileType type : List.of(FileType.FIFO, FileType.SOCKET)) {
        byte[] name = bytes(type.name());
        Child made = tree.makeNode(node, name, type, 0, 0, mode(0622), Caller.ROOT);
        assertThat(made.attributes().type()).isEqualTo(type);
        assertThat(made.attributes().mode()).isEqualTo(0622);
        assertThat(statusOf(() -> on.read(made.handle(), 0, 1))).isEqualTo(Nfs3Status.INVAL);
        assertThat(statusOf(() -> on.write(made.handle(), 0, bytes("x"))))
            .isEqualTo(Nfs3Status.INVAL);
      }
      byte[] regular = bytes("regular");
      assertThat(
              statusOf(() ->
                  tree.makeNode(node, regular, FileType.REGULAR, 0, 0, mode(0600), Caller.ROOT)))
          .isEqualTo(Nfs3Status.BADTYPE);
      byte[] cutOff = bytes("a\0b");
      assertThat(
              statusOf(() -> tree.makeSymbolicLink(node, regular, cutOff, mode(0777), Caller.ROOT)))
          .isEqualTo(Nfs3Status.INVAL);
    }
  }

  @Test
  void devicesAreMadeByRootWithTheirNumbers() throws Exception {
    assumeTrue(PosixTree.actsAsCaller(), "only root makes devices");
    try (FileNode node = on.root()) {
      Child made =
          on.tree()
              .makeNode(
                  node,
                  bytes("device"),
                  FileType.CHARACTER_DEVICE,
                  0x123,
                  0x45678,
                  mode(0600),
                  Caller.ROOT);
      assertThat(made.attributes().type()).isEqualTo(FileType.CHARACTER_DEVICE);
      assertThat(made.attributes().deviceMajor()).isEqualTo(0x123);
      assertThat(made.attributes().deviceMinor()).isEqualTo(0x45678);
    }
  }

  @Test
  void eachRefusalHasItsStatus() throws Exception {
    FileHandle directory = on.makeDirectory(root, "directory");
    FileHandle file = on.create(directory, "file");
    on.makeDirectory(root, "empty");

    assertThat(statusOf(() -> on.lookup(root, "absent"))).isEqualTo(Nfs3Status.NOENT);
    assertThat(statusOf(() -> on.lookup(root, "x".repeat(256)))).isEqualTo(Nfs3Status.NAMETOOLONG);
    assertThat(statusOf(() -> on.lookup(root, "x".repeat(5_000))))
        .isEqualTo(Nfs3Status.NAMETOOLONG);
    assertThat(statusOf(() -> on.lookup(file, "x"))).isEqualTo(Nfs3Status.NOTDIR);
    assertThat(statusOf(() -> on.remove(root, "absent"))).isEqualTo(Nfs3Status.NOENT);
    assertThat(statusOf(() -> on.remove(root, "directory"))).isEqualTo(Nfs3Status.ISDIR);
    assertThat(statusOf(() -> on.removeDirectory(root, "directory")))
        .isEqualTo(Nfs3Status.NOTEMPTY);
    assertThat(statusOf(() -> on.removeDirectory(directory, "file"))).isEqualTo(Nfs3Status.NOTDIR);
    assertThat(statusOf(() -> on.makeDirectory(root, "directory"))).isEqualTo(Nfs3Status.EXIST);
    assertThat(statusOf(() -> on.rename(root, "directory", directory, "x")))
        .isEqualTo(Nfs3Status.INVAL);
    assertThat(statusOf(() -> on.rename(root, "empty", root, "directory")))
        .isEqualTo(Nfs3Status.NOTEMPTY);
    assertThat(statusOf(() -> on.rename(directory, "file", root, "empty")))
        .isEqualTo(Nfs3Status.ISDIR);
    assertThat(statusOf(() -> on.rename(root, "absent", root, "x"))).isEqualTo(Nfs3Status.NOENT);
    assertThat(statusOf(() -> on.read(directory, 0, 1))).isEqualTo(Nfs3Status.ISDIR);
    assertThat(statusOf(() -> on.write(directory, 0, bytes("x")))).isEqualTo(Nfs3Status.ISDIR);
    assertThat(statusOf(() -> on.write(file, -1, bytes("x")))).isEqualTo(Nfs3Status.FBIG);
    assertThat(statusOf(() -> on.write(file, Long.MAX_VALUE, bytes("x"))))
        .isEqualTo(Nfs3Status.FBIG);
    assertThat(on.read(file, -1, 1)).isEmpty();
    assertThat(on.read(file, Long.MAX_VALUE, 1)).isEmpty();
    try (FileNode node = on.open(file);
        FileNode target = on.root();
        FileNode whole = on.open(directory)) {
      assertThat(statusOf(() -> on.tree().readLink(node, Caller.ROOT))).isEqualTo(Nfs3Status.INVAL);
      assertThat(statusOf(() -> on.tree().link(whole, target, bytes("x"), Caller.ROOT)))
          .isEqualTo(Nfs3Status.ISDIR);
      assertThat(statusOf(() -> on.tree().link(node, target, bytes("empty"), Caller.ROOT)))
          .isEqualTo(Nfs3Status.EXIST);
    }
    FileHandle foreign = new FileHandle(TreeOnGround.EXPORT + 1, null, root.fileId());
    assertThat(statusOf(() -> on.attributes(foreign))).isEqualTo(Nfs3Status.STALE);
    FileHandle noise = new FileHandle(TreeOnGround.EXPORT, null, new byte[] {(byte) 0xff, 3});
    assertThat(statusOf(() -> on.attributes(noise))).isEqualTo(Nfs3Status.STALE);
    FileHandle odd = new FileHandle(TreeOnGround.EXPORT, null, new byte[] {1, 2, 3});
    assertThat(statusOf(() -> on.attributes(odd))).isEqualTo(Nfs3Status.STALE);
  }

  @Test
  void mountPathsNameDirectories() throws Exception {
    FileHandle directory = on.makeDirectory(root, "directory");
    FileHandle inner = on.makeDirectory(directory, "ünner");
    on.create(inner, "file");

    assertThat(on.tree().directory("")).isEqualTo(root);
    assertThat(on.tree().directory("/directory//ünner/")).isEqualTo(inner);
    assertThat(statusOf(() -> on.tree().directory("directory/absent"))).isEqualTo(Nfs3Status.NOENT);
    assertThat(statusOf(() -> on.tree().directory("directory/ünner/file")))
        .isEqualTo(Nfs3Status.NOTDIR);
  }

  @Test
  void theSpaceIsThatOfTheFileSystem() throws Exception {
    try (FileNode node = on.root()) {
      FileTree.Space space = on.tree().space(node);
      assertThat(space.totalBytes()).isEqualTo(Files.getFileStore(on.exported()).getTotalSpace());
      assertThat(space.freeBytes()).isBetween(1L, space.totalBytes());
      assertThat(space.availableBytes()).isBetween(1L, space.freeBytes());
      assertThat(space.freeFiles()).isBetween(1L, space.totalFiles());
      assertThat(space.nameBytesMax()).isEqualTo(255);
    }
  }

  @Test
  void theWriteVerifierIsAnotherAfterARestart() throws Exception {
    long before = on.tree().writeVerifier();
    assertThat(on.tree().writeVerifier()).isEqualTo(before);
    on.restart();
    assertThat(on.tree().writeVerifier()).isNotEqualTo(before);
  }

  @Test
  void aDirectoryThatIsNoneIsRefused() throws Exception {
    Path file = Files.createFile(on.state().resolve("file"));
    assertThatThrownBy(() -> PosixTree.open(1, file, on.state(), 10))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file + " cannot be opened as a directory");
    assertThatThrownBy(() -> PosixTree.open(1, on.state().resolve("absent"), on.state(), 10))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("absent");
  }

  @Test
  void heapBuffersAreRefused() throws Exception {
    FileHandle file = on.create(root, "file");
    try (FileNode node = on.open(file)) {
      assertThatThrownBy(() -> on.tree().read(node, 0, ByteBuffer.allocate(10), Caller.ROOT))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("direct buffers only");
    }
  }
}
