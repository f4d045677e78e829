package dev.sluice.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.load.client.ServerAddress;
import dev.sluice.sim.scenario.BuiltInScenarios;
import dev.sluice.sim.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("untimed")
@Timeout(180)
class DemoCommandTest {
  @TempDir Path directory;

  @Test
  void theDemoComparesPoliciesAndLeavesNothingBehind() throws IOException {
    long before = demoDirectories();
    Cli cli =
        Cli.run("demo", "--policy", "none,fair", "--seconds", "3", "--out", directory.toString());
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out())
        .contains("none", "fair", "job1, 30 nodes", "burst p99", "target used", "foretold");
    assertThat(cli.err()).contains("dashboard http://127.0.0.1:").contains("#token=");
    assertThat(directory.resolve("timeline.csv")).content().contains("fair,job4,");
    assertThat(demoDirectories()).isEqualTo(before);
  }

  @Test
  void badChoicesAreRefusedBeforeAnythingStarts() {
    String[][] calls = {
      {"demo", "--policy", "fare"},
      {"demo", "--seconds", "0"},
      {"demo", "--scenario", "no-such-file.yaml"},
      {"demo", "--scenario", Cli.inTree("examples/scenarios/striping.yaml").toString()},
      {"load", "x.yaml", "--export", "/e"},
      {"load", example(), "--server", "a b", "--export", "/e"},
      {"load", example(), "--server", "127.0.0.1:1", "--export", "/e"},
      {"load", example(), "--server", "127.0.0.1:1", "--mount-port", "70000", "--export", "/e"},
      {"load", example(), "--server", "127.0.0.1:1", "--mount-port", "1", "--export", "e"},
      {
        "load",
        example(),
        "--server",
        "127.0.0.1:1",
        "--mount-port",
        "1",
        "--export",
        "/e",
        "--file-limit",
        "much"
      },
    };
    for (String[] call : calls) {
      Cli cli = Cli.run(call);
      assertThat(cli.exitCode()).as(String.join(" ", call) + ": " + cli.err()).isEqualTo(2);
      assertThat(cli.err().lines()).hasSize(1);
    }
  }

  @Test
  void aScenarioIsPlayedAndVerifiedAgainstAGateway() throws IOException {
    Scenario scenario = BuiltInScenarios.read("demo", 1);
    Path files = Files.createDirectory(directory.resolve("server"));
    Path history = directory.resolve("history");
    try (DemoServer server = DemoServer.start(files, history, scenario, "fair")) {
      ServerAddress address = server.address();
      Path out = directory.resolve("out");
      Cli cli =
          Cli.run(
              "load",
              example(),
              "--server",
              "127.0.0.1:" + address.nfs().getPort(),
              "--mount-port",
              Integer.toString(address.mount().getPort()),
              "--export",
              DemoServer.EXPORT,
              "--seconds",
              "2",
              "--verify",
              "--file-limit",
              "2 MiB",
              "--out",
              out.toString());
      assertThat(cli.exitCode()).as(cli.err()).isZero();
      assertThat(cli.out()).contains("job1", "burst p50", "Read back and found right");
      assertThat(out.resolve("bursts.csv")).content().contains("job,bursts,mean_s");
      assertThat(out.resolve("result.json")).content().contains("\"measured\"");
    }
    try (Stream<Path> left = Files.list(files.resolve("storage"))) {
      assertThat(left).isEmpty();
    }
    assertThat(Cli.run("report", "--history", history.toString(), "--since", "1h").out())
        .as("what the page shows of the time before it was opened")
        .contains("the gateway has started", "job4");
  }

  @Test
  void aServerThatIsNotThereIsOneLine() {
    Cli cli =
        Cli.run(
            "load", example(), "--server", "127.0.0.1:1", "--mount-port", "1", "--export", "/e");
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err()).contains("cannot connect to").contains("127.0.0.1:1");
    assertThat(cli.err().lines()).hasSize(1);
  }

  private static String example() {
    return Cli.inTree("examples/scenarios/demo.yaml").toString();
  }

  private static long demoDirectories() throws IOException {
    long count = 0;
    for (String parent : new String[] {"/dev/shm", System.getProperty("java.io.tmpdir")}) {
      try (Stream<Path> files = Files.list(Path.of(parent))) {
        count +=
            files.filter(file -> file.getFileName().toString().startsWith("sluice-demo-")).count();
      }
    }
    return count;
  }
}
