package dev.sluice.app.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who did what with keys, as {@code ./sluice audit} shows it. */
@Tag("untimed")
class AuditCommandTest {
  @TempDir private Path directory;

  private void keys(String... arguments) {
    String[] all = new String[arguments.length + 3];
    all[0] = "keys";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[arguments.length + 1] = "--keys";
    all[arguments.length + 2] = directory.resolve("keys").toString();
    Cli done = Cli.run(all);
    assertThat(done.exitCode()).as(done.err()).isZero();
  }

  private Cli audit(String... more) {
    String[] all = new String[more.length + 2];
    all[0] = "audit";
    all[1] = directory.resolve("keys").toString();
    System.arraycopy(more, 0, all, 2, more.length);
    return Cli.run(all);
  }

  @Test
  void showsWhatWasDoneWithKeysAndWhoTamperedWithIt() throws IOException {
    keys("init");
    keys("node", "n1", "--token", "--for", "8h");
    keys("token", "operate", "anna");
    keys("assign", "rack-1", "--aggregates", "n[1-4]");
    keys("revoke", "n1");

    Cli all = audit();
    assertThat(all.exitCode()).as(all.err()).isZero();
    String user = System.getProperty("user.name");
    assertThat(all.out())
        .contains("  keys  " + user)
        .contains(": made an authority")
        .contains(": token of node n1 for 8h")
        .contains(": token of anna to operate")
        .contains(": rack-1 is aggregator of n[1-4]")
        .contains(": revoked n1")
        .contains(": 5 records, and all fit")
        .doesNotContain("sluice_");
    assertThat(audit("--last", "1").out().lines().toList()).hasSize(2);
    assertThat(audit("--json").out().lines().toList())
        .hasSize(5)
        .allMatch(line -> line.startsWith("{\"log\":") && line.contains("\"seal\":"));

    Path log = directory.resolve("keys").resolve("audit.log");
    Files.writeString(log, Files.readString(log).replace("anna", "berta"));
    Cli changed = audit();
    assertThat(changed.exitCode()).isEqualTo(1);
    assertThat(changed.err())
        .contains(log + ":3: record 3: its seal does not fit: it was changed, or written without");
    assertThat(Cli.run("audit", directory.toString()).err())
        .contains("expected a directory with an audit.log");
  }
}
