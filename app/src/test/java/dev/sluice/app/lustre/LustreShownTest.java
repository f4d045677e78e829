package dev.sluice.app.lustre;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.command.CommandClient;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.standin.LctlProgram;
import dev.sluice.lustre.standin.StandInLctl;
import dev.sluice.lustre.standin.StandInServer;
import dev.sluice.testkit.Eventually;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Lustre service is looked at with what shows a gateway. */
@Tag("untimed")
class LustreShownTest {
  private static final String TARGET = "a-OST0000";

  @TempDir Path directory;

  private final StandInServer<String> server =
      StandInServer.filtering(LustreVersion.of(2, 15, 8), 1);
  private final StandInLctl lctl = new StandInLctl(server);

  private String ask(String... words) {
    return Cli.ask(directory.resolve("lustre.yaml"), words);
  }

  @Test
  void aServiceLooksLikeAnyOtherTarget() throws Exception {
    lctl.beforeJobStats(() -> {
      server.served(TARGET, "4711", 2_000, 2_000L << 20, System.nanoTime());
      server.served(TARGET, "dd.1001", 1_000, 1_000L << 20, System.nanoTime());
    });
    Files.writeString(directory.resolve("jobs.yaml"), "jobs: {4711: {user: a, nodes: 3}}\n");
    Files.writeString(
        directory.resolve("lustre.yaml"),
        """
        capacity: 500 ops/s
        period: 300 ms
        jobs: jobs.yaml
        state: state
        lctl: ./lctl
        dashboard: 127.0.0.1:0
        """);
    try (LctlProgram _ = new LctlProgram(directory, lctl)) {
      CompletableFuture<Cli> run =
          CompletableFuture.supplyAsync(
              () -> Cli.run("lustre", "-c", directory.resolve("lustre.yaml").toString()));
      Eventually.await(
          "a status with both jobs",
          () -> ask("status").contains("dd.1001"),
          () -> ask("status") + (run.isDone() ? run.get() : ""));

      assertThat(ask("status"))
          .contains("policy adaptbf, deciding every 300 ms", "ost_io:", "4711");
      assertThat(ask("top", "--once")).contains("ost_io", "4711", "dd.1001");
      assertThat(ask("explain", "4711")).contains("rule sl_4711 lets", "requests a second pass");
      assertThat(ask("health")).isEqualTo("healthy\n");
      assertThat(ask("record", "--for", "2s", "--out", directory.resolve("t").toString()))
          .contains("2 jobs");
      assertThat(Cli.run("whatif", directory.resolve("t").toString()).out()).contains("adaptbf");
      assertThat(ask("policy", "fair")).contains("has no command \"policy\"");
      String address = ask("dashboard").strip();
      assertThat(metrics(address))
          .contains("sluice_lustre_decisions_total{target=\"ost_io\"}")
          .contains("sluice_job_operations_per_second{target=\"ost_io\",job=\"4711\"}")
          .contains("sluice_history_bytes");
      Eventually.await("history of the job", () -> ask("report", "--since", "1h").contains("4711"));
      stop();
      assertThat(run.get(60, TimeUnit.SECONDS).exitCode()).isZero();
    }
    assertThat(ask("status")).contains("nobody answers here");
    assertThat(ask("report", "--since", "1h")).contains("4711", "ost_io");
    assertThat(server.rules(0)).containsOnlyKeys("default");
  }

  private void stop() throws Exception {
    try (CommandClient client = new CommandClient(directory.resolve("state/control.sock"))) {
      client.ask("stop", _ -> {});
    }
  }

  private static String metrics(String address) throws Exception {
    int hash = address.indexOf("#token=");
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(address.substring(0, hash) + "metrics"))
                  .header("Authorization", "Bearer " + address.substring(hash + 7))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }
}
