package dev.sluice.app.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.gateway.config.ConfigurationReader;
import dev.sluice.gateway.config.GatewayConfiguration;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CalibrateCommandTest {
  @TempDir Path directory;

  @Test
  void printsLinesForTheConfigurationAndLeavesNothingBehind() {
    Cli cli = Cli.run("calibrate", "--seconds", "1", "--target", "scratch", directory.toString());
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(directory).isEmptyDirectory();
    GatewayConfiguration read =
        ConfigurationReader.parse(
            "printed", cli.out() + "exports: {/a: {directory: x}}\n", directory);
    assertThat(read.target("scratch").found()).isNull();
    assertThat(read.target("scratch").target().tokensPerSecond()).isGreaterThan(10_000);
  }

  @Test
  void whatIsNoDirectoryIsRefused() {
    Cli cli = Cli.run("calibrate", directory.resolve("none").toString());
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("expected a directory");
  }

  @Test
  void figuresAreRoundedDownToTwoDigits() {
    assertThat(CalibrateCommand.twoDigits(519_999_999)).isEqualTo(510_000_000);
    assertThat(CalibrateCommand.twoDigits(21_321)).isEqualTo(21_000);
    assertThat(CalibrateCommand.twoDigits(7.9)).isEqualTo(7);
    assertThat(CalibrateCommand.twoDigits(0.2)).isEqualTo(1);
  }
}
