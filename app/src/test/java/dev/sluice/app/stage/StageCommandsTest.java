package dev.sluice.app.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.stage.library.PreloadLibrary;
import dev.sluice.testkit.Eventually;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class StageCommandsTest {
  @TempDir Path temporary;
  private String directory;
  private Path mount;
  private Path file;

  @BeforeEach
  void prepare() throws IOException {
    Assumptions.assumeTrue(
        PreloadLibrary.find().isPresent(), "libsluice.so was not built: no C compiler");
    directory = temporary.resolve("sluice").toString();
    mount = Files.createDirectory(temporary.resolve("mount"));
    file = Files.writeString(mount.resolve("file"), "hello");
  }

  @Test
  void whatCannotBeUnderstoodIsNamed() {
    assertRefused(2, "\"open\"", "limit", "4711", "open");
    assertRefused(1, "no agent answers here", "limit", "4711", "open=1/s");
    assertRefused(1, "no agent answers here", "agent", "status");
    assertRefused(2, "--forget-after", "agent", "--forget-after", "long");
  }

  @Test
  void limitsOfARunChangeWhileItRuns() throws Exception {
    Path said = temporary.resolve("said");
    Process process =
        new ProcessBuilder(
                PreloadLibrary.findRun().orElseThrow().toString(),
                "--directory",
                directory,
                "--mount",
                mount.toString(),
                "--job",
                "4711",
                "--limit",
                "all=0/s",
                "sh",
                "-c",
                "dd status=none if=" + file + " of=" + mount.resolve("copy") + "; exit 7")
            .redirectError(said.toFile())
            .start();
    awaitFile(Path.of(directory, "jobs", "4711", "control"));
    TimePasses.forMillis(300);
    assertThat(process.isAlive()).isTrue();

    Cli limit = Cli.run("limit", "--directory", directory, "4711", "all=none", "open=0.5kops/s");

    assertThat(limit.exitCode()).as(limit.err()).isZero();
    assertThat(limit.out()).isEqualTo("job 4711: all=none,open=0.5kops/s\n");
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(7);
    // The summary comes from another process, a moment later.
    awaitGone(Path.of(directory, "jobs", "4711"));
    assertThat(said)
        .content()
        .contains("open 500 ops/s")
        .doesNotContain("all 0")
        .containsPattern("(?m)^  read +\\d+ +5 B");
    assertThat(mount.resolve("copy")).hasContent("hello");
  }

  @Test
  void anAgentLooksAfterJobsUntilItIsStopped() throws Exception {
    CompletableFuture<Cli> agent =
        CompletableFuture.supplyAsync(() -> Cli.run("agent", "--directory", directory));
    awaitFile(Path.of(directory, "agent.socket"));
    Cli added =
        agent("add", "4711", "--user", "0", "--mount", mount.toString(), "--limit", "open=50/s");
    assertThat(added.exitCode()).as(added.err()).isZero();
    assertThat(added.out()).matches("SLUICE_STAGE=[0-9a-f]{16}@" + directory + "/jobs/4711\n");

    assertThat(Cli.run("limit", "--directory", directory, "4711", "read=1MB/s").exitCode())
        .isZero();
    assertThat(agent("status").out()).contains("job 4711: open 50 ops/s, read 1 MB/s");
    assertThat(agent("status", "--json").out()).contains("\"per-second\":1000000");
    assertThat(agent("metrics").out()).contains("sluice_stage_limit_per_second{job=\"4711\"");
    assertThat(agent("remove", "4711").exitCode()).isZero();
    assertThat(agent("remove", "4711").exitCode()).isEqualTo(2);
    assertThat(agent("stop").exitCode()).isZero();

    Cli ended = agent.get(30, TimeUnit.SECONDS);
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.out()).contains("library /", "looking after 0 jobs");
  }

  private static void awaitGone(Path awaited) throws Exception {
    Eventually.await(awaited + " is gone", () -> !Files.exists(awaited));
  }

  private static void awaitFile(Path awaited) throws Exception {
    Eventually.await(awaited + " is there", () -> Files.exists(awaited));
  }

  private Cli agent(String command, String... rest) {
    return cli(List.of("agent", command, "--directory", directory), rest);
  }

  private static Cli cli(List<String> head, String... rest) {
    List<String> all = new ArrayList<>(head);
    all.addAll(List.of(rest));
    return Cli.run(all.toArray(String[]::new));
  }

  private void assertRefused(int code, String words, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    // After the command's own name, so that what follows -- stays the program's.
    all.add(all.contains("status") ? 2 : 1, "--directory=" + directory);
    Cli cli = Cli.run(all.toArray(String[]::new));
    assertThat(cli.exitCode()).as(cli.err()).isEqualTo(code);
    assertThat(cli.err()).contains(words);
  }
}
