package dev.sluice.app.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("untimed")
class ExamplesTest {
  /** Takes minutes and belongs to ./sluice bench sim; that it can be read is tested elsewhere. */
  private static final Set<String> TOO_LARGE = Set.of("large-site.yaml");

  static Stream<String> examples() throws IOException {
    try (Stream<Path> files = Files.list(Cli.inTree("examples/scenarios"))) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.endsWith(".yaml") && !TOO_LARGE.contains(name))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyExampleRunsUnderItsPolicies(String name, @TempDir Path directory) {
    Path file = Cli.inTree("examples/scenarios").resolve(name);
    Cli cli = Cli.run("sim", "--quiet", "--out", directory.toString(), file.toString());
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).contains("Policies compared").contains("Each job under each policy");
    assertThat(directory.resolve("report.html")).isNotEmptyFile();
    assertThat(directory.resolve("result.json")).isNotEmptyFile();
  }
}
