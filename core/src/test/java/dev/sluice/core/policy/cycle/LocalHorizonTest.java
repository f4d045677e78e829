package dev.sluice.core.policy.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Allocation;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.LocalRule;
import dev.sluice.core.policy.LocalStep;
import dev.sluice.core.policy.Nothing;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyControl;
import dev.sluice.core.policy.Step;
import dev.sluice.core.schedule.Shares;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a control cycle does between two decisions. */
class LocalHorizonTest {
  private static final long PERIOD = 10_000_000_000L;
  private static final long LOOK = 100_000_000L;
  private static final long EPOCH = 1_000 * PERIOD;
  private static final Target ONE = new Target("t1", 100, TokenUnit.OPERATIONS);
  private static final Target TWO = new Target("t2", 100, TokenUnit.OPERATIONS);
  private static final Cluster BOTH = new Cluster(List.of(ONE, TWO));

  private final List<Observation> shown = new ArrayList<>();
  private long lookNanos = LOOK;
  private boolean fails;

  /** Gives job a 10 tokens in a period everywhere, and as many more as it wanted since. */
  private final class Generous implements Policy<Nothing>, LocalRule {
    @Override
    public Nothing initialState(Cluster cluster) {
      return Nothing.REMEMBERED;
    }

    @Override
    public LocalRule local() {
      return this;
    }

    @Override
    public long periodNanos() {
      return lookNanos;
    }

    @Override
    public Step<Nothing> decide(Nothing remembered, Observation seen) {
      Map<String, Shares> decided = new HashMap<>();
      seen.targets().keySet().forEach(target -> decided.put(target, ofA(10)));
      return new Step<>(
          remembered, new Allocation(decided), new Words("ten for all", List.of("a", "c")));
    }

    @Override
    public LocalStep adjust(Shares decided, Observation seen) {
      shown.add(seen);
      if (fails) {
        throw new IllegalStateException("out of ideas");
      }
      long more = seen.jobs().stream().mapToLong(JobDemand::wantedTokens).sum();
      return more == 0
          ? new LocalStep(decided, new Words("nothing", List.of()))
          : new LocalStep(ofA(10 + more), new Words(more + " more", List.of("a", "b")));
    }
  }

  private static Shares ofA(long tokens) {
    return Shares.ofColumns(
        new JobId[] {JobId.of("a")}, new long[] {tokens}, new long[] {1}, PERIOD);
  }

  private record Words(String summary, List<String> jobs) implements Explanation {
    @Override
    public List<Reason> reasons() {
      return jobs.stream()
          .map(job -> new Reason(JobId.of(job), Map.of("allocated", 1), summary))
          .toList();
    }
  }

  private ControlCycle<Nothing> cycle() {
    return new ControlCycle<>(
        PolicyControl.of(new Generous(), BOTH), BOTH, new CycleSetting(PERIOD, false, EPOCH), 0);
  }

  private static Map<Target, List<JobDemand>> wanting(long onOne, long onTwo) {
    return Map.of(
        ONE, List.of(JobDemand.of("a", 1, onOne)), TWO, List.of(JobDemand.of("a", 1, onTwo)));
  }

  private static void decide(ControlCycle<Nothing> cycle, long nowNanos) {
    cycle.decide(wanting(1, 1), List.of(), PERIOD, nowNanos);
  }

  @Test
  void eachTargetIsAdjustedByWhatItSawItself() {
    ControlCycle<Nothing> cycle = cycle();
    assertThat(cycle.isLookDue(0)).isTrue();
    cycle.look(wanting(7, 7), 0);
    assertThat(shown).as("nobody knows how long that took to come together").isEmpty();
    decide(cycle, 10);
    assertThat(cycle.isLookDue(LOOK - 1)).isFalse();
    assertThat(cycle.lookDueNanos()).isEqualTo(LOOK);
    assertThat(cycle.look(wanting(5, 0), LOOK)).containsExactly("t1");
    assertThat(cycle.inForce("t1").tokens(0)).isEqualTo(15);
    assertThat(cycle.inForce("t2").tokens(0)).isEqualTo(10);
    assertThat(cycle.inForce().get("t1")).isSameAs(cycle.inForce("t1"));
    Observation first =
        shown.stream().filter(seen -> seen.target().equals(ONE)).toList().getFirst();
    assertThat(first)
        .isEqualTo(Observation.of(ONE, LOOK + EPOCH, LOOK, List.of(JobDemand.of("a", 1, 5))));

    assertThat(cycle.look(wanting(0, 0), 2 * LOOK))
        .as("what was lent is over")
        .containsExactly("t1");
    assertThat(cycle.inForce("t1").tokens(0)).isEqualTo(10);
    assertThat(shown.getLast().periodNanos()).as("since the last look").isEqualTo(LOOK);
  }

