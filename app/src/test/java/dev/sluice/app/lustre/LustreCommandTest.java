package dev.sluice.app.lustre;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.command.CommandClient;
import dev.sluice.document.DocumentMap;
import dev.sluice.jobs.FollowedJobs;
import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.config.LustreConfigurationReader;
import dev.sluice.lustre.standin.LctlProgram;
import dev.sluice.lustre.standin.StandInLctl;
import dev.sluice.lustre.standin.StandInServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands on a stand-in server whose {@code lctl} is a program, with jobs at work. */
@Tag("untimed")
class LustreCommandTest {
  private static final String TARGET = "a-OST0000";

  @TempDir Path directory;

  private final StandInServer<String> server =
      StandInServer.filtering(LustreVersion.of(2, 15, 8), 1);
  private final StandInLctl lctl = new StandInLctl(server);
  private LctlProgram program;

  @BeforeEach
  void begin() throws Exception {
    program = new LctlProgram(directory, lctl);
    // However long it is from one look to the next, so much is served in between.
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
        """);
  }

  @AfterEach
  void end() throws IOException {
    program.close();
  }

  private String configuration() {
    return directory.resolve("lustre.yaml").toString();
  }

  private void write(String command) {
    synchronized (lctl) {
      assertThat(server.write(command)).isZero();
    }
  }

  @Test
  void topShowsJobsByRateAndWhoIsHeldBack() {
    write("start slow jobid={dd.*} rate=4");

    Cli cli =
        Cli.run(
            "lustre", "top", "--lctl", program.program().toString(), "--once", "--interval", "2 s");

    assertThat(cli.err()).isEmpty();
    assertThat(cli.exitCode()).isZero();
    List<String> lines = cli.out().lines().toList();
    assertThat(lines.getFirst()).endsWith("ops/s of 2 jobs, 1 held back");
    assertThat(lines.get(1)).contains("job", "requests", "rule", "allowed");
    assertThat(lines.get(2)).contains("4711", "default", "10 kops/s").doesNotContain("held back");
    assertThat(lines.get(3)).contains("dd.1001", "slow", "4 ops/s", "held back");
  }

  @Test
  void topSpeaksToPrograms() {
    Cli cli = Cli.run("lustre", "top", "--lctl", program.program().toString(), "--once", "--json");

    DocumentMap look = CommandClient.read(cli.out()).openMap();
    assertThat(look.required("filtered").bool()).isTrue();
    assertThat(look.required("jobs").list()).hasSize(2);
    assertThat(look.required("requests_per_second").number(0, 1e9)).isGreaterThan(1);
  }

  @Test
  void topSaysWhatIsWrong() {
    assertThat(Cli.run("lustre", "top", "--lctl", "/nonexistent/lctl", "--once").err())
        .startsWith("/nonexistent/lctl: cannot be started");
    Cli service = Cli.run("lustre", "top", "--service", "ost");
    assertThat(service.exitCode()).isEqualTo(2);
    assertThat(service.err()).startsWith("--service \"ost\": expected one of ost_io, mdt");
    assertThat(Cli.run("lustre", "top", "--interval", "1").exitCode()).isEqualTo(2);
    assertThat(
            Cli.run("lustre", "top", "--lctl", program.program().toString(), "--service", "mdt")
                .err())
        .contains("No such file or directory");
  }

  @Test
  void itSaysWhetherClientsTellTheirJobs() {
    Cli cli =
        Cli.run("lustre", "check", "--lctl", program.program().toString(), "--interval", "100 ms");

    assertThat(cli.err()).isEmpty();
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out())
        .contains("Lustre 2.15.8, ost.OSS.ost_io.nrs_policies is \"tbf jobid\"")
        .contains("it knows rules by jobid, nid, opcode, uid, gid, one kind at a time")
        .contains("  66.7 % under 1 id of a job's number: 4711")
        .contains("advice: 33 % of the requests came under an id of a program and a user")
        .contains("such as dd.1001");
    assertThat(lctl.written()).isEmpty();
    assertThat(Cli.run("lustre", "check", "--service", "ost").err())
        .startsWith("--service \"ost\": expected one of ost_io, mdt");
  }

  @Test
  void observingChangesNothing() {
    Cli cli = Cli.run("lustre", "observe", "-c", configuration(), "--periods", "2");

    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out())
        .contains("looked for the first time", "of 500 ops/s, 2 jobs", "2 active jobs share")
        .contains("sl_4711");
    assertThat(lctl.written()).isEmpty();
    Cli json = Cli.run("lustre", "observe", "-c", configuration(), "--periods", "1", "--json");
    DocumentMap period = CommandClient.read(json.out().lines().toList().getLast()).openMap();
    assertThat(period.required("jobs").list()).hasSize(2);
  }

  @Test
  void aDryRunPrintsWhatItWouldWrite() {
    Cli cli = Cli.run("lustre", "-c", configuration(), "--dry-run", "--periods", "1");

    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out().lines().filter(line -> !line.startsWith("#")).toList())
        .hasSize(2)
        .first()
        .asString()
        .startsWith(
            "lctl set_param ost.OSS.ost_io.nrs_tbf_rule='reg start sl_4711 jobid={4711} rate=");
    assertThat(lctl.written()).isEmpty();
    assertThat(Files.exists(directory.resolve("state"))).isFalse();
  }

  @Test
  void itRunsForAWhileAndLeavesTheServerAsItWas() {
    write("start vip jobid={x} rate=7");
    String before = server.rules(0).toString();

    Cli cli = Cli.run("lustre", "-c", configuration(), "--periods", "4");

    assertThat(cli.err()).isEmpty();
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out())
        .startsWith("Lustre 2.15.8, service ost_io, 500 ops/s, adaptbf deciding every 300");
    assertThat(lctl.written()).anyMatch(text -> text.startsWith("reg start sl_4711 "));
    synchronized (lctl) {
      assertThat(server.rules(0)).hasToString(before);
    }
    assertThat(Files.exists(directory.resolve("state/journal"))).isFalse();
    assertThat(Cli.run("lustre", "restore", "-c", configuration()).out())
        .startsWith("no run has left any rules");
  }

  @Test
  void itLooksOnForAsLongAsItIsToldTo() throws IOException {
    Files.writeString(
        directory.resolve("lustre.yaml"),
        Files.readString(directory.resolve("lustre.yaml")) + "observe-only: true\n");

    Cli cli = Cli.run("lustre", "-c", configuration(), "--periods", "3");

    assertThat(cli.err()).isEmpty();
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out())
        .contains("observing only: nothing is enforced", "control socket", "history in");
    assertThat(lctl.written()).isEmpty();
  }

  @Test
  void whatCannotBeShownIsNotBegunWith() throws IOException {
    Files.writeString(
        directory.resolve("lustre.yaml"),
        Files.readString(directory.resolve("lustre.yaml"))
            + "controller: {addresses: [], name: oss1}\n");

    Cli cli = Cli.run("lustre", "-c", configuration(), "--periods", "3");

    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("expected at least one controller");
    assertThat(lctl.written()).isEmpty();
    assertThat(Cli.run("check", "-c", configuration()).err())
        .contains("expected at least one controller");
  }

  @Test
  void itRefusesAServerThatIsNotReady() {
    synchronized (lctl) {
      server.reboot("fifo");
    }
    Cli cli = Cli.run("lustre", "-c", configuration());

    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err())
        .startsWith("ost.OSS.ost_io.nrs_policies is \"fifo\": expected the filter by job");
    assertThat(Cli.run("lustre", "-c", "/nonexistent.yaml").exitCode()).isEqualTo(2);
  }

  @Test
  void theExamplesAreWhatTheyShouldBe() {
    for (String name : List.of("oss.yaml", "mds.yaml")) {
      LustreConfiguration read =
          LustreConfigurationReader.read(Cli.inTree("examples/lustre/" + name));
      try (FollowedJobs jobs = Objects.requireNonNull(read.jobs()).open()) {
        assertThat(jobs.jobs()).hasSize(3);
      }
    }
    assertThat(LustreConfigurationReader.read(Cli.inTree("examples/lustre/mds.yaml")).service())
        .isEqualTo(LustreService.MDT);
    assertThat(LustreConfigurationReader.read(Cli.inTree("examples/lustre/limits.yaml")).filter())
        .isEqualTo("tbf uid+opcode");
  }
}
