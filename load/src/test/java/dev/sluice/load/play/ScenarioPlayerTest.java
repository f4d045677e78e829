package dev.sluice.load.play;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.JobId;
import dev.sluice.load.client.NfsVersion;
import dev.sluice.load.client.ServerAddress;
import dev.sluice.load.client.TestNfsServer;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.scenario.Connections;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.ScenarioReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ScenarioPlayerTest {
  private static final long MB = 1_000_000;

  private TestNfsServer server;

  @BeforeEach
  void serve() {
    server = new TestNfsServer();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @Test
  void everyWorkloadIsPlayedAndVerified() throws IOException {
    Scenario scenario =
        scenario(
            """
            sequential: {processes: {count: 2, sequential: {file: 3 MB, request: 64 KiB}}}
              reader: {nodes: 2, processes: {count: 2, sequential: {operation: read, file: 3 MB}}}
              bursts: {processes: {bursts: {file: 1 MB, burst: 250 kB, every: 50 ms}}}
              phases:
                processes: {count: 3, phases: {iterations: 3, compute: 20 ms, write: 100 kB}}
              metadata:
                processes:
                  window: 4
                  metadata:
                    operations: 300
                    mix: {create: 5, unlink: 5, getattr: 3, rename: 2, mkdir: 1, rmdir: 2,
                          lookup: 1, readdir: 1, setattr: 1, access: 1, statfs: 1, link: 1,
                          symlink: 1, readlink: 1, open: 1, close: 1, mknod: 1}
              openloop: {processes: {open-loop: {request: 10 kB, rate: 200 ops/s, requests: 20}}}
            """);
    PlayResult result =
        new ScenarioPlayer(scenario, 1, settings(true)).play("none", PlayListener.NONE);

    assertThat(result.run().jobs()).allMatch(JobResult::isDone);
    assertThat(job(result, "sequential").bytes()).isEqualTo(6 * MB);
    assertThat(job(result, "reader").bytes()).isEqualTo(6 * MB);
    assertThat(job(result, "bursts").bytes()).isEqualTo(MB);
    assertThat(job(result, "phases").bytes()).isEqualTo(9 * 100_000);
    assertThat(job(result, "phases").computeNanos()).isGreaterThanOrEqualTo(60_000_000);
    assertThat(job(result, "metadata").operations()).isEqualTo(300);
    assertThat(job(result, "openloop").bytes()).isEqualTo(200_000);
    assertThat(result.bursts(JobId.of("bursts")).count()).isEqualTo(4);
    assertThat(job(result, "bursts").endNanos()).isGreaterThanOrEqualTo(150_000_000);
    // All that was written, the reader's own files among them.
    assertThat(result.verifiedBytes()).isEqualTo(13 * MB + 900_000 + 200_000);
    assertThat(server.mounted).contains("/@sequential/export", "/@metadata/export");
    assertThat(server.isEmpty()).isTrue();
  }

  @Test
  void jobsOnTheSameNodesShareTheirConnectionsAsUsersOfTheirOwn() throws IOException {
    String jobs =
        """
        alice: {on: login, processes: {sequential: {file: 1 MB}}}
          bob: {on: login, nodes: 2, processes: {count: 2, sequential: {file: 1 MB}}}
          again: {on: login, user: bob, processes: {sequential: {file: 1 MB}}}
          alone: {processes: {sequential: {file: 1 MB}}}
        """;
    Scenario shared = scenario(jobs);
    PlayResult result =
        new ScenarioPlayer(shared, 1, settings(true)).play("none", PlayListener.NONE);
    assertThat(result.verifiedBytes()).isEqualTo(5 * MB);
    // Two nodes of the place, one of the job's own, and the connection for mounts.
    assertThat(server.ports).hasSize(4);
    assertThat(server.uids).containsExactlyInAnyOrder(1000, 1001);
    assertThat(server.isEmpty()).isTrue();

    server.ports.clear();
    server.uids.clear();
    Scenario apart = shared.withConnections(new Connections(Connections.Sharing.PER_JOB, 1));
    new ScenarioPlayer(apart, 1, settings(true)).play("none", PlayListener.NONE);
    assertThat(server.ports).hasSize(6);
    assertThat(server.uids).containsExactly(1000);

    server.ports.clear();
    Scenario many = shared.withConnections(new Connections(Connections.Sharing.PER_NODE, 4));
    new ScenarioPlayer(many, 1, settings(true)).play("none", PlayListener.NONE);
    assertThat(server.ports).hasSize(13);
  }

  @Test
  void aPlayOutlivesRestartsThatLoseWhatIsUnstable() throws IOException {
    server.restartEvery = 41;
    Scenario scenario =
        scenario(
            "job: {nodes: 3, processes: {count: 4, sequential: {file: 4 MB, request: 50 kB}}}");
    PlayResult result =
        new ScenarioPlayer(scenario, 1, settings(true)).play("none", PlayListener.NONE);
    assertThat(result.verifiedBytes()).isEqualTo(16 * MB);
    assertThat(result.reconnections()).isGreaterThan(3);
  }

  @Test
  void shortReadsAndWritesAreCompleted() throws IOException {
    server.transferBytesMax = 999;
    Scenario scenario = scenario("job: {processes: {sequential: {file: 100 kB, request: 20 kB}}}");
    PlayResult result =
        new ScenarioPlayer(scenario, 1, settings(true)).play("none", PlayListener.NONE);
    assertThat(result.verifiedBytes()).isEqualTo(100_000);
    assertThat(job(result, "job").operations()).isEqualTo(5);
    assertThat(server.calls(Nfs3Procedure.WRITE)).isGreaterThan(100);
  }

  @Test
  void oneWrongByteIsFound() {
    Scenario scenario = scenario("job: {processes: {sequential: {file: 1 MB, request: 100 kB}}}");
    PlayListener mangling =
        new PlayListener() {
          @Override
          public void verifying(int processesDone, int processes) {
            if (processesDone == 0) {
              server.corrupt(777_777);
            }
          }
        };
    assertThatThrownBy(() -> new ScenarioPlayer(scenario, 1, settings(true)).play("none", mangling))
        .hasMessageContaining("process 0 of job job")
        .hasMessageContaining("byte 777777 is not what was written");
    assertThat(server.isEmpty()).isTrue();
  }

  @Test
  void theEndAndAStopEndIt() throws IOException {
    Scenario scenario =
        ScenarioReader.parse(
            "test",
            """
            end: 300 ms
            targets: {t: {bandwidth: 1 GB/s}}
            jobs:
              endless: {processes: {count: 2, window: 2, sequential: {file: 1 TB, request: 1 kB}}}
            """,
            Path.of(""),
            1);
    PlayResult result =
        new ScenarioPlayer(scenario, 1, settings(false)).play("none", PlayListener.NONE);
    assertThat(result.run().endNanos()).isEqualTo(300_000_000);
    assertThat(job(result, "endless").isDone()).isFalse();
    assertThat(job(result, "endless").bytes()).isPositive();

    Scenario endless = scenario("job: {processes: {sequential: {file: 1 TB, request: 1 kB}}}");
    ScenarioPlayer player = new ScenarioPlayer(endless, 1, settings(false));
    List<Long> seen = new ArrayList<>();
    PlayListener stopping =
        new PlayListener() {
          @Override
          public void playing(List<JobProgress> jobs, long nowNanos, long endNanos) {
            seen.add(jobs.getFirst().bytes());
            if (seen.size() == 3) {
              player.stop();
            }
          }
        };
    assertThat(player.play("none", stopping).run().endNanos()).isLessThan(20_000_000_000L);
    assertThat(seen.getLast()).isPositive();
    assertThat(server.isEmpty()).isTrue();
  }

  @Test
  void whatAServerRefusesEndsThePlayWithAReason() {
    PlaySettings forbidden =
        new PlaySettings(
            address(),
            NfsVersion.V3,
            "/forbidden",
            true,
            caller(),
            Duration.ofSeconds(5),
            MB,
            false,
            false);
    Scenario scenario = scenario("job: {processes: {sequential: {file: 1 MB}}}");
    assertThatThrownBy(
            () -> new ScenarioPlayer(scenario, 1, forbidden).play("none", PlayListener.NONE))
        .hasMessageContaining("/@job/forbidden")
        .hasMessageContaining("NFS3ERR_ACCES");
  }

  @Test
  void filesAreNeverLongerThanTheyMayBe() throws IOException {
    Scenario scenario =
        scenario("job: {processes: {count: 2, sequential: {file: 25 MB, request: 300 kB}}}");
    PlayResult result =
        new ScenarioPlayer(scenario, 1, settings(true)).play("none", PlayListener.NONE);
    assertThat(job(result, "job").bytes()).isEqualTo(50 * MB);
    assertThat(result.verifiedBytes()).isEqualTo(20 * MB);
  }

  private static JobResult job(PlayResult result, String id) {
    return result.run().jobs().stream()
        .filter(job -> job.id().equals(JobId.of(id)))
        .findFirst()
        .orElseThrow();
  }

  private static Scenario scenario(String jobs) {
    String text = "end: 60 s\ntargets: {t: {bandwidth: 1 GB/s}}\njobs:\n  " + jobs.strip() + "\n";
    return ScenarioReader.parse("test", text, Path.of(""), 1);
  }

  private PlaySettings settings(boolean verify) {
    return new PlaySettings(
        address(),
        NfsVersion.V3,
        "/export",
        true,
        caller(),
        Duration.ofSeconds(20),
        10 * MB,
        verify,
        false);
  }

  private ServerAddress address() {
    return new ServerAddress(server.address(), server.address());
  }

  private static Credential.Sys caller() {
    return new Credential.Sys("test", 1000, 100);
  }
}
