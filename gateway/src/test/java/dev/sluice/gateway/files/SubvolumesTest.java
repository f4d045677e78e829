package dev.sluice.gateway.files;

import static dev.sluice.gateway.files.TreeOnGround.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.gateway.files.FileTree.Child;
import dev.sluice.gateway.files.PosixTree.Identification;
import dev.sluice.nfs.nfs3.Nfs3Status;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A btrfs with subvolumes and snapshots. Skipped where none can be made and mounted. */
class SubvolumesTest {
  private static final long IMAGE_BYTES = 256L << 20;

  @TempDir Path temporary;
  private Path mounted;
  private Path exported;
  private boolean isMounted;
  private @Nullable PosixTree tree;

  @BeforeEach
  void mount() throws Exception {
    assumeTrue(PosixTree.actsAsCaller(), "only root can mount");
    assumeTrue(succeeds("mkfs.btrfs", "--version"), "btrfs-progs are not installed");
    Path image = temporary.resolve("image");
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(IMAGE_BYTES);
    }
    mounted = Files.createDirectory(temporary.resolve("mounted"));
    assumeTrue(succeeds("mkfs.btrfs", "-q", image.toString()), "mkfs.btrfs failed");
    isMounted = succeeds("mount", "-o", "loop", image.toString(), mounted.toString());
    assumeTrue(isMounted, "a btrfs in a file cannot be mounted here");

    exported = mounted.resolve("exported");
    run("btrfs", "subvolume", "create", exported.toString());
    Path nested = exported.resolve("nested");
    run("btrfs", "subvolume", "create", nested.toString());
    Files.createDirectory(nested.resolve("directory"));
    Files.writeString(nested.resolve("directory/file"), "original");
    run("btrfs", "subvolume", "snapshot", nested.toString(), exported + "/snapshot");
    Files.writeString(exported.resolve("snapshot/directory/file"), "snapshot");
  }

  @AfterEach
  void unmount() throws Exception {
    if (tree != null) {
      tree.close();
    }
    if (isMounted) {
      run("umount", mounted.toString());
    }
  }

  @ParameterizedTest
  @EnumSource
  void filesOfAllSubvolumesAreToldApart(Identification identification) throws Exception {
    PosixTree before = open(identification);
    Map<String, Child> found = all(before);
    Set<Long> numbers = new HashSet<>();
    Set<FileHandle> handles = new HashSet<>();
    found.forEach((path, child) -> {
      assertThat(numbers.add(child.attributes().fileNumber())).as(path).isTrue();
      assertThat(handles.add(child.handle())).as(path).isTrue();
      assertThat(child.attributes().fileSystem()).as(path).isEqualTo(1);
    });
    assertThat(found).hasSize(7);

    before.close();
    PosixTree after = open(identification);
    for (Map.Entry<String, Child> entry : found.entrySet()) {
      try (FileNode node = after.open(entry.getValue().handle())) {
        assertThat(after.attributes(node).fileNumber())
            .as(entry.getKey())
            .isEqualTo(entry.getValue().attributes().fileNumber());
        assertThat(after.attributes(node).size()).isEqualTo(entry.getValue().attributes().size());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void listingsHaveTheNumbersThatFilesHave(Identification identification) throws Exception {
    PosixTree open = open(identification);
    FileHandle nested = look(open, open.root(), "nested").handle();
    FileHandle directory = look(open, nested, "directory").handle();
    Map<String, Long> listed = new HashMap<>();
    try (FileNode node = open.open(directory)) {
      open.readDirectory(
          node,
          0,
          (number, name, _) -> {
            listed.put(new String(name, StandardCharsets.UTF_8), number);
            return true;
          },
          Caller.ROOT);
    }
    assertThat(listed.get("file"))
        .isEqualTo(look(open, directory, "file").attributes().fileNumber());
    assertThat(listed.get("."))
        .isEqualTo(look(open, nested, "directory").attributes().fileNumber());
  }

  /** All roots of subvolumes have one number, also the one above all. */
  @ParameterizedTest
  @EnumSource
  void whatWasMovedOutOfTheTreeDoesNotLeadOutOfIt(Identification identification) throws Exception {
    PosixTree open = open(identification);
    FileHandle nested = look(open, open.root(), "nested").handle();
    FileHandle directory = look(open, nested, "directory").handle();
    assertThat(look(open, directory, "..").handle()).isEqualTo(nested);
    assertThat(look(open, nested, "..").handle()).isEqualTo(open.root());

    Files.move(exported.resolve("nested"), mounted.resolve("nested"));
    for (FileHandle moved : List.of(nested, directory)) {
      assertThatThrownBy(() -> look(open, moved, ".."))
          .isInstanceOfSatisfying(
              FileException.class, e -> assertThat(e.status()).isEqualTo(Nfs3Status.STALE));
    }
  }

  /** What CLONE asks for, which this file system can. */
  @ParameterizedTest
  @EnumSource
  void contentsAreSharedUntilTheyAreWrittenTo(Identification identification) throws Exception {
    PosixTree open = open(identification);
    byte[] content = new byte[1 << 16];
    Arrays.fill(content, (byte) 7);
    Files.write(exported.resolve("nested/from"), content);
    Files.createFile(exported.resolve("nested/to"));
    FileHandle nested = look(open, open.root(), "nested").handle();
    try (FileNode from = open.open(look(open, nested, "from").handle());
        FileNode to = open.open(look(open, nested, "to").handle())) {
      open.extents().share(from, 0, to, 0, 0, Caller.ROOT);
      assertThat(exported.resolve("nested/to")).hasBinaryContent(content);
      open.extents().share(from, 0, to, 1 << 16, 4_096, Caller.ROOT);
      assertThat(Files.size(exported.resolve("nested/to"))).isEqualTo((1 << 16) + 4_096);
      assertThat(TreeOnGround.statusOf(() -> open.extents().share(from, 1, to, 0, 5, Caller.ROOT)))
          .as("not in whole blocks")
          .isEqualTo(Nfs3Status.INVAL);
    }
  }

  private PosixTree open(Identification identification) throws IOException {
    Path state = Files.createDirectories(temporary.resolve("state"));
    PosixTree opened = PosixTree.open(1, exported, state, 64, identification);
    tree = opened;
    return opened;
  }

  /** All files below the root, and the root. */
  private static Map<String, Child> all(PosixTree tree) throws FileException {
    Map<String, Child> found = new HashMap<>();
    found.put("", look(tree, tree.root(), "."));
    List<String> paths = new ArrayList<>();
    for (String subvolume : List.of("nested", "snapshot")) {
      paths.addAll(List.of(subvolume, subvolume + "/directory", subvolume + "/directory/file"));
    }
    for (String path : paths) {
      FileHandle at = tree.root();
      Child child = null;
      for (String name : path.split("/", -1)) {
        child = look(tree, at, name);
        at = child.handle();
      }
      if (child != null) {
        found.put(path, child);
      }
    }
    return found;
  }

  private static Child look(PosixTree tree, FileHandle directory, String name)
      throws FileException {
    try (FileNode node = tree.open(directory)) {
      return tree.lookup(node, bytes(name), Caller.ROOT);
    }
  }

  private static void run(String... command) throws Exception {
    assertThat(succeeds(command)).as(String.join(" ", command)).isTrue();
  }

  private static boolean succeeds(String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException notInstalled) {
      return false;
    }
  }
}
