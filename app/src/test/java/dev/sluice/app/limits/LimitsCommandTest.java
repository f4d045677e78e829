package dev.sluice.app.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.access.Audit;
import dev.sluice.access.AuditLog;
import dev.sluice.app.Cli;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.ledger.LedgerLocation;
import dev.sluice.store.api.DocumentRoutes;
import dev.sluice.store.api.PromiseKeepers;
import dev.sluice.store.documents.CurrentDocument;
import dev.sluice.store.documents.DocumentHistory;
import dev.sluice.store.documents.PresentJob;
import dev.sluice.store.keys.AccessFile;
import dev.sluice.store.keys.KeyDirectory;
import dev.sluice.store.keys.TlsContexts;
import dev.sluice.web.server.HttpEndpoint;
import dev.sluice.web.server.HttpSettings;
import dev.sluice.web.server.Routes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands against a real server, over TLS and with tokens that {@code keys} made. */
@Tag("untimed")
class LimitsCommandTest {
  private static final List<PresentJob> PRESENT =
      List.of(new PresentJob(JobId.of("4711"), "backup"));

  private static final PromiseKeepers KEEPERS =
      new PromiseKeepers(List.of(new Target("home/disk", 100_000_000, TokenUnit.BYTES)), null);

  /** A Monday at noon. */
  private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");

  @TempDir private static Path shared;

  private static KeyDirectory keys = new KeyDirectory(Path.of("/nowhere"));
  private static @Nullable HttpEndpoint server;
  private static @Nullable DocumentHistory history;
  private static @Nullable CurrentDocument current;

  @TempDir private Path directory;

  private Path file = Path.of("/nowhere");

