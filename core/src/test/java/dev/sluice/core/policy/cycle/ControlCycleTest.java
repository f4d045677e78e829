package dev.sluice.core.policy.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Allocation;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Memory;
import dev.sluice.core.policy.MemoryException;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyControl;
import dev.sluice.core.policy.Step;
import dev.sluice.core.policy.collect.TargetReport;
import dev.sluice.core.schedule.Shares;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ControlCycleTest {
  private static final long PERIOD = 1_000_000_000L;
  private static final long START = 7 * PERIOD;
  private static final long EPOCH = 1_000 * PERIOD;
  private static final JobId A = JobId.of("a");
  private static final JobId B = JobId.of("b");

  private final Teller policy = new Teller();

  /** Gives job a, on each target that was seen, as many tokens as decisions were taken. */
  private static final class Teller implements Policy<Integer> {
    final List<Observation> shown = new ArrayList<>();
    boolean fails;
    boolean overflows;

    @Override
    public Integer initialState(Cluster cluster) {
      return 0;
    }

    @Override
    public Step<Integer> decide(Integer state, Observation seen) {
      shown.add(seen);
      if (fails) {
        throw new IllegalStateException("out of ideas");
      }
      if (overflows) {
        throw new StackOverflowError();
      }
      Map<String, Shares> shares = new HashMap<>();
      for (String target : seen.targets().keySet()) {
        shares.put(
            target,
            Shares.ofColumns(
                new JobId[] {A}, new long[] {state + 1}, new long[] {1}, seen.periodNanos()));
      }
      return new Step<>(state + 1, new Allocation(shares), new Words("decision " + state));
    }
  }

  private record Words(String summary) implements Explanation {
    @Override
    public List<Reason> reasons() {
      return List.of();
    }
  }

  private static Cluster cluster(String... names) {
    List<Target> targets = new ArrayList<>();
    for (String name : names) {
      targets.add(target(name));
    }
    return new Cluster(targets);
  }

  private static Target target(String name) {
    return new Target(name, 100, TokenUnit.OPERATIONS);
  }

  private ControlCycle<Integer> cycle(boolean decidesWithoutDemand, String... targets) {
    Cluster cluster = cluster(targets);
    return new ControlCycle<>(
        PolicyControl.of(policy, cluster),
        cluster,
        new CycleSetting(PERIOD, decidesWithoutDemand, EPOCH),
        START);
  }

  private static Map<Target, List<JobDemand>> seen(String... targets) {
    Map<Target, List<JobDemand>> seen = new HashMap<>();
    for (String target : targets) {
      seen.put(target(target), List.of(JobDemand.of("a", 1, 5)));
    }
    return seen;
  }

  private static ControlCycle<Integer>.Decision decision(
      ControlCycle<Integer>.@Nullable Decision maybe) {
    return Objects.requireNonNull(maybe);
  }

  @Test
  void aDecisionIsInForceWhenItIsTakenUpAndNotBefore() {
    ControlCycle<Integer> cycle = cycle(false, "t");
    assertThat(cycle.isDue(START + PERIOD - 1)).isFalse();
    assertThat(cycle.isDue(START + PERIOD)).isTrue();
    ControlCycle<Integer>.Decision decision =
        decision(cycle.see(seen("t"), List.of(), START + PERIOD));
    assertThat(cycle.isDue(START + PERIOD)).as("the next period has begun").isFalse();
    assertThat(cycle.isDeciding()).isTrue();
    ControlCycle.Taken taken = decision.take();
    assertThat(cycle.inForce("t")).isSameAs(Shares.NONE);
    assertThat(cycle.takeUp(taken, START + PERIOD + 5)).isTrue();
    assertThat(cycle.inForce("t").tokens(0)).isEqualTo(1);
    assertThat(cycle.decisions()).isEqualTo(1);
    assertThat(cycle.remembered()).isEqualTo(1);
    assertThat(cycle.trouble(START + PERIOD + 5)).isNull();
    assertThat(policy.shown.getFirst().nowNanos())
        .as("policies think in nanoseconds since 1970")
        .isEqualTo(START + PERIOD + EPOCH);
    assertThatThrownBy(() -> cycle.takeUp(taken, START + 2 * PERIOD))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void whoLooksLateTellsThePolicyOfHowManyPeriodsTheDemandIs() {
    ControlCycle<Integer> cycle = cycle(false, "t");
    cycle.takeUp(decision(cycle.see(seen("t"), List.of(), START + PERIOD)).take(), START + PERIOD);
    long late = START + 4 * PERIOD + PERIOD / 4;
    cycle.takeUp(decision(cycle.see(seen("t"), List.of(), late)).take(), late);
    assertThat(policy.shown)
        .extracting(Observation::periodNanos)
        .containsExactly(PERIOD, 3 * PERIOD);
    assertThat(cycle.dueNanos()).as("as if nobody had been late").isEqualTo(START + 5 * PERIOD);
    cycle.postpone(late);
    assertThat(cycle.dueNanos()).isEqualTo(late + PERIOD);
  }

  @Test
  void whoDecidesWithoutDemandDecidesWhenJobsChangeAndIsToldOfIdleOnes() {
    List<JobDemand> busy = List.of(JobDemand.of("a", 1, 5));
    List<JobDemand> there = List.of(JobDemand.of("a", 1, 0), JobDemand.of("b", 2, 0));
    ControlCycle<Integer> byDemand = cycle(false, "t");
    assertThat(byDemand.told(busy, there)).isSameAs(busy);
    assertThat(byDemand.isDue(START)).isFalse();

    ControlCycle<Integer> byClaim = cycle(true, "t");
    assertThat(byClaim.told(busy, there)).containsExactly(busy.getFirst(), there.getLast());
    assertThat(byClaim.isDue(START)).isTrue();
    byClaim.decide(seen("t"), List.of(), PERIOD, START);
    assertThat(byClaim.isDue(START)).isFalse();
    byClaim.jobsChanged();
    assertThat(byClaim.isDue(START)).isTrue();
    assertThat(byClaim.dueNanos()).as("its period goes on").isEqualTo(START + PERIOD);
  }

  @Test
  void jobsThatEndedAreToldUntilADecisionHasHeardOfThem() {
    ControlCycle<Integer> cycle = cycle(false, "t");
    policy.fails = true;
    assertThatThrownBy(() -> cycle.decide(seen("t"), List.of(A), PERIOD, START))
        .hasMessage("out of ideas");
    policy.fails = false;
    ControlCycle<Integer>.Decision slow = decision(cycle.see(seen("t"), List.of(), START));
    assertThat(cycle.see(seen("t"), List.of(B), START + PERIOD)).as("one at a time").isNull();
    cycle.takeUp(slow.take(), START + PERIOD);
    cycle.decide(seen("t"), List.of(), PERIOD, START + 2 * PERIOD);
    cycle.decide(seen("t"), List.of(), PERIOD, START + 3 * PERIOD);
    assertThat(policy.shown)
        .extracting(Observation::ended)
        .containsExactly(List.of(A), List.of(A), List.of(B), List.of());
  }

  @Test
  void aFailureChangesNothingAndIsSaid() {
    ControlCycle<Integer> cycle = cycle(false, "t");
    cycle.decide(seen("t"), List.of(), PERIOD, START);
    policy.fails = true;
    ControlCycle.Taken failed = decision(cycle.see(seen("t"), List.of(), START + PERIOD)).take();
    assertThat(cycle.takeUp(failed, START + PERIOD)).isFalse();
    assertThat(cycle.inForce("t").tokens(0)).isEqualTo(1);
    assertThat(cycle.trouble(START + 2 * PERIOD))
        .startsWith("the policy failed: java.lang.IllegalStateException: out of ideas")
        .endsWith("; the last decision, of 2 s ago, stays in force for 3 s more");
    cycle.see(seen("t"), List.of(), START + 2 * PERIOD);
    cycle.giveUp("the policy was stopped");
    assertThat(cycle.isDeciding()).isFalse();
    assertThat(cycle.trouble(START + 2 * PERIOD)).startsWith("the policy was stopped");
  }

  /** Or whoever drives the cycle would wait for a decision that never comes. */
  @Test
  void aPolicyThatRunsOutOfStackHasFailedAndMayDecideAgain() {
    ControlCycle<Integer> cycle = cycle(false, "t");
    policy.overflows = true;
    ControlCycle.Taken failed = decision(cycle.see(seen("t"), List.of(), START)).take();
    assertThat(cycle.takeUp(failed, START)).isFalse();
    assertThat(cycle.trouble(START)).startsWith("the policy failed: java.lang.StackOverflowError");
    assertThatThrownBy(() -> cycle.decide(seen("t"), List.of(), PERIOD, START))
        .isInstanceOf(IllegalStateException.class)
        .hasCauseInstanceOf(StackOverflowError.class);
    policy.overflows = false;
    cycle.decide(seen("t"), List.of(), PERIOD, START + PERIOD);
    assertThat(cycle.inForce("t").tokens(0)).isEqualTo(1);
  }

  @Test
  void whatNoDecisionRenewsLapsesAndTheNextOneHolds() {
    ControlCycle<Integer> cycle = cycle(false, "t");
    cycle.decide(seen("t"), List.of(), PERIOD, START);
    cycle.see(seen("t"), List.of(), START + PERIOD);
    assertThat(cycle.passTime(START + 5 * PERIOD)).isFalse();
    assertThat(cycle.trouble(START + 5 * PERIOD))
        .startsWith("the policy has been at work on one decision for 4 s");
    assertThat(cycle.passTime(START + 5 * PERIOD + 1)).isTrue();
    assertThat(cycle.passTime(START + 6 * PERIOD)).as("it has lapsed already").isFalse();
    assertThat(cycle.isLapsed()).isTrue();
    assertThat(cycle.inForce("t")).isSameAs(Shares.NONE);
    assertThat(cycle.inForce()).isEmpty();
    assertThat(cycle.trouble(START + 6 * PERIOD))
        .endsWith("no decision for 6 s, so nobody is limited");
    cycle.giveUp("stopped");
    cycle.decide(seen("t"), List.of(), PERIOD, START + 6 * PERIOD);
    assertThat(cycle.isLapsed()).isFalse();
    assertThat(cycle.inForce("t").tokens(0)).isEqualTo(2);
  }

  @Test
  void targetsComeAndGoAndWhatWasLearntStays() {
    ControlCycle<Integer> cycle = cycle(false, "t1", "t2");
    cycle.decide(seen("t1", "t2"), List.of(), PERIOD, START);
    cycle.over(cluster("t2", "t3"));
    assertThat(cycle.inForce()).containsOnlyKeys("t2");
    cycle.decide(seen("t3"), List.of(), PERIOD, START + PERIOD);
    assertThat(cycle.inForce("t2").tokens(0)).as("nothing was seen of it").isEqualTo(1);
    assertThat(cycle.inForce("t3").tokens(0)).isEqualTo(2);
    assertThat(cycle.remembered()).isEqualTo(2);
    assertThat(policy.shown.getLast().cluster())
        .as("of what it decides about, not only of what reported")
        .isEqualTo(cluster("t2", "t3"));

    // A decision about a target that has gone meanwhile is no decision about it.
    ControlCycle<Integer>.Decision old =
        decision(cycle.see(seen("t2", "t3"), List.of(), START + 2 * PERIOD));
    cycle.over(cluster("t3"));
    cycle.takeUp(old.take(), START + 2 * PERIOD);
    assertThat(cycle.inForce()).containsOnlyKeys("t3");
  }

  @Test
  void whatATargetCanServeNowComesWithWhatIsSeenOfIt() {
    ControlCycle<Integer> cycle = cycle(false, "t1", "t2", "t3", "t4", "t5", "t6");
    long round = cycle.ask(List.of(), START);
    Target faster = new Target("t2", 200, TokenUnit.OPERATIONS);
    for (Target target : cluster("t1", "t3", "t4", "t5", "t6").targets()) {
      cycle.report(new TargetReport(target, round, List.of()));
    }
    cycle.report(new TargetReport(faster, round, List.of(JobDemand.of("a", 1, 5))));
    cycle.takeUp(decision(cycle.next(START + 1)).take(), START + 1);
    List<Target> all = new ArrayList<>(cluster("t1", "t2", "t3", "t4", "t5", "t6").targets());
    all.set(1, faster);
    assertThat(policy.shown.getLast().cluster()).isEqualTo(new Cluster(all));

    // Of who does not report it is what it was.
    cycle.decide(seen("t1"), List.of(), PERIOD, START + PERIOD);
    assertThat(policy.shown.getLast().cluster()).isEqualTo(new Cluster(all));
  }

  @Test
  void twoAnswersWithDifferentCapacitiesContradictEachOther() {
    ControlCycle<Integer> cycle = cycle(false, "t");
    long round = cycle.ask(List.of(), START);
    cycle.report(new TargetReport(target("t"), round, List.of()));
    Target faster = new Target("t", 200, TokenUnit.OPERATIONS);
    cycle.report(new TargetReport(faster, round, List.of()));
    assertThat(cycle.next(START + 1)).isNull();
    assertThat(cycle.trouble(START + 1)).startsWith("target t reported twice, and not the same");
  }

  @Test
  void reportsAreWaitedForAndAMinorityDecidesNothing() {
    ControlCycle<Integer> cycle = cycle(false, "t1", "t2");
    long round = cycle.ask(List.of(), START + PERIOD);
    cycle.report(new TargetReport(target("t1"), round, List.of()));
    assertThat(cycle.next(START + PERIOD)).isNull();
    assertThat(cycle.dueNanos()).as("half a period").isEqualTo(START + PERIOD + PERIOD / 2);
    assertThat(cycle.next(START + PERIOD + PERIOD / 2)).isNull();
    assertThat(cycle.trouble(START + 2 * PERIOD)).startsWith("only 1 of 2 targets reported");
    assertThat(cycle.dueNanos()).isEqualTo(START + 2 * PERIOD);
  }

  @Test
  void reportsAreCollectedFromTheQuestionToTheLastAnswer() {
    ControlCycle<Integer> cycle = cycle(false, "t");
    assertThat(cycle.isCollecting()).isFalse();
    long round = cycle.ask(List.of(), START);
    assertThat(cycle.isCollecting()).isTrue();
    cycle.report(new TargetReport(target("t"), round, List.of()));
    assertThat(cycle.next(START)).isNotNull();
    assertThat(cycle.isCollecting()).isFalse();
  }

  @Test
  void itTellsWhyAndHowMuchChanged() {
    ControlCycle<Integer> cycle = cycle(false, "t1", "t2");
    assertThat(cycle.explanation()).isNull();
    assertThat(cycle.changes()).isZero();
    Explanation why = cycle.decide(seen("t1", "t2"), List.of(), PERIOD, START);
    assertThat(why.summary()).isEqualTo("decision 0");
    assertThat(cycle.explanation()).isSameAs(why);
    assertThat(cycle.changes()).as("job a on either target").isEqualTo(2);
  }

  @Test
  void aPolicyIsSlowOnceItTakesLongerThanAPeriod() {
    ControlCycle<Integer> cycle = cycle(false, "t");
    cycle.see(seen("t"), List.of(), START);
    cycle.passTime(START + PERIOD);
    assertThat(cycle.trouble(START + PERIOD)).isNull();
    cycle.passTime(START + PERIOD + 1);
    assertThat(cycle.trouble(START + PERIOD + 1)).startsWith("the policy has been at work");
  }

  /** Nothing is wrong with the decision, but it is not the one that the policy would take. */
  @Test
  void aMemoryThatFailsIsSaidUntilItIsBack() {
    Cluster cluster = cluster("t");
    Lost memory = new Lost();
    ControlCycle<Integer> cycle =
        new ControlCycle<>(
            PolicyControl.remembering(policy, memory, new Teller(), cluster),
            cluster,
            new CycleSetting(PERIOD, false, EPOCH),
            START);
    cycle.decide(seen("t"), List.of(), PERIOD, START);
    assertThat(cycle.trouble(START)).isEqualTo("books.db: gone; fair shares hold until it is back");
    memory.found = true;
    cycle.decide(seen("t"), List.of(), PERIOD, START + PERIOD);
    assertThat(cycle.trouble(START + PERIOD)).isNull();
  }

  /** A memory that cannot be read until it is found. */
  private static final class Lost implements Memory<Integer> {
    boolean found;

    @Override
    public Integer current(Cluster about) {
      if (!found) {
        throw new MemoryException("books.db: gone", null);
      }
      return 0;
    }

    @Override
    public void keep(Integer before, Integer next) {}
  }

  /** One driver's day: whatever happens in which order, these hold. */
  @Test
  void whateverHappensWhatIsInForceWasDecidedAboutThatTarget() {
    SeededCases.forAll(2_000, random -> new ControlCycleTest().play(random));
  }

  private void play(RandomGenerator random) {
    String[] names = {"t1", "t2", "t3", "t4"};
    ControlCycle<Integer> cycle = cycle(random.nextBoolean(), names);
    Set<String> there = new LinkedHashSet<>(List.of(names));
    Map<String, Shares> expected = new HashMap<>();
    Set<JobId> untold = new HashSet<>();
    ControlCycle<Integer>.Decision underWay = null;
    long round = 0;
    long now = START;
    long decided = START;
    for (int i = 0; i < 60; i++) {
      now += random.nextLong(2 * PERIOD);
      switch (random.nextInt(7)) {
        case 0 -> round = cycle.ask(List.of(), now);
        case 1 -> {
          for (String target : there) {
            cycle.report(new TargetReport(target(target), round, List.of(JobDemand.of("a", 1, 1))));
          }
        }
        case 2 -> {
          ControlCycle<Integer>.Decision next = cycle.next(now);
          assertThat(next == null || underWay == null).isTrue();
          underWay = next == null ? underWay : next;
        }
        case 3 -> {
          JobId over = JobId.of("job" + i);
          untold.add(over);
          ControlCycle<Integer>.Decision next =
              cycle.see(seen(there.toArray(String[]::new)), List.of(over), now);
          assertThat(next == null).isEqualTo(underWay != null);
          underWay = next == null ? underWay : next;
        }
        case 4 -> {
          policy.fails = random.nextInt(4) == 0;
          if (underWay != null) {
            ControlCycle.Taken taken = underWay.take();
            assertThat(untold).containsAll(policy.shown.getLast().ended());
            boolean changed = cycle.takeUp(taken, now);
            assertThat(changed).isEqualTo(!policy.fails);
            if (changed) {
              taken
                  .shares()
                  .forEach((target, shares) -> {
                    if (there.contains(target)) {
                      expected.put(target, shares);
                    }
                  });
              decided = now;
              untold.removeAll(policy.shown.getLast().ended());
            }
            underWay = null;
          }
        }
        case 5 -> {
          there.clear();
          there.addAll(List.of(names).subList(random.nextInt(3), names.length));
          cycle.over(cluster(there.toArray(String[]::new)));
          expected.keySet().retainAll(there);
        }
        default -> {
          cycle.passTime(now);
          boolean tooOld = now - decided > 5 * PERIOD;
          assertThat(cycle.isLapsed()).isEqualTo(tooOld);
        }
      }
      if (!cycle.isLapsed()) {
        assertThat(cycle.inForce()).isEqualTo(expected);
      }
      assertThat(cycle.isDeciding()).isEqualTo(underWay != null);
    }
  }
}
