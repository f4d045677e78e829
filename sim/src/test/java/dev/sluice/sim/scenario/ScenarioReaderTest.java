package dev.sluice.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScenarioReaderTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir Path directory;

  @Test
  void theShortestScenarioHasTheDocumentedDefaults() {
    Scenario scenario =
        parse(
            """
            end: 1 min
            targets: {ost0: {bandwidth: 500 MB/s}}
            jobs: {a: {processes: {sequential: {file: 1 GB}}}}
            """);
    FileLayout layout = new FileLayout(FileLayout.Placement.ROUND_ROBIN, 1, 1 << 20, List.of());
    Workload work = new Workload.Sequential(Operation.WRITE, 1_000_000_000, 1 << 20);
    Target told = new Target("ost0", 500_000_000, TokenUnit.BYTES);
    assertThat(scenario)
        .isEqualTo(
            new Scenario(
                "scenario",
                "",
                Scenario.Mode.REQUESTS,
                60 * SECOND,
                100_000_000,
                0,
                0,
                List.of(new TargetSpec(told, 500_000_000, 0, 0, 16, null)),
                List.of(
                    new JobSpec(
                        JobId.of("a"),
                        "a",
                        1,
                        0,
                        0,
                        List.of(new ProcessGroup(1, 0, 8, work, layout)))),
                List.of("none", "static", "fair", "adaptbf")));
  }

  @Test
  void everyKeyArrivesWhereItBelongs() {
    Scenario scenario =
        parse(
            """
            name: all-of.it_1
            description: "  Everything at once. "
            mode: fluid
            end: 2 h
            sample: 1 s
            period: 250 ms
            policies: [fair, none]
            cluster: {nodes: 128}
            connections: per node
            nconnect: 4
            targets:
              ost0:
                bandwidth: 500 MB/s
                capacity: 476 tokens/s
                operation-cost: 10 us
                latency: 2 ms
                threads: 4
                variability: {deviation: 0.1, every: 1 s}
              ost1: {bandwidth: 1 GiB/s, capacity: 20 kops/s}
            jobs:
              job1:
                nodes: 30
                user: alice
                on: login
                submit: 5 s
                estimate: 1 h
                processes:
                  - count: 2
                    window: 3
                    delay: 7 s
                    bursts:
                      operation: read
                      file: 1 GB
                      burst: 64 MB
                      request: 4 kB
                      every: 5 s
                      jitter: 0.1
                    layout: {stripes: 2, stripe-size: 64 KiB, placement: capacity-balanced}
                  - {bursts: {burst: 64 MB, every: 5 s}, layout: {targets: [ost1, ost0]}}
                  - phases: {iterations: 5, compute: 10 s, jitter: 0.5, read: 10 MB, request: 1 MB}
                    layout: {stripes: all}
                  - {metadata: {mix: {getattr: 3, mkdir: 1}, operations: 1000, rate: 2 kops/s}}
                  - {metadata: {mix: {open: 1}}}
                  - open-loop:
                      operation: read
                      rate: 10 MB/s
                      request: 100 kB
                      spacing: regular
                      requests: 9
                  - {open-loop: {rate: 20 ops/s}}
            """);
    assertThat(scenario.name()).isEqualTo("all-of.it_1");
    assertThat(scenario.description()).isEqualTo("Everything at once.");
    assertThat(scenario.mode()).isEqualTo(Scenario.Mode.FLUID);
    assertThat(scenario.endNanos()).isEqualTo(7_200 * SECOND);
    assertThat(scenario.sampleNanos()).isEqualTo(SECOND);
    assertThat(scenario.periodNanos()).isEqualTo(250_000_000);
    assertThat(scenario.policies()).containsExactly("fair", "none");
    assertThat(scenario.clusterNodes()).isEqualTo(128);
    assertThat(scenario.connections()).isEqualTo(new Connections(Connections.Sharing.PER_NODE, 4));
    assertThat(scenario.targets())
        .containsExactly(
            new TargetSpec(
                new Target("ost0", 476, TokenUnit.OPERATIONS),
                500_000_000,
                10_000,
                2_000_000,
                4,
                new TargetSpec.Variability(0.1, SECOND)),
            new TargetSpec(
                new Target("ost1", 20_000, TokenUnit.OPERATIONS), 1 << 30, 0, 0, 16, null));
    JobSpec job = scenario.jobs().getFirst();
    assertThat(job.id()).isEqualTo(JobId.of("job1"));
    assertThat(job.nodes()).isEqualTo(30);
    assertThat(job.user()).isEqualTo("alice");
    assertThat(job.place()).isEqualTo("login");
    assertThat(job.submitNanos()).isEqualTo(5 * SECOND);
    assertThat(job.estimateNanos()).isEqualTo(3_600 * SECOND);
    FileLayout one = new FileLayout(FileLayout.Placement.ROUND_ROBIN, 1, 1 << 20, List.of());
    assertThat(job.processes())
        .containsExactly(
            new ProcessGroup(
                2,
                7 * SECOND,
                3,
                new Workload.Bursts(
                    Operation.READ, 1_000_000_000, 64_000_000, 4_000, 5 * SECOND, 0.1),
                new FileLayout(FileLayout.Placement.CAPACITY_BALANCED, 2, 64 << 10, List.of())),
            new ProcessGroup(
                1,
                0,
                8,
                new Workload.Bursts(
                    Operation.WRITE, Long.MAX_VALUE, 64_000_000, 1 << 20, 5 * SECOND, 0),
                new FileLayout(FileLayout.Placement.GIVEN, 2, 1 << 20, List.of("ost1", "ost0"))),
            new ProcessGroup(
                1,
                0,
                8,
                new Workload.Phases(5, 10 * SECOND, 0.5, Operation.READ, 10_000_000, 1_000_000),
                new FileLayout(FileLayout.Placement.ROUND_ROBIN, 2, 1 << 20, List.of())),
            new ProcessGroup(
                1,
                0,
                8,
                new Workload.MetadataMix(
                    Map.of(Operation.GETATTR, 3, Operation.MKDIR, 1), 1_000, 2_000),
                one),
            new ProcessGroup(
                1,
                0,
                8,
                new Workload.MetadataMix(Map.of(Operation.OPEN, 1), Long.MAX_VALUE, 0),
                one),
            new ProcessGroup(
                1, 0, 8, new Workload.OpenLoop(Operation.READ, 100_000, 100, true, 9), one),
            new ProcessGroup(
                1,
                0,
                8,
                new Workload.OpenLoop(Operation.WRITE, 1 << 20, 20, false, Long.MAX_VALUE),
                one));
  }

  @Test
  void connectionsArePerNodeUnlessSaidAndMistakesAreNamed() {
    String world =
        "end: 1 min\ntargets: {t: {bandwidth: 1 GB/s}}\njobs: {a: {processes: {sequential: {file: 1"
            + " GB}}}}\n";
    assertThat(parse(world).connections()).isEqualTo(Connections.ONE_PER_NODE);
    assertThat(parse(world + "connections: per job\n").connections())
        .isEqualTo(new Connections(Connections.Sharing.PER_JOB, 1));
    assertThatThrownBy(() -> parse(world + "connections: per user\n"))
        .hasMessageContaining(":4:14: connections")
        .hasMessageContaining("per node");
    assertThatThrownBy(() -> parse(world + "nconnect: 17\n"))
        .hasMessageContaining(":4:11: nconnect")
        .hasMessageContaining("16");
    assertThatThrownBy(() -> parse(world + "connections: per job\nnconnect: 2\n"))
        .hasMessageContaining(":5:1: \"nconnect\"")
        .hasMessageContaining("connections per node");
  }

  @Test
  void smallFilesHaveSmallRequestsByDefault() {
    Scenario scenario =
        parse(
            """
            end: 1 min
            targets: {ost0: {bandwidth: 500 MB/s}}
            jobs:
              a:
                processes:
                  - {sequential: {file: 4 kB}}
                  - {bursts: {burst: 5 kB, every: 1 s}}
                  - {phases: {compute: 1 s, write: 6 kB}}
            """);
    assertThat(scenario.jobs().getFirst().processes())
        .extracting(ProcessGroup::workload)
        .containsExactly(
            new Workload.Sequential(Operation.WRITE, 4_000, 4_000),
            new Workload.Bursts(Operation.WRITE, Long.MAX_VALUE, 5_000, 5_000, SECOND, 0),
            new Workload.Phases(1_000_000_000, SECOND, 0, Operation.WRITE, 6_000, 6_000));
  }

  @Test
  void aFileGivesItsNameAndStandardInputDoesNot() throws Exception {
    String text =
        """
        end: 1 min
        targets: {ost0: {bandwidth: 500 MB/s}}
        jobs: {a: {processes: {sequential: {file: 1 GB}}}}
        """;
    Path file = Files.writeString(directory.resolve("two words.v2.yaml"), text);
    InputStream nothing = InputStream.nullInputStream();
    assertThat(ScenarioReader.read(file.toString(), nothing, 1).name()).isEqualTo("two-words.v2");
    InputStream input = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    assertThat(ScenarioReader.read("-", input, 1).name()).isEqualTo("scenario");
  }

  @Test
  void repeatMakesManyOfOne() {
    Scenario scenario =
        parse(
            """
            end: 1 min
            targets: {ost: {repeat: 3, bandwidth: 500 MB/s}}
            jobs:
              app:
                submit: 2 s
                repeat: 3
                submit-every: 10 s
                user: alice
                processes: {sequential: {file: 1 GB}}
              other: {repeat: 2, processes: {sequential: {file: 1 GB}}}
            """);
    assertThat(scenario.targets())
        .extracting(TargetSpec::name)
        .containsExactly("ost-1", "ost-2", "ost-3");
    assertThat(scenario.jobs())
        .extracting(job -> job.id().toString())
        .containsExactly("app-1", "app-2", "app-3", "other-1", "other-2");
    assertThat(scenario.jobs())
        .extracting(JobSpec::submitNanos)
        .containsExactly(2 * SECOND, 12 * SECOND, 22 * SECOND, 0L, 0L);
    assertThat(scenario.jobs())
        .extracting(JobSpec::user)
        .containsExactly("alice", "alice", "alice", "other", "other");
  }

  private static final String ARRIVALS =
      """
      end: 10 h
      targets: {ost0: {bandwidth: 500 MB/s}}
      jobs:
        first: {arrivals: {mean: 10 s, shape: 0.5}, processes: {sequential: {file: 1 B}}}
        second:
          submit: 1 h
          arrivals: {count: 20, mean: 10 s}
          processes: {sequential: {file: 1 B}}
      """;

  @Test
  void arrivalsFollowFromTheSeedAndTheName() {
    Scenario scenario = ScenarioReader.parse("a", ARRIVALS, directory, 1);
    assertThat(ScenarioReader.parse("a", ARRIVALS, directory, 1)).isEqualTo(scenario);
    assertThat(submits(ScenarioReader.parse("a", ARRIVALS, directory, 2), "first"))
        .isNotEqualTo(submits(scenario, "first"));
    String alone = ARRIVALS.replaceFirst("  first: .*\n", "");
    assertThat(submits(ScenarioReader.parse("a", alone, directory, 1), "second"))
        .isEqualTo(submits(scenario, "second"));
  }

  @Test
  void arrivalsComeAtTheirMeanRateUntilTheEndOrTheirCount() {
    Scenario scenario = ScenarioReader.parse("a", ARRIVALS, directory, 1);
    List<Long> first = submits(scenario, "first");
    assertThat((double) first.size()).isCloseTo(3_600, within(250.0));
    assertThat(first).isSorted().allMatch(at -> at < 36_000 * SECOND);
    assertThat(submits(scenario, "second"))
        .hasSize(20)
        .isSorted()
        .allMatch(at -> at > 3_600 * SECOND);
  }

  private static List<Long> submits(Scenario scenario, String name) {
    return scenario.jobs().stream()
        .filter(job -> job.id().toString().startsWith(name + "-"))
        .map(JobSpec::submitNanos)
        .toList();
  }

  @Test
  void whoQueuesWithoutAnEstimateMayRunToTheEnd() {
    Scenario scenario =
        parse(
            """
            end: 1 h
            cluster: {nodes: 4}
            targets: {ost0: {bandwidth: 500 MB/s}}
            jobs: {a: {nodes: 4, processes: {sequential: {file: 1 GB}}}}
            """);
    assertThat(scenario.jobs().getFirst().estimateNanos()).isEqualTo(3_600 * SECOND);
  }

  @Test
  void aTraceMakesItsJobsAndAGroupReplaysItsOwn() throws Exception {
    Files.writeString(
        directory.resolve("trace.csv"),
        """
        time,job,target,op,bytes
        1.5,a,ost0,write,100
        2,b,ost0,read,200
        2.5,a,ost0,close,0
        """);
    Scenario scenario =
        parse(
            """
            end: 1 h
            targets: {ost0: {bandwidth: 500 MB/s}}
            trace: {file: trace.csv, nodes: {b: 7}}
            jobs:
              c: {processes: {delay: 3 s, trace: {file: trace.csv, job: a}}}
            """);
    assertThat(scenario.jobs())
        .extracting(job -> job.id().toString())
        .containsExactly("c", "a", "b");
    assertThat(scenario.jobs()).extracting(JobSpec::nodes).containsExactly(1L, 1L, 7L);
    assertThat(scenario.jobs())
        .extracting(JobSpec::submitNanos)
        .containsExactly(0L, 3 * SECOND / 2, 2 * SECOND);
    assertThat(scenario.jobs())
        .extracting(job -> job.processes().getFirst().workload())
        .containsExactly(
            new Workload.Replay(
                List.of(line(1_500, Operation.WRITE, 100), line(2_500, Operation.CLOSE, 0))),
            new Workload.Replay(
                List.of(line(0, Operation.WRITE, 100), line(1_000, Operation.CLOSE, 0))),
            new Workload.Replay(List.of(line(0, Operation.READ, 200))));
  }

  private static Workload.TraceLine line(long millis, Operation operation, long bytes) {
    return new Workload.TraceLine(millis * 1_000_000, "ost0", operation, bytes);
  }

  private Scenario parse(String text) {
    return ScenarioReader.parse("test.yaml", text, directory, 1);
  }
}
