package dev.sluice.gateway.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.classify.FlowMatch;
import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Memory;
import dev.sluice.core.policy.MemoryException;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.PolicyControl;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.cycle.CycleSetting;
import dev.sluice.core.policy.guarantee.Goal;
import dev.sluice.core.policy.guarantee.Goals;
import dev.sluice.core.policy.guarantee.Guarantee;
import dev.sluice.core.policy.guarantee.Guarantees;
import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.core.policy.guarantee.StepBack;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.core.schedule.ShareGrouping.Level;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.tbf.RuleEffect;
import dev.sluice.core.schedule.tbf.TbfLimit;
import dev.sluice.core.schedule.tbf.TbfRule;
import dev.sluice.document.LimitsReader;
import dev.sluice.gateway.config.PolicyChoice;
import dev.sluice.gateway.target.TargetStatistics.JobStatistics;
import dev.sluice.jobs.Job;
import dev.sluice.jobs.JobDirectory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ControlLoopTest {
  private static final long MILLI = 1_000_000;
  private static final long PERIOD = TestPolicy.PERIOD_NANOS;
  private static final long GRACE = new CycleSetting(PERIOD, false, 0).graceNanos();
  private static final long EPOCH_OFFSET = 1_000_000_000_000_000_000L;
  private static final JobId A = JobId.of("a");
  private static final JobId B = JobId.of("b");

  private final FakeTarget first = new FakeTarget("first");
  private final FakeTarget second = new FakeTarget("second");
  private final TestDirectory directory = new TestDirectory();
  private final TestPolicy policy = new TestPolicy(PolicyInfo.Scope.EACH_TARGET_ALONE);
  private final Deque<Runnable> waiting = new ArrayDeque<>();

  @Test
  void decidesOncePerPeriodOnEachTargetAlone() {
    ControlLoop loop = loop(policy.choice(), Runnable::run);
    first.arrived.put(A, 5L);
    assertThat(first.kind).isEqualTo(SchedulerKind.TBF);
    assertThat(loop.tick(PERIOD - 1)).isEqualTo(PERIOD);
    assertThat(policy.seen).isEmpty();
    loop.tick(PERIOD);
    assertThat(policy.seen).hasSize(2);
    assertThat(first.tokens("a")).isEqualTo(1);
    assertThat(second.shares.size()).isZero();
    loop.tick(2 * PERIOD);
    assertThat(first.tokens("a")).isEqualTo(2);
  }

  @Test
  void onePolicyOverAllTargetsSeesThemTogether() {
    TestPolicy global = new TestPolicy(PolicyInfo.Scope.ALL_TARGETS);
    ControlLoop loop = loop(global.choice(), Runnable::run);
    first.arrived.put(A, 5L);
    second.arrived.put(B, 7L);
    loop.tick(PERIOD);
    assertThat(global.seen).hasSize(1);
    assertThat(global.seen.getFirst().on("first").getFirst().arrivedTokens()).isEqualTo(5);
    assertThat(global.seen.getFirst().on("second").getFirst().arrivedTokens()).isEqualTo(7);
    assertThat(first.tokens("a")).isEqualTo(1);
    assertThat(second.tokens("b")).isEqualTo(1);
  }

  @Test
  void whatPoliciesOverAllTargetsAreToldOfAJob() {
    TestPolicy global = new TestPolicy(PolicyInfo.Scope.ALL_TARGETS);
    directory.set(
        new Job(A, "lammps", "alice", OptionalInt.empty(), 4, List.of(), OptionalLong.empty()),
        job("b", 3));
    first.arrived.put(A, 5L);
    first.arrived.put(B, 5L);
    first.arrived.put(JobId.of("c"), 5L);
    ControlLoop loop = loop(global.choice(), Runnable::run);
    loop.tick(PERIOD);
    Observation told = global.seen.getFirst();
    assertThat(told.nowNanos())
        .as("what is remembered outlives the clock")
        .isEqualTo(PERIOD + EPOCH_OFFSET);
    assertThat(told.on("first"))
        .containsExactly(
            new JobDemand(A, 4, 5, 0).withApplication(JobId.of("lammps@alice")),
            new JobDemand(B, 1, 5, 0).withWeight(3),
            JobDemand.of("c", 1, 5));
  }

  @Test
  void othersStepBackForAGoalWhileItsJobsAreLateAndFairQueueingIsInForce() {
    PolicyChoice fair = PolicyChoice.of("fair", Map.of());
    Promises promises =
        new Promises(
            Guarantees.NONE, new Goals(List.of(new Goal(Guarantee.Who.JOB, "a", 20 * MILLI))));
    ControlPlan plan =
        new ControlPlan(
            fair,
            false,
            List.of(first, second),
            List.of(),
            directory,
            ShareGrouping.FLAT,
            promises);
    directory.set(job(A), job(B));
    ControlLoop loop = new ControlLoop(plan, setting(Runnable::run), 0);
    first.latencyNanos = 30 * MILLI;
    second.latencyNanos = 10 * MILLI;
    long now = 0;
    for (; now <= 3_000 * MILLI; now += 100 * MILLI) {
      assertThat(loop.tick(now)).isLessThanOrEqualTo(now + 100 * MILLI);
    }
    assertThat(first.heldTo).isBetween(80_000_000L, 90_000_000L);
    assertThat(second.heldTo).isEqualTo(StepBack.FREE);
    JobExplanation why = loop.explain(B, now).getFirst();
    assertThat(Objects.requireNonNull(why.reason()).words())
        .contains("held back for a's goal of 20 ms");
    assertThat(why.summary()).contains("others are held to 80 % of what is left");
    why = loop.explain(A, now).getFirst();
    assertThat(Objects.requireNonNull(why.reason()).words()).doesNotContain("held back");
    ControlStatus.TargetStatus status = loop.status(now).targets().getFirst();
    assertThat(status.goals().getFirst().othersPart()).isEqualTo(StepBack.PART_MIN);
    assertThat(Objects.requireNonNull(status.explanation()).summary())
        .contains("a's goal of 20 ms: met in 0 of 3 seconds");
    int a = first.shares.indexOf(A);
    assertThat(first.shares.reserveRate(a).tokens()).as("it goes first").isPositive();

    loop.observeOnly(true, now);
    assertThat(first.heldTo).as("nothing is enforced").isEqualTo(StepBack.FREE);
    loop.observeOnly(false, now);
    loop.tick(now + 100 * MILLI);
    loop.tick(now + 200 * MILLI);
    assertThat(first.heldTo).isLessThan(StepBack.FREE);
    loop.follow(plan.withPolicy(PolicyChoice.of("none", Map.of())), now);
    assertThat(first.heldTo).as("only fair queueing keeps goals").isEqualTo(StepBack.FREE);
    assertThat(loop.goals()).isEmpty();
  }

  private static Job job(JobId id) {
    return new Job(id, "", "alice", OptionalInt.empty(), 1, List.of(), OptionalLong.empty());
  }

  @Test
  void jobsAreGroupedByWhatThePlanSaysAndByWhatIsKnownOfThem() {
    ShareGrouping byAccount = new ShareGrouping(List.of(Level.ACCOUNT, Level.USER), Map.of());
    PolicyChoice fair = PolicyChoice.of("fair", Map.of());
    ControlLoop loop = loop(fair, Runnable::run);
    assertThat(first.grouping.isFlat()).isTrue();
    loop.follow(
        new ControlPlan(
            fair, false, List.of(first, second), List.of(), directory, byAccount, Promises.NONE),
        0);
    assertThat(first.grouping).isEqualTo(byAccount);
    assertThat(second.grouping).isEqualTo(byAccount);
    assertThat(first.paidBy.apply(A)).isEmpty();
    int divided = first.divided;
    directory.set(
        new Job(A, "", "alice", OptionalInt.empty(), 2, List.of(), OptionalLong.empty(), "physics"),
        new Job(B, "", "bob", OptionalInt.empty(), 2, List.of(), OptionalLong.empty()));
    loop.tick(1);
    assertThat(first.divided).as("told again").isGreaterThan(divided);
    assertThat(first.paidBy.apply(A)).isEqualTo("physics");
    assertThat(loop.dividesByBranch()).isTrue();

    loop.tick(PERIOD);
    JobExplanation why = loop.explain(A, PERIOD).getFirst();
    assertThat(why.summary()).contains("shares are divided by account, user, job");
    assertThat(Objects.requireNonNull(why.reason()).words())
        .startsWith("physics / alice / job a: 1/2;");

    loop.observeOnly(true, PERIOD);
    assertThat(loop.dividesByBranch()).isFalse();
    loop.observeOnly(false, PERIOD);
    loop.decideBy(PolicyChoice.of("static", Map.of()), PERIOD);
    assertThat(loop.dividesByBranch()).isFalse();
  }

  @Test
  void withoutEnoughReportsNothingIsDecidedAndItIsSaid() {
    TestPolicy global = new TestPolicy(PolicyInfo.Scope.ALL_TARGETS);
    ControlLoop loop = loop(global.choice(), waiting::add);
    first.arrived.put(A, 5L);
    assertThat(loop.tick(PERIOD)).as("when the reports are due").isEqualTo(PERIOD * 3 / 2);
    assertThat(waiting).as("both targets are asked").hasSize(2);
    waiting.remove().run();
    loop.tick(PERIOD * 3 / 2);
    assertThat(global.seen).isEmpty();
    assertThat(trouble(loop, PERIOD * 3 / 2))
        .contains("only 1 of 2 targets reported within 50 ms")
        .contains("target second did not report in time");

    loop.tick(2 * PERIOD);
    assertThat(waiting).as("who owes an answer is not asked again").hasSize(2);
    waiting.remove().run();
    waiting.remove().run();
    loop.tick(PERIOD * 5 / 2);
    assertThat(trouble(loop, PERIOD * 5 / 2))
        .contains("a report of second is not used: it is of round 1, and this is 2");
    loop.tick(3 * PERIOD);
    assertThat(waiting).hasSize(2);
    runWaiting();
    loop.tick(3 * PERIOD);
    runWaiting();
    loop.tick(3 * PERIOD);
    assertThat(first.tokens("a")).isEqualTo(1);
    assertThat(trouble(loop, 3 * PERIOD)).isNull();
  }

  @Test
  void aTargetThatIsLateKeepsWhatItHasAndJoinsAtTheNextDecision() {
    TestPolicy global = new TestPolicy(PolicyInfo.Scope.ALL_TARGETS);
    List<FakeTarget> six = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      six.add(new FakeTarget("t" + i));
      six.getLast().arrived.put(A, 5L);
    }
    ControlLoop loop =
        new ControlLoop(
            new ControlPlan(global.choice(), false, List.copyOf(six), List.of(), directory),
            setting(waiting::add),
            0);
    for (long now : new long[] {PERIOD, PERIOD, PERIOD}) {
      loop.tick(now);
      runWaiting();
    }
    loop.tick(PERIOD);
    loop.tick(2 * PERIOD);
    Runnable late = waiting.removeLast();
    runWaiting();
    loop.tick(PERIOD * 5 / 2);
    runWaiting();
    loop.tick(PERIOD * 5 / 2);
    assertThat(six.getFirst().tokens("a")).isEqualTo(2);
    assertThat(six.getLast().tokens("a")).isEqualTo(1);
    assertThat(trouble(loop, PERIOD * 5 / 2))
        .isEqualTo("target t5 did not report in time and is left as it is");
    late.run();
    for (int i = 0; i < 3; i++) {
      loop.tick(3 * PERIOD);
      runWaiting();
    }
    loop.tick(3 * PERIOD);
    assertThat(six.getLast().tokens("a")).isEqualTo(3);
  }

  /** A memory that has gone. */
  private static final class LostMemory implements Memory<Integer> {
    @Override
    public Integer current(Cluster about) {
      throw new MemoryException("books.db: gone", null);
    }

    @Override
    public void keep(Integer before, Integer next) {}
  }

  @Test
  void withoutItsMemoryAPolicyIsStoodInForUnlessNothingIsEnforced() {
    TestPolicy global = new TestPolicy(PolicyInfo.Scope.ALL_TARGETS);
    TestPolicy standIn = new TestPolicy(PolicyInfo.Scope.ALL_TARGETS);
    standIn.tokensMore = 100;
    PolicyControls controls =
        (_, cluster) -> PolicyControl.remembering(global, new LostMemory(), standIn, cluster);
    ControlPlan plan =
        new ControlPlan(global.choice(), false, List.of(first, second), List.of(), directory);
    ControlLoop loop =
        new ControlLoop(plan, new DecisionSetting(Runnable::run, () -> {}, controls, 0), 0);
    first.arrived.put(A, 5L);
    loop.tick(PERIOD);
    assertThat(first.tokens("a")).isEqualTo(101);
    assertThat(trouble(loop, PERIOD))
        .isEqualTo("books.db: gone; fair shares hold until it is back");
    loop.observeOnly(true, PERIOD);
    loop.tick(2 * PERIOD);
    assertThat(global.seen).as("what is only looked at is not remembered").hasSize(1);
    assertThat(trouble(loop, 2 * PERIOD)).isNull();
  }

  @Test
  void whoComesLateSkipsWhatHasPassed() {
    ControlLoop loop = loop(policy.choice(), Runnable::run);
    assertThat(loop.tick(5 * PERIOD + 3)).isEqualTo(6 * PERIOD);
    assertThat(first.periods).isEqualTo(1);
  }

  @Test
  void aJobsWeightIsWhatSomebodySaidElseTheDirectorysElseOne() {
    directory.set(job("a", 3));
    first.arrived.put(A, 1L);
    first.arrived.put(B, 1L);
    ControlLoop loop = loop(policy.choice(), Runnable::run);
    loop.tick(PERIOD);
    assertThat(first.weight("a")).isEqualTo(3);
    assertThat(first.weight("b")).isEqualTo(1);
    loop.setJob(A, 9L, null, PERIOD);
    loop.tick(2 * PERIOD);
    assertThat(first.weight("a")).isEqualTo(9);
    loop.clearJob(A, 2 * PERIOD);
    loop.tick(3 * PERIOD);
    assertThat(first.weight("a")).isEqualTo(3);
  }

  @Test
  void aPolicyThatThrowsLeavesTheLastDecisionThenNoLimitsAndRecovers() {
    ControlLoop loop = loop(policy.choice(), Runnable::run);
    first.arrived.put(A, 5L);
    loop.tick(PERIOD);
    assertThat(trouble(loop, PERIOD)).isNull();
    policy.failure = new IllegalStateException("out of luck");
    long grace = GRACE;
    for (long now = 2 * PERIOD; now <= PERIOD + grace; now += PERIOD) {
      loop.tick(now);
      assertThat(first.tokens("a")).as("at %d", now).isEqualTo(1);
    }
    assertThat(trouble(loop, PERIOD + grace))
        .contains("out of luck")
        .contains("the last decision, of 5 s ago, stays in force");
    long later = 2 * PERIOD + grace;
    loop.tick(later);
    assertThat(first.shares.size()).isZero();
    assertThat(trouble(loop, later)).contains("out of luck").contains("nobody is limited");
    policy.failure = null;
    loop.tick(later + PERIOD);
    assertThat(first.tokens("a")).isEqualTo(2);
    assertThat(trouble(loop, later + PERIOD)).isNull();
  }

  @Test
  void aPolicyThatIsLateHoldsUpNobodyAndItsDecisionCountsWhenItComes() {
    ControlLoop loop = loop(policy.choice(), waiting::add);
    first.arrived.put(A, 5L);
    loop.tick(PERIOD);
    assertThat(waiting).hasSize(2);
    loop.tick(2 * PERIOD);
    loop.tick(3 * PERIOD);
    assertThat(waiting).as("no second decision while the first is at work").hasSize(2);
    assertThat(trouble(loop, 3 * PERIOD)).contains("at work on one decision for 200 ms");
    runWaiting();
    loop.tick(3 * PERIOD + MILLI);
    assertThat(first.tokens("a")).isEqualTo(1);
    assertThat(trouble(loop, 3 * PERIOD + MILLI)).isNull();
    loop.tick(4 * PERIOD);
    assertThat(waiting).hasSize(2);
    long farTooLate = 5 * PERIOD + GRACE;
    loop.tick(farTooLate);
    assertThat(first.shares.size()).isZero();
    assertThat(trouble(loop, farTooLate)).contains("nobody is limited");
    runWaiting();
    loop.tick(farTooLate + MILLI);
    assertThat(first.tokens("a")).isEqualTo(2);
  }

  @Test
  void aDecisionThatNoSchedulerCouldCarryOutIsNone() {
    ControlLoop loop = loop(policy.choice(), Runnable::run);
    first.arrived.put(A, 5L);
    loop.tick(PERIOD);
    policy.tokensMore = Long.MAX_VALUE / 2;
    loop.tick(2 * PERIOD);
    assertThat(first.tokens("a")).isEqualTo(1);
    assertThat(trouble(loop, 2 * PERIOD)).contains("failed").contains("tokens/s");
  }

  @Test
  void anotherPolicyTakesOverAtOnceAndADecisionOfTheOldOneNoLongerCounts() {
    ControlLoop loop = loop(policy.choice(), waiting::add);
    first.arrived.put(A, 5L);
    loop.tick(PERIOD);
    loop.decideBy(PolicyChoice.of("fair", Map.of()), PERIOD + MILLI);
    assertThat(first.kind).isEqualTo(SchedulerKind.FAIR);
    loop.tick(PERIOD + 2 * MILLI);
    runWaiting();
    loop.tick(PERIOD + 3 * MILLI);
    assertThat(policy.seen).as("what the old policy had begun is stopped").isEmpty();
    assertThat(first.tokens("a")).isEqualTo(Shares.UNLIMITED);
    assertThat(loop.status(PERIOD).policy()).isEqualTo("fair");
  }

  @Test
  void whoDecidesWithoutDemandDecidesWhenJobsChangeAndKnowsIdleOnes() {
    ControlLoop loop = loop(PolicyChoice.of("static", Map.of()), Runnable::run);
    directory.set(job("a", 1), job("b", 3));
    loop.tick(MILLI);
    assertThat(first.tokens("a")).isEqualTo(2_500_000);
    assertThat(first.tokens("b")).isEqualTo(7_500_000);
    int reconfigured = first.reconfigured;
    loop.tick(2 * MILLI);
    assertThat(first.reconfigured).isEqualTo(reconfigured);
    directory.set(job("a", 1));
    loop.tick(3 * MILLI);
    assertThat(first.tokens("a")).isEqualTo(10_000_000);
    loop.setJob(B, 1L, null, 3 * MILLI);
    first.arrived.put(B, 0L);
    loop.tick(4 * MILLI);
    assertThat(first.tokens("b")).isEqualTo(5_000_000);
  }

  @Test
  void aPolicyThatNeedsDemandWaitsForThePeriodToEnd() {
    ControlLoop loop = loop(policy.choice(), Runnable::run);
    directory.set(job("a", 1));
    loop.tick(MILLI);
    assertThat(policy.seen).isEmpty();
  }

  @Test
  void jobsThatEndAreToldOnce() {
    directory.set(job("a", 1), job("b", 1));
    ControlLoop loop = loop(policy.choice(), Runnable::run);
    directory.set(job("b", 1));
    loop.tick(PERIOD);
    loop.tick(2 * PERIOD);
    assertThat(policy.seen.get(0).ended()).containsExactly(A);
    assertThat(policy.seen.get(2).ended()).isEmpty();
  }

  @Test
  void observeOnlyDecidesAndExplainsAndEnforcesNothing() {
    TbfRule limit = new TbfRule("x", FlowMatch.ANY, LimitsReader.limit("1 MB/s"), null);
    ControlLoop loop =
        new ControlLoop(
            new ControlPlan(policy.choice(), true, List.of(first), List.of(limit), directory),
            setting(Runnable::run),
            0);
    first.arrived.put(A, 5L);
    loop.tick(PERIOD);
    assertThat(first.kind).isEqualTo(SchedulerKind.FIFO);
    assertThat(first.shares.size()).isZero();
    assertThat(first.limits).isEmpty();
    assertThat(loop.status(PERIOD).targets().getFirst().decisions()).isEqualTo(1);
    assertThat(loop.explain(A, PERIOD).getFirst().state()).contains("observe-only");

    loop.observeOnly(false, PERIOD);
    loop.tick(2 * PERIOD);
    assertThat(first.kind).isEqualTo(SchedulerKind.TBF);
    assertThat(first.limits).containsExactly(limit);
    assertThat(first.tokens("a")).isEqualTo(1);
  }

  @Test
  void limitsOfSingleJobsComeBeforeTheConfigured() {
    TbfRule configured = new TbfRule("x", FlowMatch.ANY, LimitsReader.limit("1 MB/s"), null);
    ControlLoop loop =
        new ControlLoop(
            new ControlPlan(policy.choice(), false, List.of(first), List.of(configured), directory),
            setting(Runnable::run),
            0);
    loop.setJob(A, null, LimitsReader.limit("20 MB/s"), 0);
    assertThat(first.limits).hasSize(2);
    assertThat(first.limits.getFirst().match()).isEqualTo(FlowMatch.ofJob(A));
    assertThat(first.limits.getFirst().limit()).isEqualTo(LimitsReader.limit("20 MB/s"));
    loop.clearJob(A, 0);
    assertThat(first.limits).containsExactly(configured);
  }

  @Test
  void tellsWhichLimitsHoldAJobBackAndWhichDoNotMatchIt() {
    TbfRule tape = new TbfRule("tape", FlowMatch.ANY, LimitsReader.limit("20 MB/s"), null);
    TbfRule nights =
        new TbfRule(
            "nights", FlowMatch.ANY, LimitsReader.limit("1 MB/s"), LimitsReader.limit("500 ops/s"));
    TbfRule others = new TbfRule("others", FlowMatch.ANY, LimitsReader.limit("1 MB/s"), null);
    ControlLoop loop =
        new ControlLoop(
            new ControlPlan(
                policy.choice(), false, List.of(first), List.of(tape, nights, others), directory),
            setting(Runnable::run),
            0);
    first.arrived.put(A, 5L);
    first.effects = List.of(new RuleEffect(tape, 14, 120 * MILLI), new RuleEffect(nights, 0, 0));
    loop.tick(PERIOD);

    JobExplanation told = loop.explain(A, PERIOD).getFirst();
    assertThat(told.limits().stream().map(LimitOnJob::words))
        .containsExactly(
            "limit \"tape\" (20 MB/s) holds 14 of its requests back on first, the first for 120 ms"
                + " more",
            "limit \"nights\" (1 MB/s and 500 ops/s) matched it on first, and holds nothing back"
                + " now");
    assertThat(told.limitsElsewhere()).containsExactly("others");

    TbfLimit saving = new TbfLimit(TokenUnit.BYTES, Rate.perSecond(5_000_000), 300_000_000);
    TbfRule credits = new TbfRule("tape", FlowMatch.ANY, saving, null);
    first.effects = List.of(new RuleEffect(credits, 0, 0, 95_000_000));
    assertThat(loop.explain(A, PERIOD).getFirst().limits().getFirst().words())
        .endsWith("holds nothing back now; it has saved 95 MB");

    first.effects = List.of(new RuleEffect(tape, 1, Long.MAX_VALUE));
    assertThat(loop.explain(A, PERIOD).getFirst().limits().getFirst().words())
        .endsWith("holds 1 of its requests back on first");
    loop.observeOnly(true, PERIOD);
    loop.tick(2 * PERIOD);
    assertThat(loop.explain(A, 2 * PERIOD).getFirst().limitsElsewhere()).isEmpty();
  }

  @Test
  void anotherCapacityIsDecidedAboutAtOnce() {
    directory.set(job("a", 1));
    ControlLoop loop = loop(PolicyChoice.of("static", Map.of()), Runnable::run);
    loop.tick(MILLI);
    assertThat(first.tokens("a")).isEqualTo(10_000_000);
    first.resize(new Target("first", 30_000_000, TokenUnit.BYTES), MILLI);
    loop.follow(loop.plan(), MILLI);
    loop.tick(2 * MILLI);
    assertThat(first.tokens("a")).isEqualTo(3_000_000);
  }

  @Test
  void followingTheSamePlanLosesNothingOfWhatWasDecided() {
    ControlLoop loop = loop(policy.choice(), Runnable::run);
    first.arrived.put(A, 5L);
    loop.tick(PERIOD);
    loop.follow(loop.plan(), PERIOD);
    loop.tick(2 * PERIOD);
    assertThat(first.tokens("a")).as("the policy's memory goes on").isEqualTo(2);
  }

  @Test
  void explainsWhatAJobHasAndDid() {
    ControlLoop loop = loop(policy.choice(), Runnable::run);
    first.arrived.put(A, 5L);
    first.statistics.add(new JobStatistics(A, 10, 1_000, 2_000, 10 * MILLI, 1, 0));
    loop.tick(1_000 * MILLI);
    first.statistics.set(0, waiting(30, 1_000_000, 3_000, 50 * MILLI, 4, 8 * MILLI, 5 * MILLI));
    loop.tick(3_000 * MILLI);
    List<JobExplanation> told = loop.explain(A, 3_000 * MILLI);
    assertThat(told).hasSize(1);
    assertThat(told.getFirst().summary()).startsWith("decision");
    JobFigures figures = told.getFirst().history().getOrDefault("first", List.of()).getLast();
    assertThat(figures.operationsPerSecond()).isEqualTo(10);
    assertThat(figures.readBytesPerSecond()).isEqualTo(499_500);
    assertThat(figures.writtenBytesPerSecond()).isEqualTo(500);
    assertThat(figures.waitedMillis()).as("40 ms of 20, 8 ms so far of 4 more").isEqualTo(2);
    assertThat(figures.oldestWaitMillis()).isEqualTo(5);
    assertThat(loop.explain(B, 0)).isEmpty();
    loop.setJob(A, 4L, LimitsReader.limit("20 MB/s"), 3_000 * MILLI);
    assertThat(loop.explain(A, 3_000 * MILLI).getFirst().state())
        .contains("test decides every 100 ms")
        .contains("set by command: weight 4, limit 20 MB/s");
    ControlStatus.TargetStatus status = loop.status(3_000 * MILLI).targets().getFirst();
    assertThat(status.queue()).isEqualTo(new ControlStatus.QueueFigures(3, 2));
    assertThat(status.jobs().getFirst().allowedTokensPerSecond()).isPositive();
  }

  private static JobStatistics waiting(
      long operations,
      long read,
      long written,
      long waited,
      int queued,
      long waiting,
      long oldest) {
    return new JobStatistics(
        A, operations, read, written, waited, queued, 0, "", "", 0, 0, 0, 0, 0, waiting, oldest);
  }

  /** Nothing of it was served, so that no request has waited until its turn. */
  @Test
  void aJobThatStarvesIsSeenToWait() {
    ControlLoop loop = loop(policy.choice(), Runnable::run);
    first.arrived.put(A, 5L);
    first.statistics.add(waiting(10, 0, 0, 10 * MILLI, 3, 0, 0));
    loop.tick(1_000 * MILLI);
    first.statistics.set(0, waiting(10, 0, 0, 10 * MILLI, 3, 30_000 * MILLI, 11_000 * MILLI));
    loop.tick(3_000 * MILLI);
    JobFigures figures =
        loop.explain(A, 3_000 * MILLI)
            .getFirst()
            .history()
            .getOrDefault("first", List.of())
            .getLast();
    assertThat(figures.operationsPerSecond()).isZero();
    assertThat(figures.waitedMillis()).isEqualTo(10_000);
    assertThat(figures.oldestWaitMillis()).isEqualTo(11_000);
  }

  @Test
  void theMinuteIsBounded() {
    ControlLoop loop = loop(policy.choice(), Runnable::run);
    for (int second = 1; second <= 200; second++) {
      first.statistics.clear();
      for (int job = 0; job < LastMinute.JOBS_MAX + 50; job++) {
        first.statistics.add(
            new JobStatistics(JobId.of("j" + job), (long) second * (job + 1), 0, 0, 0, 0, 0));
      }
      loop.tick(second * 1_000L * MILLI);
    }
    assertThat(loop.status(0).targets().getFirst().jobs()).hasSize(LastMinute.JOBS_MAX);
    assertThat(loop.explain(JobId.of("j1049"), 0).getFirst().history().get("first"))
        .hasSize(LastMinute.SAMPLES_MAX);
    assertThat(loop.explain(JobId.of("j0"), 0)).as("not among the busiest").isEmpty();
  }

  private ControlLoop loop(PolicyChoice choice, Executor executor) {
    return new ControlLoop(
        new ControlPlan(choice, false, List.of(first, second), List.of(), directory),
        setting(executor),
        0);
  }

  private static DecisionSetting setting(Executor executor) {
    return new DecisionSetting(executor, () -> {}, PolicyControls.FORGETFUL, EPOCH_OFFSET);
  }

  private void runWaiting() {
    while (!waiting.isEmpty()) {
      waiting.remove().run();
    }
  }

  private static @Nullable String trouble(ControlLoop loop, long nowNanos) {
    return loop.status(nowNanos).targets().getFirst().trouble();
  }

  private static Job job(String id, long weight) {
    return new Job(
        JobId.of(id), "", "", OptionalInt.empty(), 1, List.of(), OptionalLong.of(weight));
  }

  /** Jobs as the test sets them. */
  private static final class TestDirectory implements JobDirectory {
    private Map<JobId, Job> jobs = Map.of();
    private long version;

    void set(Job... running) {
      Map<JobId, Job> changed = new LinkedHashMap<>();
      for (Job job : running) {
        changed.put(job.id(), job);
      }
      jobs = changed;
      version++;
    }

    @Override
    public @Nullable Job job(JobId id) {
      return jobs.get(id);
    }

    @Override
    public @Nullable Job behind(ClientAddress address, int uid) {
      return null;
    }

    @Override
    public boolean runsAt(JobId id, ClientAddress address) {
      return false;
    }

    @Override
    public Collection<Job> jobs() {
      return new ArrayList<>(jobs.values());
    }

    @Override
    public long version() {
      return version;
    }
  }
}
