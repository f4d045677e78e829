package dev.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.document.DocumentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportNumbersTest {
  private static final Path A = Path.of("/srv/a");
  private static final Path B = Path.of("/srv/b \"quoted\"");

  @TempDir Path directory;

  @Test
  void aNumberIsForAPathAndADirectoryForEver() throws IOException {
    ExportNumbers numbers = new ExportNumbers(directory);
    int scratch = numbers.of("/scratch", A);
    int moved = numbers.of("/scratch", B);
    assertThat(moved).isNotEqualTo(scratch);
    assertThat(numbers.of("/scratch", A)).isEqualTo(scratch);
    ExportNumbers later = new ExportNumbers(directory);
    assertThat(later.of("/scratch", B)).isEqualTo(moved);
    assertThat(later.of("/scratch", A)).isEqualTo(scratch);
    assertThat(later.of("/new", A)).isNotIn(scratch, moved);
  }

  @Test
  void aSpoiltFileIsRefusedRatherThanOverwritten() throws IOException {
    Path file = directory.resolve("exports.json");
    Files.writeString(file, "{\"exports\":[{\"number\":1,\"path\":\"/a\"");
    assertThatThrownBy(() -> new ExportNumbers(directory)).isInstanceOf(DocumentException.class);
    Files.writeString(
        file,
        """
        {"exports": [{"number": 1, "path": "/a", "directory": "/x"},
                     {"number": 1, "path": "/b", "directory": "/y"}]}
        """);
    assertThatThrownBy(() -> new ExportNumbers(directory))
        .hasMessageContaining("a number of its own");
  }
}
