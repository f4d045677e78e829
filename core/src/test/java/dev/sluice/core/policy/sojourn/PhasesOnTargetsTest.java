package dev.sluice.core.policy.sojourn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.JobService;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.StateText;
import dev.sluice.core.policy.Step;
import dev.sluice.core.policy.progress.ShareBasis;
import dev.sluice.core.schedule.Shares;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Who has time to spare leaves some of it, as soon as it is known how large phases are. */
class PhasesOnTargetsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Target FIRST = new Target("first", 1_000, TokenUnit.BYTES);
  private static final Target SECOND_TARGET = new Target("second", 1_000, TokenUnit.BYTES);
  private static final Cluster ONE = new Cluster(List.of(FIRST));
  private static final Cluster TWO = new Cluster(List.of(FIRST, SECOND_TARGET));

  private final SojournAll policy = new SojournAll(ShareBasis.GIVEN, 0.25, 0.5, null);
  private final Map<JobId, SojournAllState.Phase> phases = new TreeMap<>();
  private final Map<JobId, SojournAllState.Size> sizes = new TreeMap<>();

  /**
   * A job whose phases come to 1,000 tokens of a process is so far, and by the virtual schedule.
   */
  private void isSoFar(String job, double tokens, double virtualTokens) {
    JobId id = JobId.of(job);
    phases.put(id, new SojournAllState.Phase(id, tokens, virtualTokens));
    sizes.put(id, new SojournAllState.Size(1_000, 0));
  }

  private static JobDemand busy(String job, long served, long processes) {
    return JobDemand.of(job, 1, 5_000)
        .withProcesses(processes)
        .withService(new JobService(served, 0, JobService.NOT_KNOWN));
  }

  private Step<SojournAllState> decide(Cluster cluster, Map<String, List<JobDemand>> seen) {
    return policy.decide(
        new SojournAllState(phases, sizes),
        new Observation(SECOND, SECOND, cluster, seen, List.of()));
  }

  private static double rate(Step<?> step, String target, String job) {
    Shares shares = step.allocation().on(target);
    return shares.tokensPerSecond(shares.indexOf(JobId.of(job)));
  }

  /** What a job has beside one that has least time, and takes what the first leaves. */
  private double besideAnUrgentOne(JobDemand job) {
    isSoFar("z", 800, 900);
    Step<SojournAllState> step = decide(ONE, Map.of("first", List.of(job, busy("z", 0, 1))));
    double own = rate(step, "first", job.job().toString());
    assertThat(own + rate(step, "first", "z")).isCloseTo(1_000, within(1e-6));
    return own;
  }

  @Test
  void whoHasTimeToSpareLeavesHalfToWhoHasLeast() {
    isSoFar("a", 900, 600);
    assertThat(besideAnUrgentOne(busy("a", 0, 1))).isCloseTo(250, within(1e-6));
  }

  @Test
  void whatItMovedSinceCounts() {
    isSoFar("a", 800, 600);
    assertThat(besideAnUrgentOne(busy("a", 100, 1))).isCloseTo(250, within(1e-6));
  }

  @Test
  void whoWouldTakeAQuarterOfItsTimeAloneHasNoneToSpare() {
    isSoFar("a", 800, 600);
    assertThat(besideAnUrgentOne(busy("a", 0, 1))).isCloseTo(500, within(1e-6));
    isSoFar("a", 700, 600);
    assertThat(besideAnUrgentOne(busy("a", 0, 1))).isCloseTo(500, within(1e-6));
  }

  @Test
  void phasesAreThoseOfOneProcess() {
    isSoFar("a", 700, 600);
    assertThat(besideAnUrgentOne(busy("a", 100, 2))).isCloseTo(500, within(1e-6));
    isSoFar("a", 800, 600);
    assertThat(besideAnUrgentOne(busy("a", 100, 2))).isCloseTo(250, within(1e-6));
  }

  @Test
  void whoseSizeNobodyKnowsHasItsFairRate() {
    phases.put(JobId.of("a"), new SojournAllState.Phase(JobId.of("a"), 900, 600));
    assertThat(besideAnUrgentOne(busy("a", 0, 1))).isCloseTo(500, within(1e-6));
  }

  @Test
  void whoIsLongerThanItsPhasesWereHasItsFairRate() {
    isSoFar("a", 1_000, 600);
    assertThat(besideAnUrgentOne(busy("a", 0, 1))).isCloseTo(500, within(1e-6));
    isSoFar("a", 1_100, 600);
    assertThat(besideAnUrgentOne(busy("a", 0, 1))).isCloseTo(500, within(1e-6));
  }

  @Test
  void whoIsLateByTheVirtualScheduleHasItsFairRate() {
    isSoFar("a", 500, 1_000);
    isSoFar("b", 900, 600);
    Step<SojournAllState> step =
        decide(ONE, Map.of("first", List.of(busy("a", 0, 1), busy("b", 0, 1))));
    assertThat(rate(step, "first", "a")).isCloseTo(500, within(1e-6));
    assertThat(rate(step, "first", "b")).isCloseTo(500, within(1e-6));
  }

  /** One is on both targets and has time to spare; what it leaves there goes to different jobs. */
  @Test
  void whatIsLeftOnATargetGoesToThoseWhoAreThere() {
    isSoFar("a", 950, 600);
    isSoFar("z", 800, 900);
    Step<SojournAllState> step =
        decide(
            TWO,
            Map.of(
                "first", List.of(busy("a", 0, 1), busy("c", 0, 1), busy("d", 0, 1)),
                "second", List.of(busy("a", 0, 1), busy("z", 0, 2))));
    assertThat(rate(step, "first", "a")).isCloseTo(1_000 / 6.0, within(1e-6));
    assertThat(rate(step, "second", "a")).isCloseTo(1_000 / 6.0, within(1e-6));
    assertThat(rate(step, "second", "z")).isCloseTo(5_000 / 6.0, within(1e-6));
    assertThat(rate(step, "first", "c")).isCloseTo(2_500 / 6.0, within(1e-6));
    assertThat(rate(step, "first", "d")).isCloseTo(2_500 / 6.0, within(1e-6));
  }

  @Test
  void aPhaseIsAsFarAsItsSlowestTarget() {
    Step<SojournAllState> step =
        decide(
            TWO,
            Map.of(
                "first", List.of(busy("a", 300, 1)),
                "second", List.of(busy("a", 200, 1))));
    SojournAllState.Phase phase = step.next().phase(JobId.of("a"));
    assertThat(phase.tokens()).isCloseTo(200, within(1e-9));
    assertThat(phase.virtualTokens()).isCloseTo(1_000, within(1e-9));
    assertThat(phase.application()).isEqualTo(JobId.of("a"));
  }

  @Test
  void aTargetOfWhichItWantsNothingDoesNotHoldItUp() {
    Step<SojournAllState> step =
        decide(
            TWO,
            Map.of(
                "first", List.of(busy("a", 300, 1)),
                "second",
                    List.of(
                        JobDemand.of("a", 1, 0)
                            .withService(new JobService(0, 0, JobService.NOT_KNOWN)))));
    assertThat(step.next().phase(JobId.of("a")).tokens()).isCloseTo(300, within(1e-9));
  }

  /** What one leaves on a target goes to the most urgent there, whatever processes it has. */
  @Test
  void whoHasLeastTimeHasAllThatIsLeftDividedAmongItsProcesses() {
    isSoFar("z", 900, 600);
    isSoFar("a", 800, 900);
    Step<SojournAllState> step =
        new SojournAll(ShareBasis.PROCESSES, 0.25, 0.5, null)
            .decide(
                new SojournAllState(phases, sizes),
                new Observation(
                    SECOND,
                    SECOND,
                    ONE,
                    Map.of("first", List.of(busy("a", 0, 2), busy("b", 0, 2), busy("z", 0, 1))),
                    List.of()));
    // The first by name, so that nobody's rate before it hides one that does not fit.
    assertThat(rate(step, "first", "a")).isCloseTo(500, within(1e-6));
    assertThat(rate(step, "first", "b")).isCloseTo(400, within(1e-6));
    assertThat(rate(step, "first", "z")).isCloseTo(100, within(1e-6));
  }

  @Test
  void theVirtualScheduleGoesOnByItsOwnRates() {
    isSoFar("a", 900, 600);
    Step<SojournAllState> step =
        decide(ONE, Map.of("first", List.of(busy("a", 10, 1), busy("b", 20, 1))));
    assertThat(step.next().phase(JobId.of("a")).virtualTokens()).isCloseTo(1_100, within(1e-9));
    assertThat(step.next().phase(JobId.of("a")).tokens()).isCloseTo(910, within(1e-9));
    assertThat(step.next().phase(JobId.of("b")).virtualTokens()).isCloseTo(500, within(1e-9));
  }

  // ---- What is remembered ----

  private static SojournAllState afterAPhaseOf(
      SojournAllState state, double tokens, long nowNanos) {
    JobId job = JobId.of("run-" + nowNanos);
    SojournAllState during =
        state.next(Map.of(job, new SojournAllState.Phase(JobId.of("app"), tokens, 0)), nowNanos);
    return during.next(Map.of(), nowNanos);
  }

  @Test
  void phasesAreTakenForWhatTheLastOnesWere() {
    SojournAllState state = SojournAllState.EMPTY;
    assertThat(state.expectedTokens(JobId.of("app"))).isZero();
    state = afterAPhaseOf(state, 100, 1);
    assertThat(state.expectedTokens(JobId.of("app"))).isEqualTo(100);
    state = afterAPhaseOf(state, 300, 2);
    assertThat(state.expectedTokens(JobId.of("app"))).isEqualTo(200);
    assertThat(afterAPhaseOf(state, 0, 3)).isEqualTo(state);
  }

  @Test
  void aPhaseThatGoesOnIsNotOver() {
    Map<JobId, SojournAllState.Phase> during =
        Map.of(JobId.of("1"), new SojournAllState.Phase(JobId.of("app"), 100, 0));
    SojournAllState state = SojournAllState.EMPTY.next(during, 1).next(during, 2);
    assertThat(state.expectedTokens(JobId.of("app"))).isZero();
  }

  @Test
  void whatWasNotSeenForAMonthIsForgotten() {
    SojournAllState state = afterAPhaseOf(SojournAllState.EMPTY, 100, 5);
    long month = SojournAllState.FORGOTTEN_AFTER_NANOS;
    assertThat(state.next(Map.of(), 5 + month).expectedTokens(JobId.of("app"))).isEqualTo(100);
    assertThat(state.next(Map.of(), 6 + month).expectedTokens(JobId.of("app"))).isZero();
  }

  @Test
  void allOfItSurvivesARestart() {
    isSoFar("a", 900, 600);
    isSoFar("b", 1, 2);
    SojournAllState state = new SojournAllState(phases, sizes);
    String text = StateText.write(policy.codec(), state, ONE, 7);
    assertThat(StateText.read(policy.codec(), text).state()).isEqualTo(state);
  }
}
