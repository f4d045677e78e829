package dev.sluice.jobs.slurm;

import static dev.sluice.testkit.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.JobId;
import dev.sluice.jobs.Job;
import dev.sluice.jobs.slurm.SlurmSettings.Source;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The directory against commands that print what Slurm printed; app has tests with Slurm itself.
 */
@Timeout(120)
class SlurmDirectoryTest {
  private static final long SECOND = 1_000_000_000;

  /** Prints what lies in a file, with the mark that it was asked to put in. */
  private static final String SQUEUE =
      """
      #!/bin/sh
      echo "squeue $1" >> "%1$s/calls"
      if [ -e "%1$s/down" ]; then
        echo "slurm_load_jobs error: Unable to contact slurm controller" >&2
        exit 1
      fi
      if [ "$1" = --json ]; then
        exec cat "%1$s/squeue.json"
      fi
      for argument; do
        case $argument in
          --format=*) mark=${argument#*%%a} mark=${mark%%%%%%j*} ;;
        esac
      done
      exec sed "s/ @MARK@/$mark/g" "%1$s/squeue.txt"
      """;

  private static final String SCONTROL =
      """
      #!/bin/sh
      echo "scontrol $*" >> "%1$s/calls"
      exec cat "%1$s/nodes.txt"
      """;

  @TempDir Path directory;

  @BeforeEach
  void installCommands() throws IOException {
    script("squeue", SQUEUE);
    script("scontrol", SCONTROL);
    Files.writeString(directory.resolve("squeue.txt"), Fixtures.text("squeue-22.05.txt"));
    Files.writeString(directory.resolve("squeue.json"), Fixtures.text("squeue-23.11.json"));
    Files.writeString(directory.resolve("nodes.txt"), Fixtures.text("nodes-22.05.txt"));
  }

