package dev.sluice.core.policy.iosets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cadence;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyContract;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.Step;
import dev.sluice.core.schedule.MaxWait;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.Turns;
import dev.sluice.core.schedule.iosets.IoSetsScheduler;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IoSetsTest extends PolicyContract {
  private static final long SECOND = 1_000_000_000L;
  private static final Target TARGET = new Target("t", 100 << 20, TokenUnit.BYTES);

  @Override
  protected PolicyFactory factory() {
    return new IoSetsFactory();
  }

  /** The paper's example: 4 to 31 s are S1, 32 to 316 s are S2. */
  @Test
  void thePeriodsOrderOfMagnitudeIsTheSet() {
    SetMapping mapping = new SetMapping(10, 0);
    assertThat(mapping.set(4 * SECOND)).isEqualTo(1);
    assertThat(mapping.set(31 * SECOND)).isEqualTo(1);
    assertThat(mapping.set(32 * SECOND)).isEqualTo(2);
    assertThat(mapping.set(316 * SECOND)).isEqualTo(2);
    assertThat(mapping.set(317 * SECOND)).isEqualTo(3);
    assertThat(mapping.set(SECOND / 1_000)).isEqualTo(-3);
    assertThat(mapping.priority(2)).isCloseTo(0.01, within(1e-15));
    assertThat(new SetMapping(2, 0).set(16 * SECOND)).isEqualTo(4);
  }

  @Test
  void setsAreTenTimesEachOthersPriority() {
    Shares shares = decide(every("fast", 19.2), every("slow", 384), every("slower", 400));
    assertThat(shares.weight(0)).isEqualTo(IoSetsScheduler.PRIORITY_ONE / 10);
    assertThat(shares.weight(1)).isEqualTo(IoSetsScheduler.PRIORITY_ONE / 1_000);
    assertThat(shares.weight(2)).isEqualTo(shares.weight(1));
    assertThat(shares.isLimited(0)).isFalse();
  }

  @Test
  void whatIsNotKnownIsASetOfItsOwnNearOneFiftieth() {
    Shares shares = decide(unknown("a"), every("b", 20), unknown("c"));
    assertThat(shares.weight(0)).isNotEqualTo(shares.weight(2));
    assertThat((double) shares.weight(0) / IoSetsScheduler.PRIORITY_ONE)
        .isCloseTo(0.02, within(1e-6));
    assertThat((double) shares.weight(2) / IoSetsScheduler.PRIORITY_ONE)
        .isCloseTo(0.02, within(1e-6));
  }

  @Test
  void whatWasFoundOnceStaysUntilSomethingElseIsFound() {
    History history = new History(Map.of());
    assertThat(history.weight(every("a", 20))).isEqualTo(IoSetsScheduler.PRIORITY_ONE / 10);
    assertThat(history.weight(unknown("a"))).isEqualTo(IoSetsScheduler.PRIORITY_ONE / 10);
    assertThat(history.weight(unsure("a", 2_000))).isEqualTo(IoSetsScheduler.PRIORITY_ONE / 10);
    assertThat(history.weight(every("a", 2_000))).isEqualTo(IoSetsScheduler.PRIORITY_ONE / 1_000);
  }

  @Test
  void aLongPhasePutsAJobThatIsNotKnownIntoTheSetThatItMustAtLeastBelongTo() {
    History history = new History(Map.of());
    assertThat(history.weight(atLeast("a", 2)))
        .as("a short phase says nothing")
        .isGreaterThan(IoSetsScheduler.UNLISTED_WEIGHT);
    assertThat(history.weight(atLeast("a", 20)))
        .as("a phase of 20 s may belong to S1, but 1/10 is for those who are known")
        .isEqualTo(IoSetsScheduler.UNLISTED_WEIGHT);
    assertThat(history.weight(atLeast("a", 40))).isEqualTo(IoSetsScheduler.PRIORITY_ONE / 100);
    assertThat(history.weight(unknown("a"))).isEqualTo(IoSetsScheduler.PRIORITY_ONE / 100);
    assertThat(history.weight(every("a", 4))).isEqualTo(IoSetsScheduler.PRIORITY_ONE / 10);
    assertThat(history.weight(atLeast("a", 400)))
        .as("what was found counts more")
        .isEqualTo(IoSetsScheduler.PRIORITY_ONE / 10);
  }

  @Test
  void aPeriodAtABoundDoesNotMoveItsJobBackAndForth() {
    History history = new History(Map.of());
    assertThat(history.weight(every("a", 31))).isEqualTo(IoSetsScheduler.PRIORITY_ONE / 10);
    assertThat(history.weight(every("a", 34))).isEqualTo(IoSetsScheduler.PRIORITY_ONE / 10);
    assertThat(history.weight(every("a", 36))).isEqualTo(IoSetsScheduler.PRIORITY_ONE / 100);
    assertThat(history.weight(every("a", 29))).isEqualTo(IoSetsScheduler.PRIORITY_ONE / 100);
    assertThat(history.weight(every("a", 28))).isEqualTo(IoSetsScheduler.PRIORITY_ONE / 10);
  }

  /** However a period wanders within the margin around a bound, the job changes its set once. */
  @Test
  void withinTheMarginAJobChangesItsSetAtMostOnce() {
    SeededCases.forAll(
        300,
        random -> {
          History history = new History(Map.of());
          long changes = 0;
          long before = 0;
          for (int i = 0; i < 50; i++) {
            double seconds = Math.pow(10, 1.5 + random.nextDouble(-0.0499, 0.0499));
            long weight = history.weight(every("a", seconds));
            changes += weight == before ? 0 : 1;
            before = weight;
          }
          assertThat(changes).isEqualTo(1);
        });
  }

  @Test
  void aGivenPriorityCountsMoreThanAPeriodAndEndsWhenItIsTakenAway() {
    History history = new History(Map.of());
    assertThat(history.weight(every("a", 20))).isEqualTo(IoSetsScheduler.PRIORITY_ONE / 10);
    assertThat(history.weight(given("a", 0.5))).isEqualTo(IoSetsScheduler.PRIORITY_ONE / 2);
    assertThat(history.weight(every("a", 200))).isEqualTo(IoSetsScheduler.PRIORITY_ONE / 100);
    assertThat(history.weight(given("a", 0.1))).isEqualTo(IoSetsScheduler.PRIORITY_ONE / 10);
    assertThat((double) history.weight(unknown("a")))
        .isCloseTo((double) IoSetsScheduler.UNLISTED_WEIGHT, within(10.0));
  }

  @Test
  void jobsWithEqualGivenPrioritiesAreASetWithThoseWhoseSetHasIt() {
    Shares shares = decide(given("a", 0.1), every("b", 20));
    assertThat(shares.weight(0)).isEqualTo(shares.weight(1));
  }

  @Test
  void whatIsOverIsForgotten() {
    Policy<IoSetsState> policy = policy(Map.of());
    IoSetsState state = policy.initialState(Cluster.of(TARGET));
    state = policy.decide(state, Observation.of(SECOND, SECOND, List.of(every("a", 20)))).next();
    assertThat(state.jobs()).hasSize(1);
    Observation ended = Observation.alone(2 * SECOND, SECOND, List.of(), List.of(JobId.of("a")));
    assertThat(policy.decide(state, ended).next().jobs()).isEmpty();
  }

  @Test
  void theSchedulerIsToldWhoseTurnItIs() {
    assertThat(decide(unknown("a")).turns())
        .isEqualTo(new Turns(Turns.Order.ARRIVAL, MaxWait.AUTOMATIC));
    History history = new History(Map.of("max-wait", "30 s", "order", "id"));
    assertThat(history.decide(unknown("a")).turns())
        .isEqualTo(new Turns(Turns.Order.ID, new MaxWait.Bounded(30 * SECOND)));
    assertThat(new History(Map.of("max-wait", "off")).decide(unknown("a")).turns().maxWait())
        .isEqualTo(MaxWait.UNBOUNDED);
  }

  @Test
  void variantsTakeOnePartAway() {
    JobDemand[] jobs = {every("fast", 19.2), every("slow", 384), every("slower", 400)};
    Shares equal = new History(Map.of("variant", "equal")).decide(jobs);
    assertThat(equal.weight(1)).isEqualTo(equal.weight(2)).isNotEqualTo(equal.weight(0));
    assertThat((double) equal.weight(0) / equal.weight(1)).isCloseTo(1, within(1e-5));
    Shares alone = new History(Map.of("variant", "alone")).decide(jobs);
    assertThat(alone.weight(1)).isNotEqualTo(alone.weight(2));
    assertThat((double) alone.weight(0) / alone.weight(1)).isCloseTo(100, within(0.1));
    Shares one = new History(Map.of("variant", "one")).decide(jobs);
    assertThat(one.weight(0)).isEqualTo(one.weight(1)).isEqualTo(one.weight(2));
  }

  @Test
  void badSettingsAreRefused() {
    assertThatThrownBy(() -> policy(Map.of("max-wait", "soon")))
        .hasMessageContaining("max-wait=soon");
    assertThatThrownBy(() -> policy(Map.of("max-wait", "0 s"))).hasMessageContaining("max-wait");
    assertThatThrownBy(() -> policy(Map.of("base", "1"))).hasMessageContaining("base=1");
    assertThatThrownBy(() -> policy(Map.of("variant", "fool"))).hasMessageContaining("full");
  }

  private static Shares decide(JobDemand... jobs) {
    return new History(Map.of()).decide(jobs);
  }

  @SuppressWarnings("unchecked") // The factory makes no other.
  private static Policy<IoSetsState> policy(Map<String, String> settings) {
    IoSetsFactory factory = new IoSetsFactory();
    return (Policy<IoSetsState>) factory.create(new Settings(factory.info(), settings));
  }

  /** Decisions one after another. */
  private static final class History {
    private final Policy<IoSetsState> policy;
    private IoSetsState state;
    private long nowNanos;

    History(Map<String, String> settings) {
      policy = policy(settings);
      state = policy.initialState(Cluster.of(TARGET));
    }

    Shares decide(JobDemand... jobs) {
      nowNanos += SECOND;
      Step<IoSetsState> step =
          policy.decide(state, Observation.of(nowNanos, SECOND, new ArrayList<>(List.of(jobs))));
      state = step.next();
      return step.allocation().on("t");
    }

    long weight(JobDemand job) {
      return decide(job).weight(0);
    }
  }

  private static JobDemand unknown(String job) {
    return JobDemand.of(job, 1, 0);
  }

  private static JobDemand every(String job, double seconds) {
    return unknown(job).withCadence(new Cadence.Every((long) (seconds * SECOND), 0.9));
  }

  private static JobDemand unsure(String job, double seconds) {
    return unknown(job).withCadence(new Cadence.Every((long) (seconds * SECOND), 0.3));
  }

  private static JobDemand atLeast(String job, double seconds) {
    return unknown(job).withCadence(new Cadence.AtLeast((long) (seconds * SECOND)));
  }

  private static JobDemand given(String job, double priority) {
    return unknown(job).withCadence(new Cadence.Prioritised(priority));
  }
}
