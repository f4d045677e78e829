package dev.sluice.app.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.app.Cli;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What packaging/ holds for systemd. */
@Tag("untimed")
class UnitFilesTest {
  private static final Path UNITS = Cli.inTree("packaging/systemd");
  private static final Pattern COMMAND =
      Pattern.compile("(?m)^Exec\\w+=/usr/bin/sluice(?:-node)? ([^$\\n]*)");
  private static final Pattern EXPOSURE = Pattern.compile("exposure level for .*: ([0-9.]+)");

  private static final double EXPOSURE_MAX = 3.0;

  static List<Path> units() throws IOException {
    try (Stream<Path> files = Files.list(UNITS)) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("units")
  void namesCommandsThatThereAre(Path unit) throws IOException {
    String text = Files.readString(unit);
    Matcher matcher = COMMAND.matcher(text);
    int found = 0;
    while (matcher.find()) {
      assertThat(Cli.misunderstood(matcher.group(1).strip().split(" ", -1))).isEmpty();
      found++;
    }
    assertThat(found).isPositive();
    assertThat(text).contains("Type=notify", "WatchdogSec=");
    // With it, quotas would not bind.
    assertThat(text.replaceAll("(?m)^#.*", "")).doesNotContain("CAP_SYS_RESOURCE");
  }

  /** As far as the task allows, by systemd's own count. */
  @ParameterizedTest
  @MethodSource("units")
  void isHardened(Path unit) throws Exception {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(":", -1))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, "systemd-analyze"))),
        "systemd-analyze is not installed");
    Process analysis =
        new ProcessBuilder(
                "systemd-analyze", "security", "--no-pager", "--offline=true", unit.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(analysis.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    analysis.waitFor();
    Matcher matcher = EXPOSURE.matcher(said);
    assertThat(matcher.find()).as(said).isTrue();
    assertThat(Double.parseDouble(matcher.group(1))).as(said).isLessThanOrEqualTo(EXPOSURE_MAX);
  }
}
