package dev.sluice.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputDirectoryTest {
  @TempDir Path top;

  @Test
  void filesGetTheirNamesTogether() throws IOException {
    Path place = top.resolve("a/b");
    OutputDirectory directory = OutputDirectory.at(place.toString());
    directory.write("one", out -> out.append("1"));
    directory.write("two", out -> out.append("2"));
    assertThat(names(place)).allMatch(name -> name.startsWith("."));
    assertThat(directory.isPublished()).isFalse();
    directory.publish();
    assertThat(directory.isPublished()).isTrue();
    assertThat(names(place)).containsExactly("one", "two");
    assertThat(place.resolve("two")).hasContent("2");
  }

  @Test
  void whatIsAbandonedLeavesNothingAndKeepsWhatWasThere() throws IOException {
    Files.writeString(top.resolve("one"), "before");
    OutputDirectory directory = OutputDirectory.at(top.toString());
    directory.write("one", out -> out.append("after"));
    directory.abandon();
    directory.write("two", out -> out.append("too late"));
    directory.publish();
    assertThat(names(top)).containsExactly("one");
    assertThat(top.resolve("one")).hasContent("before");
  }

  @Test
  void aFileThatCannotBeWrittenTakesTheOthersWithIt() throws IOException {
    OutputDirectory directory = OutputDirectory.at(top.toString());
    directory.write("one", out -> out.append("1"));
    assertThatThrownBy(() ->
            directory.write(
                "two",
                out -> {
                  throw new IOException("No space left on device");
                }))
        .isInstanceOf(FailedException.class)
        .hasMessage(top.resolve("two") + ": cannot be written: No space left on device");
    assertThat(names(top)).isEmpty();
  }

  @Test
  void aFileInTheWayIsNamed() throws IOException {
    Path file = Files.writeString(top.resolve("file"), "");
    assertThatThrownBy(() -> OutputDirectory.at(file.toString()))
        .isInstanceOf(FailedException.class)
        .hasMessage(file + ": expected a directory, but a file has this name");
  }

  private static List<String> names(Path directory) throws IOException {
    try (var files = Files.list(directory)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }
}
