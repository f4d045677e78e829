package dev.sluice.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.gateway.config.ConfigurationReader;
import dev.sluice.gateway.config.ExportConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("untimed")
class ImportExportsCommandTest {
  @TempDir private Path directory;

  @Test
  void whatItPrintsIsAConfiguration() throws Exception {
    Path exports =
        Files.writeString(directory.resolve("exports"), "/srv/a 10.1.0.0/16(rw,async)\n");
    Path more = Files.createDirectory(directory.resolve("exports.d"));
    Files.writeString(more.resolve("b.exports"), "/srv/c *(ro)\n");
    Files.writeString(more.resolve("a.exports"), "/srv/b localhost(rw)\n");
    Files.writeString(more.resolve("notes"), "not an export\n");
    Files.writeString(more.resolve(".hidden.exports"), "nor this\n");

    Cli cli = Cli.run("import-exports", exports.toString(), more.toString());

    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).contains("# " + exports + ":1:8: async: ");
    assertThat(
            ConfigurationReader.parse("sluice.yaml", cli.out(), directory).exports().stream()
                .map(ExportConfiguration::path))
        .containsExactly("/srv/a", "/srv/b", "/srv/c");
  }

  @Test
  void whatCannotBeReadIsRefusedInALineAndNothingIsPrinted() throws Exception {
    Path exports = Files.writeString(directory.resolve("exports"), "/srv *(ro)\n/home *(rv)\n");
    Cli cli = Cli.run("import-exports", exports.toString());
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.out()).isEmpty();
    assertThat(cli.err()).startsWith(exports + ":2:9: \"rv\": expected an option of exports(5)");

    Cli missing = Cli.run("import-exports", directory.resolve("nothing").toString());
    assertThat(missing.exitCode()).isEqualTo(2);
    assertThat(missing.err()).contains("no such file");

    Path empty = Files.writeString(directory.resolve("empty"), "# nothing\n");
    assertThat(Cli.run("import-exports", empty.toString()).err()).contains("nothing is exported");
  }

  @Test
  void membersOfNetgroupsAreReadFromWhatGetentSays() {
    assertThat(
            SystemHostNames.hosts(
                "nodes                 (node1,-,example.org) ( node2, , ) (,alice,) (-,bob,)\n"))
        .containsExactly("node1", "node2");
    assertThat(SystemHostNames.hosts("")).isEmpty();
  }
}
