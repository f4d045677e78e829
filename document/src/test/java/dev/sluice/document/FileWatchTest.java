package dev.sluice.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileWatchTest {
  @TempDir Path directory;

  @Test
  void aChangeIsToldOnceAndOnlyWhenItHasComeToRest() throws IOException {
    Path file = directory.resolve("file");
    Files.writeString(file, "a");
    FileWatch watch = new FileWatch(file);
    assertThat(watch.changed()).isFalse();
    Files.writeString(file, "ab");
    assertThat(watch.changed()).as("first look at a change").isFalse();
    Files.writeString(file, "abc");
    assertThat(watch.changed()).as("still being written").isFalse();
    assertThat(watch.changed()).as("at rest").isTrue();
    assertThat(watch.changed()).as("told already").isFalse();
  }

  @Test
  void aFileThatGoesAndComesBackIsAChangeEachTime() throws IOException {
    Path file = directory.resolve("file");
    FileWatch watch = new FileWatch(file);
    Files.writeString(file, "a");
    watch.changed();
    assertThat(watch.changed()).isTrue();
    Files.delete(file);
    watch.changed();
    assertThat(watch.changed()).isTrue();
  }
}