  @BeforeAll
  static void start() throws IOException {
    keys = new KeyDirectory(shared.resolve("keys"));
    keys.make(List.of());
    Files.writeString(shared.resolve("admin"), keys.addToken("anna", "admin", null, NOW).reveal());
    Files.writeString(shared.resolve("read"), keys.addToken("rita", "read", null, NOW).reveal());
    history = new DocumentHistory(new LedgerLocation.SqliteFile(shared.resolve("store.db")));
    current = new CurrentDocument(history);
    Routes routes = new Routes();
    Audit audit = new AuditLog(shared, () -> NOW, _ -> {});
    new DocumentRoutes(history, current, () -> PRESENT, () -> KEEPERS, audit, () -> NOW)
        .addTo(routes);
    server =
        new HttpEndpoint(
            new HttpSettings(
                new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0),
                Set.of(),
                TlsContexts.mutual(
                    keys.certificate(KeyDirectory.CONTROLLER),
                    keys.key(KeyDirectory.CONTROLLER),
                    keys.authority()),
                HttpSettings.WRITE_PATIENCE),
            new AccessFile(keys.accessFile()),
            routes);
  }

  @AfterAll
  static void stop() {
    if (server != null && current != null && history != null) {
      server.close();
      current.close();
      history.close();
    }
  }

  @BeforeEach
  void write() throws IOException {
    file = directory.resolve("limits.yaml");
    Files.writeString(file, Files.readString(Cli.inTree("examples/documents/limits.yaml")));
  }

  private static Cli as(String who, String... arguments) {
    if (server == null) {
      throw new IllegalStateException("the server was not started");
    }
    String[] all = new String[arguments.length + 7];
    all[0] = "limits";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    List<String> common =
        List.of(
            "--controller",
            server.url(),
            "--authority",
            keys.authority().toString(),
            "--token-file",
            shared.resolve(who).toString());
    for (int i = 0; i < common.size(); i++) {
      all[arguments.length + 1 + i] = common.get(i);
    }
    return Cli.run(all);
  }

  @Test
  void guaranteesThatDoNotFitAreRefusedWithWhatIsLeft() throws IOException {
    String promised =
        """
        guarantees: [{user: alice, rate: 60 MB/s}, {account: physics, rate: %s}]
        goals: [{group: interactive, p99: 20 ms}]
        """;
    Files.writeString(file, promised.formatted("60 MB/s"));
    Cli refused = as("admin", "apply", file.toString(), "--dry-run");
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err())
        .contains("document:1:")
        .contains("account physics's 60 MB/s do not fit target home/disk")
        .containsPattern("[12]\\d(\\.\\d)? MB/s are left");
    Files.writeString(file, promised.formatted("18 MB/s"));
    assertThat(as("admin", "apply", file.toString(), "--dry-run").out().lines())
        .contains(
            "  guarantee of user alice: new: 60 MB/s",
            "  guarantee of account physics: new: 18 MB/s",
            "  goal of group interactive: new: 20 ms");
  }

  @Test
  void applyShowHistoryAndRollback() throws IOException {
    Cli tried = as("read", "apply", file.toString(), "--dry-run");
    assertThat(tried.exitCode()).as(tried.err()).isZero();
    assertThat(tried.out().lines())
        .contains(
            "this would change:",
            "  resource metadata: new: 110 kops/s, divided by psfa {epsilon=0.1}, terms for 1 jobs",
            "for jobs that run now:",
            "  job 4711 of backup: open, soft: no limit → 5 kops/s",
            "  user backup with 4711: read bytes: no limit → 200 MB/s");
    assertThat(as("read").out()).startsWith("no document was applied yet");

    Cli applied = as("admin", "apply", file.toString(), "--note", "the first");
    assertThat(applied.out()).as(applied.err()).startsWith("version 1 is in force; it changes:");
    assertThat(Cli.run("audit", shared.toString()).out())
        .startsWith("1  2026-11-16T12:00:00Z  document  anna: version 1: resource metadata: new");
    assertThat(as("read").out().lines())
        .contains("version 1, 2026-11-16 12:00:00 UTC, by anna: the first")
        .anyMatch(line -> line.matches("backup +user backup +read 200 MB/s, metadata 2 kops/s.*"));
    assertThat(as("read", "--text").out()).isEqualTo(Files.readString(file));
    assertThat(as("admin", "apply", file.toString()).out())
        .startsWith("nothing changes: this is version 1");

    Files.writeString(file, Files.readString(file).replace("200 MB/s", "100 MB/s"));
    assertThat(as("admin", "apply", file.toString(), "--on-version", "7").err())
        .startsWith("version 1 is in force, not 7: somebody else was here");
    assertThat(as("admin", "apply", file.toString(), "--on-version", "1").exitCode()).isZero();
    assertThat(as("read", "rollback", "1", "--dry-run").out().lines())
        .contains("  limit backup: read 100 MB/s → 200 MB/s");
    assertThat(as("admin", "rollback", "1", "--note", "too slow").out().lines())
        .contains("version 3 is in force; it changes:");
    assertThat(as("read", "history").out().lines())
        .startsWith(
            "version 3, 2026-11-16 12:00:00 UTC, by anna, back to version 1: too slow",
            "  limit backup: read 100 MB/s → 200 MB/s",
            "version 2, 2026-11-16 12:00:00 UTC, by anna",
            "  limit backup: read 200 MB/s → 100 MB/s");
    assertThat(as("read", "history", "2").out()).contains("100 MB/s");
  }

  @Test
  void whoMayOnlyReadChangesNothing() {
    Cli refused = as("read", "apply", file.toString());
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err()).contains("admin");
    assertThat(as("read", "rollback", "1").exitCode()).isEqualTo(2);
  }

  @Test
  void mistakesAreNamedWithTheirPlace() throws IOException {
    Files.writeString(file, "limits:\n  - {name: a, job: b, rates: {open: fast}}\n");
    Cli refused = as("admin", "apply", file.toString());
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err()).startsWith(file + ":2:37: open: \"fast\": expected a rate such as");
    assertThat(as("admin", "rollback", "99").err()).startsWith("there is no version 99");
  }

  @Test
  void aControllerThatIsNotThereIsSaidSo() {
    Cli refused = Cli.run("limits", "--controller", "http://127.0.0.1:1");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err())
        .startsWith("http://127.0.0.1:1: no controller answers here")
        .contains("./sluice controller starts one");
    assertThat(Cli.run("limits", "--controller", "nonsense").exitCode()).isEqualTo(2);
  }
}
