package dev.sluice.lustre.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.capacity.CapacityBelief;
import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.config.LustreConfigurationReader;
import dev.sluice.lustre.lctl.LustreServer;
import dev.sluice.lustre.standin.ListedJobs;
import dev.sluice.lustre.standin.StandInLctl;
import dev.sluice.lustre.standin.StandInServer;
import dev.sluice.lustre.standin.VirtualOss;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.ScenarioReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A capacity that nobody told, on a stand-in server with Lustre's own filter: what is believed of
 * it, and whether jobs share it by their nodes.
 */
class FoundCapacityTest {
  private static final long SECOND = 1_000_000_000L;
  private static final double CAPACITY = 400;

  @TempDir Path directory;

  /** By second: what was believed, 0 while nothing was; and what was said went wrong. */
  private record Run(VirtualOss oss, List<Double> believed, List<String> problems, int rules) {
    /** What was believed at a second, in parts of what the server can do. */
    double at(int second) {
      return believed.get(second) / CAPACITY;
    }

    double used(int from, int to) {
      return (oss.rate(1, from, to) + oss.rate(2, from, to)) / 1e6 / CAPACITY;
    }

    /** What the job of one node of four had. */
    double share(int from, int to) {
      return oss.rate(1, from, to) / (oss.rate(1, from, to) + oss.rate(2, from, to));
    }
  }

  private static Scenario scenario(int seconds, int window) {
    return ScenarioReader.parse(
        "test.yaml",
        String.format(
            Locale.ROOT,
            """
            name: found
            end: %1$d s
            targets: {disk: {bandwidth: 400 MB/s, threads: 128}}
            jobs:
              small:
                processes: {window: %2$d, sequential: {file: 100 TB, request: 1 MB}}
              big:
                nodes: 3
                processes: {count: 3, window: %2$d, sequential: {file: 100 TB, request: 1 MB}}
            """,
            seconds,
            window),
        Path.of("."),
        1);
  }

  private Run run(Scenario scenario, StandInServer<?> server, VirtualOss oss, String settings)
      throws Exception {
    StandInLctl lctl = new StandInLctl(server);
    LustreService service = LustreService.OST_IO;
    lctl.run(List.of("set_param", service.policiesParameter() + "=tbf jobid"), (_, _) -> {});
    LustreConfiguration configuration =
        LustreConfigurationReader.parse("test.yaml", "{state: state, " + settings + "}", directory);
    LustreServer parameters = new LustreServer(lctl, service);
    List<Double> believed = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    int[] rules = {0};
    try (Journal journal = Journal.open(configuration.state(), service)) {
      Custody custody = new Custody(parameters, configuration, journal, _ -> {});
      LustreLoop loop =
          LustreLoop.enforcing(
              parameters,
              custody.takeOver(),
              configuration,
              ListedJobs.of(scenario),
              custody,
              oss::nowNanos);
      CapacityMemory memory =
          new CapacityMemory(configuration.state(), service, InstantSource.system());
      CapacityMemory.Known known = memory.read();
      if (known != null) {
        loop.remember(known);
      }
      oss.run(
          1,
          nowNanos -> {
            PeriodReport report = loop.step(nowNanos);
            problems.addAll(report.problems());
            CapacityBelief belief = report.decision() == null ? null : report.decision().belief();
            write(memory, belief);
            believed.add(belief == null || !belief.known() ? 0 : belief.tokensPerSecond());
            rules[0] = report.decision() == null ? 0 : report.decision().wanted().size();
            return nowNanos + SECOND;
          });
      assertThat(custody.giveBack()).isNull();
    }
    assertThat(server.crash()).isNull();
    return new Run(oss, believed, problems, rules[0]);
  }