  private void script(String name, String text) throws IOException {
    Path file = Files.writeString(directory.resolve(name), text.formatted(directory));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private SlurmSettings settings(Source source, @Nullable Path spool, WeightRule... weights) {
    return new SlurmSettings(
        source, SECOND, spool, null, directory, null, List.of(), List.of(weights));
  }

  private static ClientAddress address(String text) {
    return ClientAddress.parse(text);
  }

  private static @Nullable String behind(SlurmDirectory jobs, String from, int uid) {
    Job job = jobs.behind(address(from), uid);
    return job == null ? null : job.id().toString();
  }

  @Test
  void squeueIsAskedAndAddressesLeadToJobs() throws Exception {
    try (SlurmDirectory jobs = new SlurmDirectory(settings(Source.AUTO, null))) {
      await("three jobs", () -> jobs.jobs().size() == 3);
      assertThat(behind(jobs, "10.78.0.10", 65_534)).isEqualTo("10");
      assertThat(behind(jobs, "10.78.0.13", 0)).isEqualTo("8");
      assertThat(behind(jobs, "10.78.0.13", 65_534)).as("of another user").isNull();
      assertThat(behind(jobs, "10.78.0.99", 0)).isNull();
      assertThat(jobs.runsAt(JobId.of("8"), address("10.78.0.12"))).isTrue();
      Job big = Objects.requireNonNull(jobs.job(JobId.of("8")));
      assertThat(big.nodes()).isEqualTo(2);
      assertThat(big.nodeNames()).hasSize(2).allMatch(big::mayRunOn);
      assertThat(big.mayRunOn("login1")).isFalse();
      assertThat(jobs.isCurrent()).isTrue();
      assertThat(big.weight()).isEqualTo(2);
      assertThat(big.phaseTokens()).isEmpty();
      assertThat(Objects.requireNonNull(jobs.job(JobId.of("7"))).phaseTokens())
          .hasValue(5_000_000_000L);
      SlurmJob task = Objects.requireNonNull(jobs.slurmJob(10));
      assertThat(task.array()).hasValue(7);
      assertThat(task.account()).isEqualTo("bio");
      assertThat(jobs.job(JobId.of("10"))).extracting(Job::account).isEqualTo("bio");
      assertThat(jobs.words()).startsWith("3 jobs of Slurm's by squeue, ").endsWith(" old");
      assertThat(jobs.problem()).isNull();
    }
  }

  @Test
  void jsonIsAskedForWhereThatIsSaidAndRulesSayWhatJobsWeigh() throws Exception {
    WeightRule urgent = new WeightRule(null, "urgent", null, 64, false);
    WeightRule bio = new WeightRule("b*", null, null, 5, true);
    try (SlurmDirectory jobs =
        new SlurmDirectory(settings(Source.SQUEUE_JSON, null, urgent, bio))) {
      await("three jobs", () -> jobs.jobs().size() == 3);
      assertThat(jobs.job(JobId.of("8"))).extracting(Job::weight).isEqualTo(64L);
      assertThat(jobs.job(JobId.of("10"))).extracting(Job::weight).isEqualTo(5L);
      assertThat(jobs.words()).contains("squeue --json");
    }
  }

  @Test
  void whileSlurmIsAwayWhatWasKnownStaysAndItsAgeIsShown() throws Exception {
    try (SlurmDirectory jobs = new SlurmDirectory(settings(Source.SQUEUE, null))) {
      await("three jobs", () -> jobs.jobs().size() == 3);
      Files.writeString(directory.resolve("down"), "");
      await("a problem", () -> jobs.problem() != null);
      assertThat(jobs.isCurrent()).as("it would not know of a new job").isFalse();
      assertThat(jobs.problem())
          .contains("Slurm has not answered for ", "Unable to contact slurm controller");
      assertThat(jobs.jobs()).hasSize(3);
      long version = jobs.version();
      Files.writeString(directory.resolve("squeue.txt"), "");
      Files.delete(directory.resolve("down"));
      jobs.reload();
      await("an answer", () -> jobs.problem() == null);
      assertThat(jobs.jobs()).isEmpty();
      assertThat(jobs.version()).isGreaterThan(version);
    }
  }

  @Test
  void withoutAnyoneToAskItSaysSo() throws Exception {
    Files.delete(directory.resolve("squeue"));
    try (SlurmDirectory jobs = new SlurmDirectory(settings(Source.AUTO, null))) {
      await("a problem", () -> jobs.problem() != null);
      assertThat(jobs.problem()).contains("has not answered yet", "there is no squeue in");
      assertThat(jobs.words()).contains("has not answered yet");
    }
  }

  /** Nodes go by their names then, and a job whose nodes make no sense is there without them. */
  @Test
  void withoutWordOfTheNodesJobsAreThereAllTheSame() throws Exception {
    script("scontrol", "#!/bin/sh\necho no permission >&2\nexit 1\n");
    Files.writeString(
        directory.resolve("squeue.txt"),
        """
        1|1|N/A|RUNNING|1001|alice|1|1000|normal|127.0.0.9|bio @MARK@a @MARK@(null) @MARK@
        2|2|N/A|RUNNING|1001|alice|3|1000|normal|n[1-|bio @MARK@a @MARK@(null) @MARK@
        """);
    try (SlurmDirectory jobs = new SlurmDirectory(settings(Source.SQUEUE, null))) {
      for (int answers = 0; answers < 3; answers++) {
        long calls = answers;
        await("another answer", () -> linesOf("calls") > calls);
        await("both jobs", () -> jobs.jobs().size() == 2);
        assertThat(jobs.problem())
            .contains("where its nodes are: scontrol failed (1): no permission")
            .contains("the nodes of job 2 are not understood: host list \"n[1-\"");
      }
      assertThat(behind(jobs, "127.0.0.9", 1001)).isEqualTo("1");
      assertThat(jobs.job(JobId.of("2"))).extracting(Job::nodes).isEqualTo(3L);
    }
  }

  private long linesOf(String name) throws IOException {
    Path file = directory.resolve(name);
    return Files.exists(file) ? Files.readAllLines(file).size() : 0;
  }

  @Test
  void slurmrestdIsAskedWhereItIs() throws Exception {
    try (UnixHttpTest.RestServer server =
            new UnixHttpTest.RestServer(
                directory.resolve("rest"),
                Map.of(
                    "/slurm/v0.0.41/jobs", Fixtures.bytes("squeue-24.05.json"),
                    "/slurm/v0.0.41/nodes", Fixtures.bytes("nodes-22.05.json")));
        SlurmDirectory jobs =
            new SlurmDirectory(
                new SlurmSettings(
                    Source.AUTO,
                    SECOND,
                    null,
                    null,
                    directory,
                    server.path,
                    List.of(),
                    List.of()))) {
      await("three jobs", () -> jobs.jobs().size() == 3);
      assertThat(behind(jobs, "10.78.0.11", 1001)).isEqualTo("11");
      assertThat(jobs.words()).contains("slurmrestd v0.0.41");
      assertThat(directory.resolve("calls")).doesNotExist();
    }
  }

  @Test
  void hooksTellOfStartsAndEndsWithoutAnyoneBeingAsked() throws Exception {
    Path spool = Files.createDirectory(directory.resolve("spool"));
    Path before = directory.resolve("before");
    Files.writeString(before, "uid=1001\nnodes=127.0.0.[1-2]\n");
    Files.copy(before, spool.resolve("4.0"));
    try (SlurmDirectory jobs = new SlurmDirectory(settings(Source.NONE, spool))) {
      assertThat(jobs.job(JobId.of("4"))).as("known from the first request on").isNotNull();
      assertThat(behind(jobs, "127.0.0.2", 1001)).isEqualTo("4");
      Files.writeString(before, "uid=1002\nnodes=127.0.0.2\n");
      Files.move(before, spool.resolve("5.0"), StandardCopyOption.ATOMIC_MOVE);
      await("the second job", () -> jobs.jobs().size() == 2);
      assertThat(behind(jobs, "127.0.0.2", 1001)).as("two users share a node").isEqualTo("4");
      assertThat(behind(jobs, "127.0.0.2", 1002)).isEqualTo("5");
      Files.delete(spool.resolve("4.0"));
      await("its end", () -> jobs.job(JobId.of("4")) == null);
      assertThat(behind(jobs, "127.0.0.2", 1001)).isNull();
      assertThat(jobs.words()).contains("1 jobs", "starts and ends by");
      assertThat(directory.resolve("calls")).doesNotExist();
    }
  }

  /**
   * One call a period, and one in an hour for the nodes; what it costs us for 5,000 jobs on 20,000
   * nodes is a small part of a second, and less where nothing has changed.
   */
  @Test
  void thousandsOfJobsCostLittle(TestReporter reporter) throws Exception {
    writeLargeSite(0);
    try (SlurmDirectory jobs = new SlurmDirectory(settings(Source.SQUEUE, null))) {
      await("all jobs", () -> jobs.jobs().size() == 5_000);
      assertThat(behind(jobs, "10.0.0.5", 1_001)).isEqualTo("2");
      assertThat(behind(jobs, "10.0.78.31", 1_049)).isEqualTo("5000");
      long[] unchanged = new long[4];
      long[] changed = new long[4];
      for (int i = 0; i < unchanged.length; i++) {
        unchanged[i] = cpuOfNextAnswer(jobs);
        writeLargeSite(i + 1);
        changed[i] = cpuOfNextAnswer(jobs);
      }
      Arrays.sort(unchanged);
      Arrays.sort(changed);
      reporter.publishEntry(
          "CPU of an answer with 5,000 jobs",
          unchanged[1] / 1_000_000 + " ms, " + changed[1] / 1_000_000 + " ms if a tenth is new");
      assertThat(changed[1]).as("CPU in ns").isLessThan(500_000_000);
    }
    List<String> calls = Files.readAllLines(directory.resolve("calls"));
    assertThat(calls.stream().filter(call -> call.startsWith("scontrol"))).hasSize(1);
  }

  /** What the thread that asks uses from now until it has taken in another answer. */
  private long cpuOfNextAnswer(SlurmDirectory jobs) throws Exception {
    Thread asking =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals("slurm-poll"))
            .findFirst()
            .orElseThrow();
    var threads = ManagementFactory.getThreadMXBean();
    long before = threads.getThreadCpuTime(asking.threadId());
    long calls = Files.size(directory.resolve("calls"));
    jobs.reload();
    await("a call", () -> Files.size(directory.resolve("calls")) > calls);
    await("an answer", () -> asking.getState() == Thread.State.TIMED_WAITING);
    return threads.getThreadCpuTime(asking.threadId()) - before;
  }

  /** 5,000 jobs of 4 nodes each; with each shift a tenth of them are others. */
  private void writeLargeSite(int shift) throws IOException {
    StringBuilder text = new StringBuilder();
    StringBuilder nodes = new StringBuilder();
    for (int i = 0; i < 5_000; i++) {
      int id = i % 10 == 9 && i != 4_999 ? i + 1 + shift * 10_000 : i + 1;
      String range = "n[" + (4 * i) + "-" + (4 * i + 3) + "]";
      text.append(id + "|" + id + "|N/A|RUNNING|" + (1_000 + i % 50) + "|user" + i % 50);
      text.append("|4|1794809406|normal|" + range + "|bio @MARK@lammps @MARK@(null) @MARK@\n");
    }
    for (int node = 0; node < 20_000; node++) {
      nodes.append("NodeName=n" + node + " Arch=x86_64 NodeAddr=10.0." + node / 256);
      nodes.append("." + node % 256 + " NodeHostName=n" + node + "\n");
    }
    replace("squeue.txt", text);
    replace("nodes.txt", nodes);
  }

  private void replace(String name, CharSequence text) throws IOException {
    Path fresh = Files.writeString(directory.resolve(name + ".new"), text);
    Files.move(fresh, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
  }
}
