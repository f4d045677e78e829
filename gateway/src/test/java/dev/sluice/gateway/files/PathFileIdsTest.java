package dev.sluice.gateway.files;

import static dev.sluice.gateway.files.TreeOnGround.bytes;
import static dev.sluice.gateway.files.TreeOnGround.statusOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gateway.posix.OpenFlags;
import dev.sluice.gateway.posix.SystemCalls;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PathFileIdsTest {
  private final SystemCalls calls = SystemCalls.ofThisThread();
  private final Path directory;
  private final Path log;
  private final int root;

  PathFileIdsTest(@TempDir Path top) throws IOException {
    directory = Files.createDirectory(top.resolve("tree"));
    log = top.resolve("log");
    root = calls.open(bytes(directory.toString()), OpenFlags.READ_ONLY | OpenFlags.DIRECTORY);
  }

  @AfterEach
  void closeRoot() {
    calls.close(root);
  }

  @Test
  void whatWasSeenIsFoundAgainAfterARestart() throws Exception {
    Files.createDirectory(directory.resolve("inner"));
    Files.createFile(directory.resolve("inner/file"));
    byte[] inner;
    byte[] file;
    try (PathFileIds ids = open(100)) {
      inner = see(ids, "inner");
      int innerDescriptor = ids.open(inner, calls);
      file = ids.at(innerDescriptor, bytes("file"), calls);
      calls.close(innerDescriptor);
      ids.seen(file, inner, bytes("file"));
    }
    try (PathFileIds ids = open(100)) {
      assertThat(opens(ids, file)).isTrue();
      assertThat(ids.size()).isEqualTo(2);
    }
  }

  @Test
  void aFileMovedBehindOurBackIsStaleUntilItIsSeenAgain() throws Exception {
    Files.createFile(directory.resolve("file"));
    try (PathFileIds ids = open(100)) {
      byte[] file = see(ids, "file");
      Files.move(directory.resolve("file"), directory.resolve("moved"));
      assertThat(statusOf(() -> ids.open(file, calls))).isEqualTo(Nfs3Status.STALE);
      Files.createFile(directory.resolve("file"));
      assertThat(statusOf(() -> ids.open(file, calls))).isEqualTo(Nfs3Status.STALE);
      assertThat(see(ids, "moved")).isEqualTo(file);
      assertThat(opens(ids, file)).isTrue();
    }
  }

  @Test
  void ofTooManyFilesTheLeastUsedAreForgotten() throws Exception {
    byte[][] files = new byte[10][];
    try (PathFileIds ids = open(5)) {
      for (int i = 0; i < files.length; i++) {
        Files.createFile(directory.resolve("file" + i));
        files[i] = see(ids, "file" + i);
        assertThat(opens(ids, files[0])).isTrue();
      }
      assertThat(ids.size()).isEqualTo(5);
      assertThat(statusOf(() -> ids.open(files[5], calls))).isEqualTo(Nfs3Status.STALE);
      assertThat(opens(ids, files[9])).isTrue();
    }
    try (PathFileIds ids = open(3)) {
      assertThat(ids.size()).isEqualTo(3);
      assertThat(opens(ids, files[9])).isTrue();
    }
  }

  @Test
  void theLogStaysShortHoweverOftenFilesMove() throws Exception {
    Files.createFile(directory.resolve("file"));
    try (PathFileIds ids = open(100)) {
      byte[] file = see(ids, "file");
      byte[] top = ids.of(root, calls);
      for (int i = 0; i < 50_000; i++) {
        ids.seen(file, top, bytes("name" + i));
      }
      assertThat(Files.size(log)).isLessThan(1 << 20);
      ids.seen(file, top, bytes("file"));
      assertThat(opens(ids, file)).isTrue();
    }
    try (PathFileIds ids = open(100)) {
      assertThat(ids.size()).isEqualTo(1);
      assertThat(Files.size(log)).isLessThan(100);
    }
  }

  @Test
  void aLogThatACrashCutOffHoldsUpToThere() throws Exception {
    byte[][] files = new byte[4][];
    try (PathFileIds ids = open(100)) {
      for (int i = 0; i < files.length; i++) {
        Files.createFile(directory.resolve("file" + i));
        files[i] = see(ids, "file" + i);
      }
    }
    byte[] whole = Files.readAllBytes(log);
    int record = whole.length / files.length;
    for (int length = 0; length <= whole.length; length++) {
      Files.write(log, Arrays.copyOf(whole, length));
      try (PathFileIds ids = open(100)) {
        assertThat(ids.size()).as("cut to %d bytes", length).isEqualTo(length / record);
      }
    }
  }

  @Test
  void aDamagedLogIsNamed() throws Exception {
    try (PathFileIds ids = open(100)) {
      for (int i = 0; i < 4; i++) {
        Files.createFile(directory.resolve("file" + i));
        see(ids, "file" + i);
      }
    }
    byte[] whole = Files.readAllBytes(log);
    SeededCases.forAll(
        100,
        random -> {
          byte[] damaged = whole.clone();
          // Not in the last record, where it may look like a crash.
          damaged[random.nextInt(whole.length / 2)] ^= (byte) (1 << random.nextInt(8));
          Files.write(log, damaged);
          assertThatThrownBy(() -> open(100).close())
              .isInstanceOf(IOException.class)
              .hasMessageContaining(log.toString())
              .hasMessageContaining("record ");
        });
  }

  private PathFileIds open(int filesMax) throws IOException, FileException {
    return PathFileIds.below(root, log, filesMax, calls);
  }

  private byte[] see(PathFileIds ids, String name) throws FileException {
    byte[] id = ids.at(root, bytes(name), calls);
    ids.seen(id, ids.of(root, calls), bytes(name));
    return id;
  }

  private boolean opens(PathFileIds ids, byte[] id) throws FileException {
    int descriptor = ids.open(id, calls);
    try {
      return Arrays.equals(ids.of(descriptor, calls), id);
    } finally {
      calls.close(descriptor);
    }
  }
}
