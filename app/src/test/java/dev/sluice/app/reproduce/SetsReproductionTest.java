package dev.sluice.app.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** IO-Sets, SDQPro and PADLL: what the pages say was made by the command, to the byte. */
@Tag("untimed")
class SetsReproductionTest {
  @ParameterizedTest
  @ValueSource(strings = {"iosets", "sdqpro", "padll"})
  void theDocumentedResultsAreWhatTheCommandWrites(String paper, @TempDir Path directory)
      throws IOException {
    Cli cli = Cli.run("reproduce", paper, "--quiet", "--out", directory.toString());
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    try (Stream<Path> files = Files.list(Cli.inTree("docs/reproduce/" + paper))) {
      List<Path> all = files.sorted().toList();
      assertThat(all).isNotEmpty();
      for (Path file : all) {
        assertThat(directory.resolve(String.valueOf(file.getFileName())))
            .as("after a change on purpose: ./sluice reproduce with --out docs/reproduce/" + paper)
            .hasSameTextualContentAs(file);
      }
    }
  }
}
