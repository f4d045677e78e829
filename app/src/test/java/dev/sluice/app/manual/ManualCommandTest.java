package dev.sluice.app.manual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("untimed")
class ManualCommandTest {
  private static final Set<String> UNDOCUMENTED = Set.of("sluice rehearse", "sluice manual");

  @TempDir Path directory;

  /** Every command that help shows has a page, which speaks of the command as it is installed. */
  @Test
  void everyCommandHasAPage() throws IOException {
    Cli made = Cli.run("manual", directory.toString());
    assertThat(made.exitCode()).as(made.err()).isZero();
    Set<String> commands = new TreeSet<>(Cli.helpTexts().keySet());
    commands.removeAll(UNDOCUMENTED);
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(
              files
                  .map(file -> file.getFileName().toString())
                  .filter(name -> name.endsWith(".1"))
                  .map(name -> name.substring(0, name.length() - 2))
                  .collect(Collectors.toSet()))
          .isEqualTo(
              commands.stream().map(name -> name.replace(' ', '-')).collect(Collectors.toSet()));
    }
    for (String command : commands) {
      String page = Files.readString(directory.resolve(command.replace(' ', '-') + ".1"));
      assertThat(page).contains(".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION");
      assertThat(page).doesNotContain("./sluice");
      assertThat(page.lines().toList()).noneMatch(line -> line.startsWith("'"));
    }
    assertThat(Files.readString(directory.resolve(ManualCommand.COMPLETION)))
        .contains("function _complete_sluice()", "import-exports");
  }

  @Test
  void completionIsBash() throws Exception {
    Cli.run("manual", directory.toString());
    List<String> check =
        List.of("bash", "-n", directory.resolve(ManualCommand.COMPLETION).toString());
    assertThat(new ProcessBuilder(check).inheritIO().start().waitFor()).isZero();
  }
}
