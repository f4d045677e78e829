package dev.sluice.core.policy.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Rate;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.SeededCases;
import java.util.Arrays;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What everybody relies on, of every policy with its scheduler, on targets with fewer tokens in a
 * period than jobs as well as with more.
 *
 * <p>Theorem. While jobs want more than there is: the target serves all the time. Whoever wants is
 * served within ⌈jobs ∕ tokens per period⌉ + 2 periods. At the end each job has had its share, but
 * for two requests.
 */
class LivenessTest {
  /**
   * They promise nothing of the kind: one does nothing, one gives all to whom it gains most, and
   * one draws who is next, which is a share on average only.
   */
  private static final Set<String> WITHOUT_PROMISE = Set.of("none", "mbw", "themis");

  private static final long MILLISECOND = 1_000_000;

  private static final int DECISIONS_MAX = 200;

  static Stream<PolicyFactory> policies() {
    return PolicyRegistry.all().stream()
        .filter(factory -> !WITHOUT_PROMISE.contains(factory.info().name()));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void aHundredAndFiftyJobsOnAHundredOperationsASecond(PolicyFactory factory) {
    long[] nodes = new long[150];
    Arrays.fill(nodes, 1);
    BackloggedTarget target = new BackloggedTarget(factory, 100, nodes, Rate.NANOS_PER_SECOND);
    target.run(300 * Rate.NANOS_PER_SECOND);
    assertThat(target.utilisation()).isGreaterThan(0.97);
    for (int i = 0; i < nodes.length; i++) {
      assertThat(target.served(i)).as("job %s", i).isBetween(198L, 202L);
    }
  }

  @ParameterizedTest
  @MethodSource("policies")
  void whoeverWantsIsServedAtAnyRateAndPeriod(PolicyFactory factory) {
    SeededCases.forAll(20, random -> check(factory, random));
  }

  private static void check(PolicyFactory factory, RandomGenerator random) {
    int jobs = (int) spread(random, 10, EnduranceScale.of(600, 10_000));
    long perSecond = spread(random, 1, 1_000);
    long runNanos = (long) (60.0 * jobs / perSecond * Rate.NANOS_PER_SECOND);
    long shortest = Math.max(MILLISECOND, runNanos / DECISIONS_MAX);
    long longest = Math.clamp(runNanos / 4, shortest + 1, Observation.PERIOD_NANOS_MAX);
    long periodNanos = spread(random, Math.min(shortest, longest - 1), longest);
    long[] nodes = new long[jobs];
    Arrays.fill(nodes, 1);
    BackloggedTarget target = new BackloggedTarget(factory, perSecond, nodes, periodNanos);
    target.run(runNanos);
    String what =
        factory.info().name()
            + ": "
            + jobs
            + " jobs, "
            + perSecond
            + " a second, a period of "
            + periodNanos / MILLISECOND
            + " ms";
    assertThat(target.utilisation()).as(what).isGreaterThan(0.97);
    double share = (double) target.servedInAll() / jobs;
    double perPeriod = (double) perSecond * periodNanos / Rate.NANOS_PER_SECOND;
    double waitMax = (Math.ceil(jobs / perPeriod) + 2) * periodNanos;
    for (int i = 0; i < jobs; i++) {
      assertThat(target.served(i))
          .as("job %s of %s", i, what)
          .isBetween((long) Math.floor(share - 2), (long) Math.ceil(share + 2));
      assertThat((double) target.longestWaitNanos(i))
          .as("wait of job %s of %s", i, what)
          .isLessThanOrEqualTo(waitMax);
    }
  }

  /** As often between 10 and 100 as between 100 and 1,000. */
  private static long spread(RandomGenerator random, long least, long most) {
    double exponent = random.nextDouble(Math.log((double) least), Math.log((double) most));
    return Math.clamp(Math.round(Math.exp(exponent)), least, most);
  }
}
