package dev.sluice.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.admin.HealthFinding;
import dev.sluice.testkit.Eventually;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class GatewayCommandsTest {
  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    Files.createDirectory(directory.resolve("data"));
    file = directory.resolve("sluice.yaml");
    Files.writeString(
        file,
        """
        nfs-port: 0
        mount-port: 0
        state: state
        targets: {disk: {capacity: 100 MB/s}}
        exports: {/scratch: {directory: data, privileged-ports: false}}
        """);
  }

  @Test
  void aGatewayIsAskedAndChanged() throws IOException {
    try (Gateway _ = Gateway.start(file)) {
      assertThat(ask("status").out())
          .contains("policy fair, deciding every 100 ms")
          .contains("disk: 0 B/s and 0 ops/s of 100 MB/s");
      assertThat(ask("status", "--json").out()).startsWith("{\"policy\":\"fair\"");
      assertThat(ask("policy").out()).startsWith("policy fair");
      assertThat(ask("policy", "adaptbf", "period=50ms", "record-retention=2h").out())
          .startsWith("policy adaptbf record-retention=2h, deciding every 50 ms");
      assertThat(ask("job", "set", "4711", "weight=4", "limit=20MB/s").out()).contains("weight=4");
      assertThat(ask("status", "--json").out()).contains("\"overrides\":[{\"job\":\"4711\"");
      assertThat(ask("hint", "4711", "128MiB").out()).contains("job 4711: phases of 128MiB");
      assertThat(ask("status", "--json").out()).contains("\"phase\":\"134217728\"");
      assertThat(ask("job", "set", "4711", "clear").exitCode()).isZero();
      assertThat(ask("observe", "on").out()).contains("nothing is enforced");
      assertThat(ask("observe", "off").out()).doesNotContain("enforced");
      assertThat(ask("reload").out()).contains("nothing changed");
      Path rules = directory.resolve("site.rules");
      Files.writeString(rules, "a: user=alice -> job=x\n");
      assertThat(ask("rules", "load", rules.toString()).out()).contains("user=alice");
      assertThat(ask("rules").out()).contains("a: user=alice -> job=x class=a", "1 rules");
    }
  }

  @Test
  void whatIsWrongIsOneLineAndExitCodeTwo() throws IOException {
    try (Gateway _ = Gateway.start(file)) {
      String[][] calls = {
        {"policy", "adaptfb"},
        {"policy", "fair", "speed=3"},
        {"policy", "fair", "speed"},
        {"job"},
        {"job", "set", "4711"},
        {"job", "set", "4711", "wight=3"},
        {"job", "set", "4711", "weight=0"},
        {"job", "set", "4711", "limit=fast"},
        {"hint", "4711", "much"},
        {"hint", "4711", "0"},
        {"explain", "nobody"},
        {"observe", "maybe"},
        {"rules", "load", "nowhere.rules"},
      };
      for (String[] call : calls) {
        Cli cli = ask(call);
        assertThat(cli.exitCode()).as(String.join(" ", call)).isEqualTo(2);
        assertThat(cli.err().lines()).as(String.join(" ", call)).hasSize(1);
      }
      Files.writeString(file, Files.readString(file) + "polcy: fair\n");
      Cli reload =
          Cli.run("reload", "--socket", directory.resolve("state/control.sock").toString());
      assertThat(reload.exitCode()).isEqualTo(2);
      assertThat(reload.err()).contains("sluice.yaml:6:1", "did you mean policy?");
    }
  }

  @Test
  void whetherItIsWellIsSaidByTheExitCode() throws Exception {
    Path socket = directory.resolve("state/control.sock");
    try (Gateway gateway = Gateway.start(file)) {
      String page = gateway.dashboardAddress().orElseThrow();
      assertThat(ask("health").out()).isEqualToIgnoringNewLines("healthy");
      assertThat(Cli.run("health", "--url", page).out()).isEqualToIgnoringNewLines("healthy");
      gateway.alsoFind(() ->
          List.of(
              new HealthFinding(HealthFinding.Kind.HISTORY_NOT_WRITTEN, "", "the disk is full")));
      Eventually.await("it is sick", () -> ask("health").exitCode() == 1);
      assertThat(ask("health").out()).isEqualToIgnoringNewLines("the disk is full");
      assertThat(ask("health", "--json").out()).contains("\"kind\":\"history-not-written\"");
      Cli overHttp = Cli.run("health", "--url", page);
      assertThat(overHttp.exitCode()).isEqualTo(1);
      assertThat(overHttp.out())
          .as("who is on this machine is told why")
          .isEqualToIgnoringNewLines("the disk is full");
      assertThat(ask("health", "--patience", "soon").exitCode()).isEqualTo(2);
    }
    Cli gone = Cli.run("health", "--socket", socket.toString());
    assertThat(gone.exitCode()).isEqualTo(2);
    assertThat(gone.err()).contains("no gateway answers here");
    assertThat(Cli.run("health", "--url", "http://127.0.0.1:1").exitCode()).isEqualTo(2);
  }

  @Test
  void theDashboardIsServedAndItsAddressTold() throws IOException, InterruptedException {
    try (Gateway gateway = Gateway.start(file);
        HttpClient client = HttpClient.newHttpClient()) {
      String page = gateway.dashboardAddress().orElseThrow();
      String told = ask("dashboard").out().strip();
      assertThat(told).startsWith(page + "#token=");
      HttpResponse<String> me =
          client.send(
              HttpRequest.newBuilder(URI.create(page + "api/v1/me"))
                  .header("Authorization", "Bearer " + told.substring(told.indexOf('=') + 1))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(me.body()).contains("\"admin\"");
      assertThat(ask("observe", "on").exitCode()).isZero();
      HttpResponse<String> audit =
          client.send(
              HttpRequest.newBuilder(URI.create(page + "api/v1/audit")).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(audit.body()).contains("the command line").contains("observe only");
    }
  }

  @Test
  void topLooksOnce() throws IOException {
    try (Gateway _ = Gateway.start(file)) {
      assertThat(ask("top", "--once").out()).contains("sluice: policy fair", "disk [", "JOB");
      assertThat(ask("top", "--json", "--by", "target").out())
          .contains("\"rows\":[{\"name\":\"disk\"");
      Cli bad = ask("top", "--sort", "size");
      assertThat(bad.exitCode()).isEqualTo(2);
      assertThat(bad.err()).contains("rate, operations, wait, queue, name");
    }
  }

  @Test
  void withoutAGatewayItIsSaidWhatToDo() {
    Cli cli = ask("status");
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err()).contains("no gateway answers here").contains("./sluice serve");
  }

  @Test
  void serveRefusesABadFileAndSaysWhere() throws IOException {
    Files.writeString(file, Files.readString(file) + "polcy: fair\n");
    Cli bad = ask("serve");
    assertThat(bad.exitCode()).isEqualTo(2);
    assertThat(bad.err()).contains("sluice.yaml:6:1");
    Cli missing = Cli.run("serve", "-c", directory.resolve("none.yaml").toString());
    assertThat(missing.exitCode()).isEqualTo(2);
    assertThat(missing.err()).contains("no such file");
  }

  @Test
  void serveTellsWhatItDoesAndEndsWhenAsked() throws Exception {
    List<Cli> served = new ArrayList<>();
    Thread serving = Thread.ofPlatform().start(() -> served.add(ask("serve")));
    Eventually.await("it answers", () -> ask("status").exitCode() == 0);
    assertThat(ask("stop").exitCode()).isZero();
    serving.join();
    assertThat(served.getFirst().exitCode()).isZero();
    assertThat(served.getFirst().out())
        .contains("/scratch is " + directory.resolve("data"))
        .contains("mount -t nfs -o vers=3,tcp,port=")
        .contains(",nolock 127.0.0.1:/scratch /mnt");
  }

  @Test
  void rulesAreCheckedWithoutAGateway() throws IOException {
    Path rules = directory.resolve("site.rules");
    Files.writeString(rules, "a: user=alice -> job=x\nb: usr=x\n");
    Cli bad = Cli.run("rules", "check", rules.toString());
    assertThat(bad.exitCode()).isEqualTo(2);
    assertThat(bad.err()).contains("line 2");
    Cli good = Cli.run("rules", "check", Cli.inTree("examples/rules/site.rules").toString());
    assertThat(good.exitCode()).isZero();
  }

  private Cli ask(String... call) {
    List<String> words = new ArrayList<>(List.of(call));
    words.add("-c");
    words.add(file.toString());
    return Cli.run(words.toArray(String[]::new));
  }
}
