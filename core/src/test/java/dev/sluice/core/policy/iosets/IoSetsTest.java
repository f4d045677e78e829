package dev.sluice.core.policy.iosets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cadence;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
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
  void whereJobsStandIsKeptForAsLongAsItIsRemembered() {
    assertThat(new IoSetsCodec(new SetMapping(10, 0)).keptNanos())
        .isEqualTo(IoSets.FORGOTTEN_AFTER_NANOS);
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
  void whatWasFoundStaysWhereTheCapacityChangesAndIsNotTakenForThatOfAnotherTarget() {
    Policy<IoSetsState> policy = policy(Map.of());
    IoSetsState found =
        policy
            .decide(
                policy.initialState(Cluster.of(TARGET)),
                Observation.of(TARGET, SECOND, SECOND, List.of(every("a", 20))))
            .next();
    assertThat(found.jobs()).isNotEmpty();
    Target faster = new Target("t", 200 << 20, TokenUnit.BYTES);
    IoSetsState same =
        policy.decide(found, Observation.of(faster, 2 * SECOND, SECOND, List.of())).next();
    assertThat(same.jobs().keySet()).isEqualTo(found.jobs().keySet());
    assertThat(same.target()).isEqualTo(faster);
    Target other = new Target("u", 100 << 20, TokenUnit.BYTES);
    assertThat(policy.decide(found, Observation.of(other, 2 * SECOND, SECOND, List.of())).next())
        .isEqualTo(policy.initialState(Cluster.of(other)));
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
    state =
        policy
            .decide(state, Observation.of(TARGET, SECOND, SECOND, List.of(every("a", 20))))
            .next();
    assertThat(state.jobs()).hasSize(1);
    Observation ended =
        Observation.of(TARGET, 2 * SECOND, SECOND, List.of(), List.of(JobId.of("a")));
    assertThat(policy.decide(state, ended).next().jobs()).isEmpty();
  }

  @Test
  void whatWasNotSeenForSixHoursIsForgottenAndNotBefore() {
    Policy<IoSetsState> policy = policy(Map.of());
    IoSetsState state = policy.initialState(Cluster.of(TARGET));
    state =
        policy
            .decide(state, Observation.of(TARGET, SECOND, SECOND, List.of(every("a", 20))))
            .next();
    long then = SECOND + 6 * 3_600 * SECOND;
    List<JobDemand> back = List.of(unknown("a"));
    assertThat(
            policy
                .decide(state, Observation.of(TARGET, then, SECOND, back))
                .allocation()
                .on("t")
                .weight(0))
        .isEqualTo(IoSetsScheduler.PRIORITY_ONE / 10);
    assertThat(
            policy
                .decide(state, Observation.of(TARGET, then + 1, SECOND, back))
                .allocation()
                .on("t")
                .weight(0))
        .as("as of a job that was never there")
        .isEqualTo(decide(unknown("a")).weight(0));
    IoSetsState gone =
        policy.decide(state, Observation.of(TARGET, then + 1, SECOND, List.of())).next();
    assertThat(gone.jobs()).isEmpty();
  }

  /** Whoever is seen stays known, however long ago its period was found. */
  @Test
  void whoIsSeenIsNotForgotten() {
    Policy<IoSetsState> policy = policy(Map.of());
    IoSetsState state = policy.initialState(Cluster.of(TARGET));
    state =
        policy
            .decide(state, Observation.of(TARGET, SECOND, SECOND, List.of(every("a", 20))))
            .next();
    for (long hour = 1; hour <= 12; hour++) {
      Step<IoSetsState> step =
          policy.decide(
              state, Observation.of(TARGET, hour * 3_600 * SECOND, SECOND, List.of(unknown("a"))));
      assertThat(step.allocation().on("t").weight(0)).isEqualTo(IoSetsScheduler.PRIORITY_ONE / 10);
      state = step.next();
    }
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
  void whoeverIsAloneIsAloneForAsLongAsItIsRemembered() {
    History history = new History(Map.of());
    long first = history.weight(unknown("a"));
    assertThat(history.weight(unknown("b"))).isNotEqualTo(first);
    Shares both = history.decide(unknown("a"), unknown("b"), unknown("c"));
    assertThat(both.weight(0)).isEqualTo(first);
    assertThat(List.of(both.weight(0), both.weight(1), both.weight(2)).stream().distinct().count())
        .isEqualTo(3);
  }

  @Test
  void aConfidenceOfExactlyTheLeastIsEnough() {
    assertThat(new History(Map.of("confidence", "0.9")).weight(every("a", 20)))
        .isEqualTo(IoSetsScheduler.PRIORITY_ONE / 10);
    assertThat(new History(Map.of("confidence", "0.91")).weight(every("a", 20)))
        .isEqualTo(decide(unknown("a")).weight(0));
  }

  @Test
  void withoutPrioritiesSetsAreStillTheSets() {
    Shares equal =
        new History(Map.of("variant", "equal"))
            .decide(
                every("a", 20), every("b", 50), atLeast("c", 40), unknown("d"), given("e", 0.3));
    long one = IoSetsScheduler.PRIORITY_ONE;
    assertThat(equal.weight(0)).isEqualTo(one + 1_001);
    assertThat(equal.weight(1)).isEqualTo(one + 1_002);
    assertThat(equal.weight(2)).isEqualTo(one + 1_002);
    assertThat(equal.weight(3)).isEqualTo(one + 2_001);
    assertThat(equal.weight(4)).isEqualTo(one);
    Shares alone = new History(Map.of("variant", "alone")).decide(every("a", 20), every("b", 20));
    assertThat(alone.weight(1)).isEqualTo(alone.weight(0) + 1);
  }

  @Test
  void badSettingsAreRefused() {
    assertThat(new History(Map.of("max-wait", "1 ns")).decide(unknown("a")).turns().maxWait())
        .isEqualTo(new MaxWait.Bounded(1));
    assertThatThrownBy(() -> policy(Map.of("max-wait", "soon")))
        .hasMessageContaining("max-wait=soon");
    assertThatThrownBy(() -> policy(Map.of("max-wait", "0 s"))).hasMessageContaining("max-wait");
    assertThatThrownBy(() -> policy(Map.of("base", "1"))).hasMessageContaining("base=1");
    assertThatThrownBy(() -> policy(Map.of("variant", "fool"))).hasMessageContaining("full");
  }

  @Test
  void theWordsTellWhichSetAndWhy() {
    History history = new History(Map.of());
    Step<IoSetsState> step =
        history.step(
            every("a", 20), unknown("b"), atLeast("c", 40), given("d", 0.25), every("e", 9));
    assertThat(step.explanation().summary())
        .isEqualTo(
            "5 jobs in 4 sets on t: nobody is limited, one job of a set is served at a time, and"
                + " sets share by priority");
    List<Explanation.Reason> reasons = step.explanation().reasons();
    assertThat(reasons)
        .extracting(Explanation.Reason::words)
        .containsExactly(
            "its I/O comes every 20 s (confidence 0.90), which is the set S1",
            "its period is not known yet, so it is a set of its own with the priority 1/50",
            "its period is not known yet but is no less than 40 s, so it is in S2 until it is",
            "somebody gave it the priority 0.250000000",
            "its I/O comes every 9 s (confidence 0.90), which is the set S1");
    assertThat(reasons.getFirst().figures())
        .containsEntry("period", 20.0)
        .containsEntry("confidence", 0.9)
        .containsEntry("set", 1);
    assertThat(reasons.getFirst().figure("priority").doubleValue()).isEqualTo(0.1, within(1e-6));
    assertThat(reasons.getFirst().figure("credit").doubleValue()).isEqualTo(10, within(1e-3));
    assertThat(reasons.get(2).figure("credit").doubleValue()).isEqualTo(1);
    assertThat(reasons.get(1).figures()).doesNotContainKeys("period", "set");

    assertThat(history.step(every("a", 20)).explanation().summary())
        .startsWith("1 job in 1 set on");
  }

  @Test
  void periodsThatAreKnownCountMoreThanThoseThatAreFound() {
    History history = new History(Map.of("periods", "a=20 s, slow-*=384 s, slow-b=2 s"));
    Shares shares = history.decide(every("a", 400), every("slow-a", 4), unknown("slow-b"));
    assertThat(shares.weight(0)).isEqualTo(IoSetsScheduler.PRIORITY_ONE / 10);
    assertThat(shares.weight(1)).isEqualTo(IoSetsScheduler.PRIORITY_ONE / 1_000);
    assertThat(shares.weight(2)).as("by its own name").isEqualTo(IoSetsScheduler.PRIORITY_ONE);
    assertThat(history.weight(given("a", 0.5)))
        .as("what somebody gave counts more")
        .isEqualTo(IoSetsScheduler.PRIORITY_ONE / 2);
    assertThat(history.weight(every("b", 20))).isEqualTo(IoSetsScheduler.PRIORITY_ONE / 10);
    assertThatThrownBy(() -> policy(Map.of("periods", "a=soon")))
        .hasMessageContaining("periods: a=soon: expected a duration");
    assertThatThrownBy(() -> policy(Map.of("periods", "=20 s")))
        .hasMessageContaining("periods: \"=20 s\": expected job=duration");
    assertThatThrownBy(() -> policy(Map.of("periods", "a"))).hasMessageContaining("\"a\"");
  }

  /** Up for some and down for others, and the same again for the same finding. */
  @Test
  void anErrorFalsifiesWhatIsFoundByItsPart() {
    History history = new History(Map.of("error", "0.5"));
    int shorter = 0;
    int jobs = 40;
    for (int i = 0; i < jobs; i++) {
      Map<String, Number> figures = history.figures(every("job" + i, 20));
      double period = figures.getOrDefault("period", 0).doubleValue();
      assertThat(period).isIn(10.0, 30.0);
      shorter += period == 10 ? 1 : 0;
      assertThat(history.figures(every("job" + i, 20))).containsEntry("period", period);
    }
    assertThat(shorter).isBetween(jobs / 4, 3 * jobs / 4);
    assertThat(new History(Map.of()).figures(every("a", 20))).containsEntry("period", 20.0);
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

    Step<IoSetsState> step(JobDemand... jobs) {
      nowNanos += SECOND;
      Step<IoSetsState> step =
          policy.decide(
              state, Observation.of(TARGET, nowNanos, SECOND, new ArrayList<>(List.of(jobs))));
      state = step.next();
      return step;
    }

    Shares decide(JobDemand... jobs) {
      return step(jobs).allocation().on("t");
    }

    Map<String, Number> figures(JobDemand job) {
      return step(job).explanation().reasons().getFirst().figures();
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
