package dev.sluice.app.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.command.CommandServer;
import dev.sluice.command.RequestHandler;
import dev.sluice.gateway.config.ConfigurationReader;
import dev.sluice.gateway.config.GatewayConfiguration;
import dev.sluice.store.documents.PolicyDocumentReader;
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
  void whatAGatewayHasFoundOutIsPrintedForItsConfigurationAndForDocuments() throws Exception {
    Path socket = directory.resolve("control.sock");
    String found =
        """
        {"targets":[{"name":"disk","tokens_per_operation":16384,"tokens_per_byte":1,\
        "found":{"known":true,"tokens_per_second":42500000,"prices":{"metadata":2.0}}},\
        {"name":"new","tokens_per_operation":16384,"tokens_per_byte":1,\
        "found":{"known":false,"words":"was not used"}},\
        {"name":"told","tokens_per_operation":16384,"tokens_per_byte":1,"found":null},\
        {"name":"ost_io","tokens_per_operation":1,"tokens_per_byte":0,\
        "found":{"known":true,"tokens_per_second":4321}}]}\
        """;
    try (CommandServer _ = new CommandServer(socket, _ -> RequestHandler.Reply.of(found))) {
      Cli config = Cli.run("calibrate", "--socket", socket.toString());
      assertThat(config.out().lines())
          .containsExactly(
              "targets:",
              "  disk:",
              "    capacity: {bandwidth: 42 MB/s, operations: 2.50 kops/s}",
              "  # new: was not used",
              "  # told: its capacity was written, and nothing is found out",
              "  # ost_io is a Lustre service, whose configuration would say capacity: 4.30"
                  + " kops/s");
      Cli document = Cli.run("calibrate", "--resources", "--socket", socket.toString());
      assertThat(document.out().lines())
          .containsExactly(
              "# new: nothing is known that was found out",
              "# told: nothing is known that was found out",
              "# ost_io is a Lustre service: what it can do is no advice for nodes",
              "resources:",
              "  - {operations: data, max: 42 MB/s}",
              "  - {operations: metadata, max: 1.20 kops/s}");
      assertThat(PolicyDocumentReader.read("printed", document.out()).resources()).hasSize(2);
    }
  }

  @Test
  void figuresAreRoundedDownToTwoDigits() {
    assertThat(CalibrateCommand.twoDigits(519_999_999)).isEqualTo(510_000_000);
    assertThat(CalibrateCommand.twoDigits(21_321)).isEqualTo(21_000);
    assertThat(CalibrateCommand.twoDigits(7.9)).isEqualTo(7);
    assertThat(CalibrateCommand.twoDigits(0.2)).isEqualTo(1);
  }
}