  @Test
  void whoLooksTwiceAtOneInstantSeesNothing() {
    LocalControl control = new LocalControl(new Generous(), 0);
    List<JobDemand> wanted = List.of(JobDemand.of("a", 1, 5));
    Shares decided = ofA(10);
    assertThat(control.look(ONE, wanted, decided, EPOCH, LOOK)).isFalse();
    assertThat(control.look(ONE, wanted, decided, EPOCH, LOOK)).isFalse();
    assertThat(control.problem()).isNull();
    assertThat(shown).isEmpty();
  }

  @Test
  void theNextDecisionMakesItVoid() {
    ControlCycle<Nothing> cycle = cycle();
    decide(cycle, 0);
    cycle.look(wanting(0, 0), 0);
    cycle.look(wanting(5, 5), LOOK);
    decide(cycle, PERIOD);
    assertThat(cycle.inForce("t1").tokens(0)).isEqualTo(10);
    assertThat(cycle.decisions()).as("a look is no decision").isEqualTo(2);
  }

  @Test
  void whoLooksLateTellsHowLongItTookAndSkipsWhatHasPassed() {
    ControlCycle<Nothing> cycle = cycle();
    decide(cycle, 0);
    cycle.look(wanting(0, 0), 0);
    long late = 3 * LOOK + LOOK / 2;
    cycle.look(wanting(5, 5), late);
    assertThat(shown.getLast().periodNanos()).isEqualTo(late);
    assertThat(cycle.lookDueNanos()).isEqualTo(4 * LOOK);
  }

  @Test
  void whatHasLapsedIsNotAdjusted() {
    ControlCycle<Nothing> cycle = cycle();
    decide(cycle, 0);
    cycle.look(wanting(0, 0), 0);
    cycle.passTime(4 * PERIOD);
    assertThat(cycle.look(wanting(5, 5), 4 * PERIOD)).isEmpty();
    assertThat(cycle.inForce("t1")).isSameAs(Shares.NONE);
    assertThat(cycle.inForce()).isEmpty();
  }

  @Test
  void aLookThatFailsLeavesWhatWasDecidedAndIsSaid() {
    ControlCycle<Nothing> cycle = cycle();
    decide(cycle, 0);
    cycle.look(wanting(0, 0), 0);
    cycle.look(wanting(5, 0), LOOK);
    fails = true;
    assertThat(cycle.look(wanting(5, 0), 2 * LOOK)).containsExactly("t1");
    assertThat(cycle.inForce("t1").tokens(0)).isEqualTo(10);
    assertThat(cycle.trouble(2 * LOOK))
        .isEqualTo(
            "between decisions the policy failed: java.lang.IllegalStateException: out of ideas");
    fails = false;
    cycle.look(wanting(5, 0), 3 * LOOK);
    assertThat(cycle.trouble(3 * LOOK)).isNull();
    assertThat(cycle.inForce("t1").tokens(0)).isEqualTo(15);
  }

  @Test
  void whoDecidesAsOftenAsItWouldLookDoesNotLook() {
    lookNanos = PERIOD;
    ControlCycle<Nothing> cycle = cycle();
    assertThat(cycle.isLookDue(PERIOD)).isFalse();
    assertThat(cycle.lookDueNanos()).isEqualTo(Long.MAX_VALUE);
    assertThat(cycle.look(wanting(5, 5), PERIOD)).isEmpty();
    assertThat(shown).isEmpty();
  }

  @Test
  void theExplanationSaysWhatWasDoneSince() {
    ControlCycle<Nothing> cycle = cycle();
    decide(cycle, 0);
    cycle.look(wanting(0, 0), 0);
    Explanation decision = cycle.explanation();
    assertThat(Objects.requireNonNull(decision).summary()).isEqualTo("ten for all");
    cycle.look(wanting(5, 0), LOOK);
    Explanation since = Objects.requireNonNull(cycle.explanation());
    assertThat(since.summary()).isEqualTo("ten for all; since then on t1: 5 more");
    assertThat(since.reasons())
        .extracting(Explanation.Reason::words)
        .containsExactly("ten for all; since then on t1 5 more", "on t1 5 more", "ten for all");
    assertThat(since.reasons().getFirst().figures())
        .containsOnlyKeys("allocated", "allocated on t1");
    assertThat(since.amounts()).isEqualTo(decision.amounts());
    assertThat(since.levels()).isEqualTo(decision.levels());
  }

  @Test
  void aTargetThatIsGoneIsForgotten() {
    ControlCycle<Nothing> cycle = cycle();
    decide(cycle, 0);
    cycle.look(wanting(0, 0), 0);
    cycle.over(Cluster.of(TWO));
    cycle.over(BOTH);
    cycle.look(wanting(5, 5), LOOK);
    assertThat(shown).extracting(seen -> seen.target().name()).containsExactly("t2");
  }
}