  private static void write(CapacityMemory memory, @Nullable CapacityBelief belief) {
    try {
      memory.write(belief);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static StandInServer<?> server(int partitions, long lateMicros) {
    StandInServer<?> server = VirtualOss.server(LustreVersion.of(2, 17, 57), partitions);
    server.lateNanos(lateMicros * 1_000);
    return server;
  }

  /** The server is at half of its speed from 60 s to 120 s. */
  @ParameterizedTest
  @CsvSource({"1, 50, adaptbf, 32", "2, 50, fair, 32", "1, 730, adaptbf, 32", "1, 50, fair, 8"})
  void whatAServerCanDoIsFoundAndFollowed(
      int partitions, long lateMicros, String policy, int window) throws Exception {
    Scenario scenario = scenario(190, window);
    StandInServer<?> server = server(partitions, lateMicros);
    VirtualOss oss = new VirtualOss(scenario, server);
    oss.speed(now -> now >= 60 * SECOND && now < 120 * SECOND ? 0.5 : 1);
    Run run = run(scenario, server, oss, "capacity: auto, policy: " + policy);
    System.out.printf(
        Locale.ROOT,
        "found, %d partitions, late by %d us, %s, window %d: believed %.3f after 30 s, %.3f 10 s"
            + " after halving, %.3f 60 s after doubling; used %.3f, %.3f, %.3f; share %.3f, %.3f%n",
        partitions,
        lateMicros,
        policy,
        window,
        run.at(30),
        run.at(70) / 0.5,
        run.at(180),
        run.used(30, 60),
        run.used(70, 120) / 0.5,
        run.used(180, 188),
        run.share(30, 60),
        run.share(80, 120));
    assertThat(run.problems).isEmpty();
    assertThat(run.at(30)).isCloseTo(1, within(0.1));
    assertThat(run.at(70)).isCloseTo(0.5, within(0.05));
    assertThat(run.at(180)).isCloseTo(1, within(0.1));
    assertThat(run.used(30, 60)).isGreaterThan(0.95);
    assertThat(run.used(70, 120)).isGreaterThan(0.95 / 2);
    assertThat(run.used(180, 188)).isGreaterThan(0.95);
    assertThat(run.share(30, 60)).isCloseTo(0.25, within(0.03));
  }

  /** A single request at a time fills nothing: nobody is limited, and nothing is believed. */
  @Test
  void whatIsNeverFilledStaysUnknown() throws Exception {
    Scenario scenario =
        ScenarioReader.parse(
            "test.yaml",
            """
            name: alone
            end: 60 s
            targets: {disk: {bandwidth: 400 MB/s, threads: 128}}
            jobs:
              small: {processes: {window: 1, sequential: {file: 100 TB, request: 1 MB}}}
            """,
            Path.of("."),
            1);
    StandInServer<?> server = server(1, 50);
    VirtualOss oss = new VirtualOss(scenario, server);
    Run run = run(scenario, server, oss, "capacity: auto");
    assertThat(run.believed).containsOnly(0.0);
    assertThat(run.rules).isZero();
    assertThat(run.problems).isEmpty();
  }

  /** A server that is at half of its speed after a restart, or as it was before. */
  @ParameterizedTest
  @ValueSource(doubles = {1, 0.5})
  void aRestartGoesOnFromWhatWasKnown(double speed) throws Exception {
    Scenario before = scenario(40, 32);
    StandInServer<?> first = server(1, 50);
    run(before, first, new VirtualOss(before, first), "capacity: auto");
    Scenario after = scenario(30, 32);
    StandInServer<?> second = server(1, 50);
    VirtualOss oss = new VirtualOss(after, second);
    oss.speed(_ -> speed);
    Run run = run(after, second, oss, "capacity: auto");
    assertThat(run.at(1)).isCloseTo(1, within(0.1));
    assertThat(run.at(12)).isCloseTo(speed, within(0.1 * speed));
    assertThat(run.share(12, 28)).isCloseTo(0.25, within(0.03));
    assertThat(run.problems).isEmpty();
  }

  @Test
  void aBoundAlwaysWins() throws Exception {
    Scenario scenario = scenario(60, 32);
    StandInServer<?> server = server(1, 50);
    VirtualOss oss = new VirtualOss(scenario, server);
    Run run = run(scenario, server, oss, "capacity: {at-most: 200 ops/s}");
    assertThat(run.used(30, 60)).isCloseTo(0.5, within(0.03));
    assertThat(run.believed).allMatch(believed -> believed <= 200);
  }

  @Test
  void aServerThatDoesNotSayHowManyItServesIsToldOf() throws Exception {
    Scenario scenario = scenario(20, 32);
    StandInServer<?> server = server(1, 50);
    server.hideInService();
    VirtualOss oss = new VirtualOss(scenario, server);
    Run run = run(scenario, server, oss, "capacity: auto");
    assertThat(run.believed).containsOnly(0.0);
    assertThat(Objects.requireNonNull(run.problems.getFirst()))
        .contains("cannot be found out", "write a capacity");
  }
}
