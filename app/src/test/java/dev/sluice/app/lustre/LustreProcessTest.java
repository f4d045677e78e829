package dev.sluice.app.lustre;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.standin.LctlProgram;
import dev.sluice.lustre.standin.LiveLoad;
import dev.sluice.lustre.standin.StandInLctl;
import dev.sluice.lustre.standin.StandInServer;
import dev.sluice.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Sluice in a process of its own, which is told to stop, or killed, and what it leaves. */
@Tag("untimed")
class LustreProcessTest {
  @TempDir Path directory;

  private final StandInServer<String> server =
      StandInServer.filtering(LustreVersion.of(2, 15, 8), 1);
  private final StandInLctl lctl = new StandInLctl(server);

  private Process launch() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "dev.sluice.app.Main",
            "lustre",
            "-c",
            directory.resolve("lustre.yaml").toString())
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("log").toFile())
        .start();
  }

  private Map<String, Long> rules() {
    synchronized (lctl) {
      return server.rules(0);
    }
  }

  private void await(String what, Eventually.Condition holds) throws Exception {
    Eventually.await(
        what, holds, () -> ": " + rules() + "\n" + Files.readString(directory.resolve("log")));
  }

  @Test
  void whatItDidIsUndoneWhenItIsStoppedAndAfterItWasKilled() throws Exception {
    Files.writeString(
        directory.resolve("jobs.yaml"),
        "jobs: {4711: {user: a, nodes: 3}, dd.1001: {user: b, nodes: 1}}\n");
    Files.writeString(
        directory.resolve("lustre.yaml"),
        """
        capacity: 400 ops/s
        period: 500 ms
        jobs: jobs.yaml
        state: state
        lctl: ./lctl
        """);
    server.write("start vip jobid={x} rate=7");
    try (LctlProgram _ = new LctlProgram(directory, lctl);
        LiveLoad _ = new LiveLoad(server, lctl, "a-OST0000", List.of("4711", "dd.1001"), 450)) {
      Process killed = launch();
      await("rules in proportion to nodes", this::areByNodes);
      killed.destroyForcibly();
      assertThat(killed.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(rules().keySet()).hasSizeGreaterThan(3);

      Process next = launch();
      await("the journal's rules gone and new ones", () -> areFresh(next));
      next.destroy();
      assertThat(next.waitFor(120, TimeUnit.SECONDS)).isTrue();

      assertThat(next.exitValue()).isZero();
      assertThat(Files.readString(directory.resolve("log")))
          .endsWith("stopped; the server is as it was\n");
      assertThat(rules().keySet()).containsExactly("vip", "default");
      assertThat(directory.resolve("state/journal")).doesNotExist();
    }
  }

  /** Three to one, or nearly. */
  private boolean areByNodes() {
    Long one = rules().get("sl_4711");
    long other =
        rules().entrySet().stream()
            .filter(rule -> rule.getKey().startsWith("sl__"))
            .mapToLong(Map.Entry::getValue)
            .sum();
    return one != null && other > 0 && one > 2.4 * other && one < 3.6 * other;
  }

  private boolean areFresh(Process process) {
    return process.isAlive()
        && areByNodes()
        && lctl.written().stream().filter(text -> text.contains("start sl_4711")).count() >= 2;
  }
}
