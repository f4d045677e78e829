package dev.sluice.lustre.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.config.LustreConfigurationReader;
import dev.sluice.lustre.lctl.LustreServer;
import dev.sluice.lustre.standin.ListedJobs;
import dev.sluice.lustre.standin.StandInLctl;
import dev.sluice.lustre.standin.StandInServer;
import dev.sluice.lustre.standin.VirtualOss;
import dev.sluice.sim.scenario.BuiltInScenarios;
import dev.sluice.sim.scenario.Scenario;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A metadata service, whose counters of jobs do not show all that it serves: lookups of names that
 * are not there are served and counted for nobody.
 */
class MetadataTest {
  private static final LustreVersion VERSION = LustreVersion.of(2, 17, 57);
  private static final long SECOND = 1_000_000_000L;
  private static final double[] PRIORITIES = {0.1, 0.1, 0.3, 0.5};

  @TempDir Path directory;

  /** Jobs of 10, 10, 30 and 50 % with as many requests as they may have. */
  private VirtualOss run(Map<String, Integer> uncounted, String policy) throws Exception {
    Scenario scenario = BuiltInScenarios.read("allocation", 1);
    StandInServer<?> server = VirtualOss.server(VERSION, LustreService.MDT, 1);
    StandInLctl lctl = new StandInLctl(server);
    VirtualOss mds = new VirtualOss(scenario, server);
    uncounted.forEach(mds::uncounted);
    LustreConfiguration configuration =
        LustreConfigurationReader.parse(
            "test.yaml",
            "{service: mdt, capacity: "
                + scenario.targets().getFirst().told().tokensPerSecond()
                + " ops/s, switch-policy: true, policy: "
                + policy
                + ", state: state}",
            directory);
    LustreServer parameters = new LustreServer(lctl, LustreService.MDT);
    try (Journal journal = Journal.open(configuration.state(), LustreService.MDT)) {
      Custody custody = new Custody(parameters, configuration, journal, _ -> {});
      LustreVersion version = custody.takeOver();
      LustreLoop loop =
          LustreLoop.enforcing(
              parameters, version, configuration, ListedJobs.of(scenario), custody, mds::nowNanos);
      mds.run(
          1,
          nowNanos -> {
            assertThat(loop.step(nowNanos).problems()).isEmpty();
            return nowNanos + SECOND;
          });
    }
    return mds;
  }

  private static void assertShares(VirtualOss mds) {
    double until = mds.end(4) - 1;
    double all = 0;
    for (int job = 1; job <= 4; job++) {
      all += mds.rate(job, 10, until);
    }
    StringBuilder shares = new StringBuilder("shares, and all in requests a second:");
    for (int job = 1; job <= 4; job++) {
      shares.append(" %.3f".formatted(mds.rate(job, 10, until) / all));
    }
    System.out.println(shares.append(" %.0f".formatted(all / (1 << 20))));
    for (int job = 1; job <= 4; job++) {
      assertThat(mds.rate(job, 10, until) / all)
          .as("share of job " + job)
          .isBetween(PRIORITIES[job - 1] - 0.05, PRIORITIES[job - 1] + 0.05);
    }
    assertThat(all).isGreaterThan(0.9 * 500e6);
  }

  private static List<String> ids() {
    return BuiltInScenarios.read("allocation", 1).jobs().stream()
        .map(job -> job.id().toString())
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"adaptbf", "fair"})
  void whoMissesMuchHasNoMoreThanOthers(String policy) throws Exception {
    assertShares(run(Map.of(ids().get(3), 3), policy));
    assertShares(run(Map.of(ids().get(0), 3, ids().get(2), 1), policy));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void whoOnlyMissesIsSeen(int job) throws Exception {
    assertShares(run(Map.of(ids().get(job), 1_000_000_000), "adaptbf"));
  }

  @Test
  void aServiceForLocksIsNotLimited() {
    LustreConfiguration configuration =
        LustreConfigurationReader.parse(
            "test.yaml", "{service: ldlm, capacity: 1 kops/s, state: state}", directory);
    assertThat(Objects.requireNonNull(configuration.service().againstLimiting()))
        .contains("others wait for");
  }
}
