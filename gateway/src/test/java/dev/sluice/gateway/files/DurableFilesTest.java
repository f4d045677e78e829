package dev.sluice.gateway.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was forced to disk, in which order, as the virtual machine's own recorder tells. */
class DurableFilesTest {
  @TempDir Path directory;

  @Test
  void aReplacedFileIsOnDiskAndThenItsName() throws Exception {
    Path file = directory.resolve("file");
    Files.writeString(file, "old");
    List<String> forced =
        forced(() -> DurableFiles.replace(file, out -> DurableFiles.writeAll(out, new byte[5])));
    assertThat(forced).containsExactly(directory.resolve(".file.new").toString(), "" + directory);
    assertThat(Files.size(file)).isEqualTo(5);
    assertThat(directory.toFile().list()).containsExactly("file");
  }

  @Test
  void aFileIsMadeOnceAndOnDiskEitherWay() throws Exception {
    Path file = directory.resolve("file");
    assertThat(forced(() -> DurableFiles.make(file, new byte[5])).getLast())
        .isEqualTo("" + directory);
    assertThat(DurableFiles.make(file, new byte[7])).isFalse();
    assertThat(Files.size(file)).isEqualTo(5);
    assertThat(directory.toFile().list()).containsExactly("file");
  }

  @Test
  void theKeyOfHandlesIsOnDiskWithItsName() throws Exception {
    List<String> forced = forced(() -> HandleKey.inDirectory(directory));
    assertThat(forced).hasSize(2).last().isEqualTo("" + directory);
  }

  @Test
  void directoriesAreOnDiskInThoseAboveThem() throws Exception {
    Path deep = directory.resolve("a/b");
    assertThat(forced(() -> DurableFiles.makeDirectories(deep)))
        .containsExactly("" + directory, "" + directory.resolve("a"));
    assertThat(deep).isDirectory();
    assertThat(forced(() -> DurableFiles.makeDirectories(deep))).isEmpty();
  }

  private interface Action {
    void run() throws IOException;
  }

  private List<String> forced(Action action) throws Exception {
    try (Recording recording = new Recording()) {
      recording.enable("jdk.FileForce").withThreshold(Duration.ZERO);
      recording.start();
      action.run();
      recording.stop();
      Path events = directory.resolveSibling(directory.getFileName() + ".jfr");
      recording.dump(events);
      try {
        return RecordingFile.readAllEvents(events).stream()
            .filter(event -> event.getEventType().getName().equals("jdk.FileForce"))
            .sorted(Comparator.comparing(RecordedEvent::getStartTime))
            .map(event -> event.getString("path"))
            .filter(path -> path.startsWith("" + directory))
            .toList();
      } finally {
        Files.delete(events);
      }
    }
  }
}
