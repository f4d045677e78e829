package dev.sluice.sim.run;

import static dev.sluice.sim.run.Worlds.MIB;
import static dev.sluice.sim.run.Worlds.SECOND;
import static dev.sluice.sim.run.Worlds.job;
import static dev.sluice.sim.run.Worlds.scenario;
import static dev.sluice.sim.run.Worlds.target;
import static dev.sluice.sim.run.Worlds.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Allocation;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Nothing;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.Step;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.Shares;
import dev.sluice.sim.Simulator;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.result.Timeline;
import dev.sluice.sim.scenario.FileLayout;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.TargetSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Policies that decide about all targets together, in the simulation of every request. */
class AllTargetsTest {
  private static final long PERIOD_NANOS = SECOND / 10;
  private static final List<TargetSpec> TARGETS =
      List.of(target("ost0", 100), target("ost1", 100), target("ost2", 400));

  /**
   * One budget for each job wherever it works: 100 requests a second over all targets, divided by
   * what the job wants of each.
   */
  private static final class OneBudget implements Policy<Nothing> {
    private static final long BUDGET_TOKENS = 100;

    @Override
    public Nothing initialState(Cluster cluster) {
      return Nothing.REMEMBERED;
    }

    @Override
    public Step<Nothing> decide(Nothing remembered, Observation seen) {
      assertThat(seen.targets().keySet()).containsExactly("ost0", "ost1", "ost2");
      Map<JobId, Long> wantedInAll = new HashMap<>();
      for (List<JobDemand> jobs : seen.targets().values()) {
        jobs.forEach(
            demand -> wantedInAll.merge(demand.job(), demand.wantedTokens(), Math::addExact));
      }
      Map<String, Shares> decided = new HashMap<>();
      seen.targets().forEach((target, jobs) -> decided.put(target, shares(jobs, wantedInAll)));
      long processes =
          seen.targets().values().stream()
              .flatMap(List::stream)
              .filter(demand -> demand.wantedTokens() > 0)
              .mapToLong(JobDemand::processes)
              .sum();
      return new Step<>(remembered, new Allocation(decided), new Budgets(wantedInAll, processes));
    }

    private static Shares shares(List<JobDemand> jobs, Map<JobId, Long> wantedInAll) {
      long[] tokens = new long[jobs.size()];
      long[] weights = new long[jobs.size()];
      for (int i = 0; i < tokens.length; i++) {
        long inAll = Math.max(1, wantedInAll.getOrDefault(jobs.get(i).job(), 0L));
        tokens[i] = BUDGET_TOKENS * jobs.get(i).wantedTokens() / inAll;
        weights[i] = 1;
      }
      return Shares.ofColumns(
          jobs.stream().map(JobDemand::job).toArray(JobId[]::new), tokens, weights, SECOND);
    }
  }

  private record Budgets(Map<JobId, Long> wanted, long processes) implements Explanation {
    @Override
    public Map<String, Number> amounts() {
      return Map.of("decisions", 1);
    }

    @Override
    public Map<String, Number> levels() {
      return Map.of("processes", processes);
    }

    @Override
    public String summary() {
      return "one budget for each job";
    }

    @Override
    public List<Reason> reasons() {
      return wanted.keySet().stream()
          .sorted()
          .map(job -> new Reason(job, Map.of("allocated", OneBudget.BUDGET_TOKENS), "its budget"))
          .toList();
    }
  }

  private static final PolicyFactory FACTORY =
      new PolicyFactory() {
        @Override
        public PolicyInfo info() {
          return new PolicyInfo(
              "one-budget",
              "a budget over all targets",
              "these tests",
              "",
              PolicyInfo.Scope.ALL_TARGETS,
              PERIOD_NANOS,
              SchedulerKind.TBF,
              Set.of(PolicyInfo.Need.DEMAND),
              List.of());
        }

        @Override
        public Policy<?> create(Settings settings) {
          return new OneBudget();
        }
      };

  @Test
  void oneDecisionIsAboutAllTargets() {
    RunResult result = run(world(Scenario.Mode.REQUESTS));

    // 100 a second for each job, whether it uses one target or two, and what full buckets and the
    // first period without a limit let through.
    assertThat((double) Worlds.job(result, "narrow").operations()).isCloseTo(2_000, within(100.0));
    assertThat((double) Worlds.job(result, "wide").operations()).isCloseTo(2_000, within(100.0));
    assertThat(result.decisions()).isBetween(199L, 201L);
    // What a policy says of a job over all targets is not added up once for each of them.
    Timeline allocated =
        Objects.requireNonNull(Worlds.job(result, "wide").figures().get("allocated"));
    assertThat(Worlds.values(allocated)).last().isEqualTo(100.0);
  }

  /** Four processes of the one job on one target, and four of the other on each of three. */
  @Test
  void policiesAreToldHowManyProcessesDoIo() {
    for (Scenario.Mode mode : Scenario.Mode.values()) {
      RunResult result = run(world(mode));
      Timeline processes = Objects.requireNonNull(result.totals().get("processes"));
      assertThat(Worlds.values(processes)).as(mode.toString()).last().isEqualTo(16.0);
    }
  }

  @Test
  void whatAPolicySaysOfItsDecisionsAsAWholeIsAddedUp() {
    for (Scenario.Mode mode : Scenario.Mode.values()) {
      RunResult result = run(world(mode));
      Timeline decisions = Objects.requireNonNull(result.totals().get("decisions"));
      assertThat(Worlds.values(decisions).stream().mapToDouble(Double::doubleValue).sum())
          .as(mode.toString())
          .isEqualTo((double) result.decisions());
    }
  }

  @Test
  void equalSeedsGiveEqualResults() {
    assertThat(Worlds.dump(run(world(Scenario.Mode.REQUESTS))))
        .isEqualTo(Worlds.dump(run(world(Scenario.Mode.REQUESTS))));
  }

  private static Scenario world(Scenario.Mode mode) {
    return scenario(
        mode,
        20 * SECOND,
        TARGETS,
        List.of(job("narrow", 1, on("ost2")), job("wide", 1, on("ost0"), on("ost1"), on("ost2"))));
  }

  private static ProcessGroup on(String target) {
    FileLayout layout = new FileLayout(FileLayout.Placement.GIVEN, 1, MIB, List.of(target));
    return new ProcessGroup(4, 0, 4, write(100_000), layout);
  }

  private static RunResult run(Scenario scenario) {
    return new StandardSimulator()
        .run(scenario, FACTORY, new Settings(FACTORY.info(), Map.of()), 1, Simulator.Progress.NONE);
  }
}
