package dev.sluice.core.policy.padll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.testkit.SeededCases;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PadllAlgorithmTest {
  private static final int CASES = 20_000;
  private static final Resource METADATA = new Resource("metadata", 110_000, Counted.OPERATIONS);

  /** Table I, scenario 1: what the four jobs are assigned. */
  private static final long[] TABLE_1 = {15_000, 25_000, 30_000, 40_000};

  private static List<JobUse> fourJobs(long... usages) {
    JobUse[] jobs = new JobUse[usages.length];
    Arrays.setAll(
        jobs,
        i -> new JobUse(JobId.of("job" + (i + 1)), TABLE_1[i], usages[i], TABLE_1[i] / 1_000));
    return List.of(jobs);
  }

  @Test
  void allDemandedRatesAreGivenWhenAllAreBusy() {
    List<JobUse> busy = fourJobs(90_000, 90_000, 90_000, 90_000);
    double[] tableI = {15_000, 25_000, 30_000, 40_000};
    assertThat(PadllAlgorithm.named("priority").rates(METADATA, busy)).containsExactly(tableI);
    assertThat(PadllAlgorithm.named("proportional").rates(METADATA, busy)).containsExactly(tableI);
    assertThat(PadllAlgorithm.named("psfa").rates(METADATA, busy)).containsExactly(tableI);
    assertThat(PadllAlgorithm.named("uniform").rates(METADATA, busy))
        .containsExactly(27_500, 27_500, 27_500, 27_500);
  }

  /** As the paper sets its static limits: for four jobs, also while only two are there. */
  @Test
  void staticLimitsCanBeFixedFromTheFirstJobOn() {
    List<JobUse> two = fourJobs(90_000, 90_000);
    assertThat(PadllAlgorithm.named("uniform", Map.of("jobs", "4")).rates(METADATA, two))
        .containsExactly(27_500, 27_500);
    assertThat(PadllAlgorithm.named("priority", Map.of("priorities", "110")).rates(METADATA, two))
        .containsExactly(15_000, 25_000);
    assertThat(PadllAlgorithm.named("uniform", Map.of("jobs", "1")).rates(METADATA, two))
        .containsExactly(55_000, 55_000);
  }

  @Test
  void proportionalSharingLeavesNothingOver() {
    assertThat(PadllAlgorithm.named("proportional").rates(METADATA, fourJobs(0, 0)))
        .containsExactly(110_000 * 15 / 40.0, 110_000 * 25 / 40.0);
    assertThat(PadllAlgorithm.named("proportional").rates(METADATA, fourJobs(0)))
        .containsExactly(110_000);
  }

  /**
   * By hand, with epsilon 0.5. The turns: 15 + 0 of 27.5; 5 + 10 of 31.7; 20 + 5 of 40; the last
   * uses more than its 40 of 55. Then 15 are left, which 15, 5, 20 and 60 of 100 share.
   */
  @Test
  void psfaByHand() {
    double[] rates = new UsageSharing(0.5).rates(METADATA, fourJobs(15_000, 5_000, 20_000, 60_000));
    assertThat(rates).containsExactly(17_250, 15_750, 28_000, 49_000);
  }

  @Test
  void psfaSharesEquallyWhenNobodyUsesAnything() {
    double[] rates = new UsageSharing(0).rates(METADATA, fourJobs(0, 0, 0, 0));
    assertThat(rates).containsExactly(27_500, 27_500, 27_500, 27_500);
  }

  /** The theorem above {@link PadllAlgorithm#rates}. */
  @Test
  void ratesAddUpToTheMaximumAndNoneIsNegativeInAnyOrderOfJobs() {
    SeededCases.forAll(
        CASES,
        random -> {
          Resource resource = RandomUses.resource(random);
          List<JobUse> jobs = RandomUses.jobs(random, resource, 12);
          PadllAlgorithm algorithm = RandomUses.algorithm(random);
          double[] rates = algorithm.rates(resource, jobs);
          double maximum = (double) resource.maximumPerSecond();
          assertThat(rates).hasSize(jobs.size());
          assertThat(Arrays.stream(rates).sum()).isEqualTo(maximum, within(1e-9 * maximum));
          assertThat(Arrays.stream(rates).min().orElseThrow()).isNotNegative();

          Collections.shuffle(jobs, new Random(random.nextLong()));
          double[] shuffled = algorithm.rates(resource, jobs);
          Map<String, Double> byJob = new TreeMap<>();
          for (int i = 0; i < shuffled.length; i++) {
            byJob.put(jobs.get(i).job().toString(), shuffled[i]);
          }
          for (int i = 0; i < rates.length; i++) {
            assertThat(byJob.getOrDefault("job" + i, -1.0))
                .isEqualTo(rates[i], within(1e-9 * maximum));
          }
        });
  }

  /** The theorem above {@link UniformLimits#rates} and {@link PriorityLimits#rates}. */
  @Test
  void staticLimitsNeverExceedTheMaximum() {
    SeededCases.forAll(
        CASES,
        random -> {
          Resource resource = RandomUses.resource(random);
          List<JobUse> jobs = RandomUses.jobs(random, resource, 12);
          double maximum = (double) resource.maximumPerSecond();
          double[] alike = new UniformLimits(random.nextLong(1, 30)).rates(resource, jobs);
          assertThat(Arrays.stream(alike).distinct().count()).isEqualTo(1);
          assertThat(Arrays.stream(alike).sum()).isLessThanOrEqualTo(maximum * (1 + 1e-9));
          double[] byPriority =
              new PriorityLimits(random.nextLong(1, 1 << 22)).rates(resource, jobs);
          assertThat(Arrays.stream(byPriority).sum()).isLessThanOrEqualTo(maximum * (1 + 1e-9));
          for (int i = 1; i < byPriority.length; i++) {
            assertThat(byPriority[i] * jobs.getFirst().priority())
                .isEqualTo(
                    byPriority[0] * jobs.get(i).priority(),
                    within(1e-6 * byPriority[0] * (1 << 20)));
          }
        });
  }

  /** The theorem above {@link ProportionalSharing#rates}. */
  @Test
  void proportionalSharingIsMaxMinFairUpToDemands() {
    SeededCases.forAll(
        CASES,
        random -> {
          Resource resource = RandomUses.resource(random);
          List<JobUse> jobs = RandomUses.jobs(random, resource, 12);
          double[] rates = new ProportionalSharing().rates(resource, jobs);
          double demands = jobs.stream().mapToDouble(use -> use.demandPerSecond()).sum();
          double slack = 1e-9 * resource.maximumPerSecond();
          double most = Arrays.stream(rates).max().orElseThrow();
          for (int i = 0; i < rates.length; i++) {
            double demand = jobs.get(i).demandPerSecond();
            if (demands > resource.maximumPerSecond()) {
              assertThat(rates[i]).isLessThanOrEqualTo(demand + slack);
              assertThat(rates[i] >= demand - slack || rates[i] >= most - slack).isTrue();
            } else {
              assertThat(rates[i]).isGreaterThanOrEqualTo(demand - slack);
              double part = demands == 0 ? 1.0 / rates.length : demand / demands;
              assertThat(rates[i]).isEqualTo(part * resource.maximumPerSecond(), within(slack));
            }
          }
        });
  }

  /** The theorem above {@link UsageSharing#rates}. */
  @Test
  void psfaKeepsWhatAJobUsesUpToItsDemand() {
    SeededCases.forAll(
        CASES,
        random -> {
          Resource resource = RandomUses.resource(random);
          List<JobUse> jobs = RandomUses.jobs(random, resource, 12);
          double epsilon = random.nextDouble();
          double[] rates = new UsageSharing(epsilon).rates(resource, jobs);
          double part = (double) resource.maximumPerSecond() / jobs.size();
          for (int i = 0; i < rates.length; i++) {
            double demand = jobs.get(i).demandPerSecond();
            double usage = jobs.get(i).usagePerSecond();
            double kept = usage <= demand ? usage + (demand - usage) * epsilon : demand;
            assertThat(rates[i])
                .isGreaterThanOrEqualTo(Math.min(kept, part) - 1e-9 * resource.maximumPerSecond());
          }
        });
  }

  @Test
  void badNamesAndSettingsAreRefused() {
    assertThatThrownBy(() -> PadllAlgorithm.named("pfsa"))
        .hasMessage(
            "there is no algorithm \"pfsa\"; there are uniform, priority, proportional, psfa; did"
                + " you mean psfa?");
    assertThatThrownBy(() -> PadllAlgorithm.named("psfa", Map.of("epsilon", "1.1")))
        .hasMessage("epsilon=1.1: expected a number from 0 to 1");
    assertThatThrownBy(() -> PadllAlgorithm.named("uniform", Map.of("jobs", "0")))
        .hasMessage("jobs=0: expected a whole number from 1 to 10000000");
    assertThatThrownBy(() -> PadllAlgorithm.named("proportional", Map.of("jobs", "4")))
        .hasMessageContaining("has no parameter \"jobs\"");
    assertThatThrownBy(() -> new Resource("x", 0, Counted.BYTES))
        .hasMessageContaining("resource x: its maximum must be 1 to");
    assertThatThrownBy(() -> new JobUse(JobId.of("a"), -1, 0, 1))
        .hasMessageContaining("job a: its demand must be 0 to");
    assertThatThrownBy(() -> new JobUse(JobId.of("a"), 0, -1, 1))
        .hasMessageContaining("job a: its usage must be 0 to");
    assertThatThrownBy(() -> new JobUse(JobId.of("a"), 0, 0, 0))
        .hasMessageContaining("job a: its priority must be 1 to");
  }
}
