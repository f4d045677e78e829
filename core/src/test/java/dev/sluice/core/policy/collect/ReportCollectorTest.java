package dev.sluice.core.policy.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReportCollectorTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long PERIOD = 10 * SECOND;
  private static final List<JobDemand> BUSY = List.of(JobDemand.of("a", 2, 100));

  private final ReportCollector six = new ReportCollector(names(6), PERIOD);

  @Test
  void decidesAsSoonAsAllHaveReported() {
    long round = six.ask(PERIOD, 5);
    assertThat(six.collect(5)).isEqualTo(new Collected.Waiting(5 + SECOND));
    names(6).forEach(target -> six.report(report(target, round, BUSY)));
    Collected.Ready ready = ready(six.collect(6));
    assertThat(ready.seen()).hasSize(6);
    assertThat(ready.spanNanos()).isEqualTo(PERIOD);
    assertThat(ready.notes()).isEmpty();
    assertThat(six.collect(7)).as("told once").isEqualTo(new Collected.Nothing());
  }

  @Test
  void tellsUntilWhenReportsAreWaitedFor() {
    assertThat(six.isOpen()).isFalse();
    assertThat(six.dueNanos()).isEqualTo(Long.MAX_VALUE);
    six.ask(PERIOD, 5);
    assertThat(six.isOpen()).isTrue();
    assertThat(six.dueNanos()).isEqualTo(5 + SECOND);
    assertThat(six.collect(5 + SECOND)).isInstanceOf(Collected.Refused.class);
    assertThat(six.isOpen()).isFalse();
    assertThat(six.dueNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void thereMustBeATargetToAsk() {
    assertThatThrownBy(() -> new ReportCollector(List.of(), PERIOD))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there is no target to ask");
  }

  @Test
  void whoIsLateIsLeftAsItIsAndJoinsAtTheNextDecision() {
    long first = six.ask(PERIOD, 0);
    names(5).forEach(target -> six.report(report(target, first, BUSY)));
    assertThat(six.collect(SECOND - 1)).isInstanceOf(Collected.Waiting.class);
    Collected.Ready ready = ready(six.collect(SECOND));
    assertThat(names(ready)).isEqualTo(Set.copyOf(names(5)));
    assertThat(ready.notes())
        .containsExactly("target t5 did not report in time and is left as it is");

    six.report(report("t5", first, BUSY));
    long second = six.ask(PERIOD, PERIOD);
    names(6).forEach(target -> six.report(report(target, second, BUSY)));
    Collected.Ready next = ready(six.collect(PERIOD));
    assertThat(next.seen()).hasSize(6);
    assertThat(next.notes())
        .containsExactly("a report of t5 is not used: it is of round 1, which is over");
  }

  @Test
  void fourOfFiveAreNotEnough() {
    ReportCollector five = new ReportCollector(names(5), PERIOD);
    long round = five.ask(PERIOD, 0);
    names(4).forEach(target -> five.report(report(target, round, BUSY)));
    assertThat(refused(five.collect(SECOND)))
        .contains("only 4 of 5 targets reported within 1 s, and more than 80 % must")
        .contains("nothing is changed")
        .contains("target t4 did not report");
  }

  @Test
  void aTargetThatContradictsItselfEndsTheRound() {
    long round = six.ask(PERIOD, 0);
    six.report(report("t0", round, BUSY));
    six.report(report("t0", round, BUSY));
    assertThat(six.collect(1))
        .as("saying it twice is no harm")
        .isInstanceOf(Collected.Waiting.class);
    six.report(report("t0", round, List.of()));
    assertThat(refused(six.collect(1))).startsWith("target t0 reported twice, and not the same");
  }

  @Test
  void targetsThatContradictEachOtherDecideNothing() {
    ReportCollector two = new ReportCollector(names(2), PERIOD);
    JobDemand demand = BUSY.getFirst();
    List<JobDemand> others =
        List.of(
            JobDemand.of("a", 3, 100), demand.withApplication(JobId.of("x")), demand.withWeight(9));
    for (JobDemand other : others) {
      long round = two.ask(PERIOD, 0);
      two.report(report("t0", round, BUSY));
      two.report(report("t1", round, List.of(other)));
      assertThat(refused(two.collect(0))).startsWith("target t1 reported job a with other nodes");
    }
    long round = two.ask(PERIOD, 0);
    two.report(report("t0", round, List.of(demand, demand)));
    two.report(report("t1", round, BUSY));
    assertThat(refused(two.collect(0))).startsWith("target t0 reported job a twice");
  }

  @Test
  void whatWasToldIsNotToldAgain() {
    six.report(report("t0", 7, BUSY));
    long first = six.ask(PERIOD, 0);
    names(6).forEach(target -> six.report(report(target, first, BUSY)));
    Collected.Ready told = ready(six.collect(0));
    assertThat(told.notes()).hasSize(1);

    long second = six.ask(PERIOD, 100 * PERIOD);
    names(5).forEach(target -> six.report(report(target, second, BUSY)));
    assertThat(six.collect(100 * PERIOD))
        .as("it has just begun")
        .isInstanceOf(Collected.Waiting.class);
    six.report(report("t5", second, BUSY));
    Collected.Ready next = ready(six.collect(100 * PERIOD));
    assertThat(next.notes()).isEmpty();
  }

  @Test
  void aShortPeriodLeavesTimeForTheDecision() {
    ReportCollector fast = new ReportCollector(names(1), SECOND);
    fast.ask(PERIOD, 0);
    assertThat(fast.collect(0)).isEqualTo(new Collected.Waiting(SECOND / 2));
  }

  /** The theorem, with reports that are late, lost, doubled, of other rounds and of strangers. */
  @Test
  void decidesIfAndOnlyIfEnoughReportedInTimeWithoutContradiction() {
    SeededCases.forAll(
        2_000,
        random -> {
          int count = 1 + random.nextInt(12);
          ReportCollector collector = new ReportCollector(names(count), PERIOD);
          for (int i = 0; i < 5; i++) {
            playRound(collector, count, random);
          }
        });
  }

  private static void playRound(ReportCollector collector, int count, RandomGenerator random) {
    Set<String> unawaited = new HashSet<>();
    if (random.nextInt(3) == 0) {
      names(count).stream().filter(_ -> random.nextInt(3) == 0).forEach(unawaited::add);
    }
    long round = collector.ask(PERIOD, unawaited, 0);
    Set<String> awaited = new HashSet<>(names(count));
    awaited.removeAll(unawaited);
    if (awaited.isEmpty()) {
      awaited.addAll(unawaited);
    }
    double answers = random.nextDouble();
    boolean contradicts = random.nextInt(10) == 0;
    List<TargetReport> sent = new ArrayList<>();
    Map<String, Set<Long>> valid = new HashMap<>();
    for (String target : names(count)) {
      for (int copies = random.nextInt(1, 3); copies > 0; copies--) {
        long arrived = contradicts ? random.nextInt(3) : 100;
        if (random.nextDouble() < Math.sqrt(answers)) {
          sent.add(report(target, round, List.of(JobDemand.of("a", 1, arrived))));
          valid.computeIfAbsent(target, _ -> new HashSet<>()).add(arrived);
        }
        if (random.nextInt(4) == 0) {
          sent.add(report(target, round - 1, List.of(JobDemand.of("old", 1, 1))));
        }
      }
    }
    sent.add(report("stranger", round, List.of(JobDemand.of("stray", 1, 1))));
    for (int i = sent.size(); i > 0; i--) {
      collector.report(sent.remove(random.nextInt(i)));
    }
    boolean contradicted = valid.values().stream().anyMatch(values -> values.size() > 1);
    boolean all = valid.keySet().containsAll(awaited);
    long came = awaited.stream().filter(valid::containsKey).count();
    if (!contradicted && !all) {
      assertThat(collector.collect(SECOND - 1)).isInstanceOf(Collected.Waiting.class);
    }
    boolean everybody = valid.keySet().containsAll(names(count));
    if (!contradicted && all && !everybody) {
      assertThat(collector.collect(SECOND / 2 - 1))
          .as("who is not waited for may be a little later than the others")
          .isEqualTo(new Collected.Waiting(SECOND / 2));
    }
    Collected outcome =
        collector.collect(everybody || contradicted ? 1 : all ? SECOND / 2 : SECOND);
    if (contradicted || came <= 0.8 * awaited.size()) {
      assertThat(outcome).isInstanceOf(Collected.Refused.class);
    } else {
      Collected.Ready ready = ready(outcome);
      assertThat(names(ready)).isEqualTo(valid.keySet());
      ready
          .seen()
          .values()
          .forEach(jobs -> assertThat(jobs).allMatch(demand -> demand.job().equals(JobId.of("a"))));
    }
    assertThat(collector.collect(SECOND)).isEqualTo(new Collected.Nothing());
  }

  private static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj(i -> "t" + i).toList();
  }

  private static TargetReport report(String target, long round, List<JobDemand> jobs) {
    return new TargetReport(new Target(target, 100, TokenUnit.OPERATIONS), round, jobs);
  }

  private static Set<String> names(Collected.Ready ready) {
    return ready.seen().keySet().stream().map(Target::name).collect(Collectors.toSet());
  }

  private static Collected.Ready ready(Collected outcome) {
    assertThat(outcome).isInstanceOf(Collected.Ready.class);
    return (Collected.Ready) outcome;
  }

  private static String refused(Collected outcome) {
    assertThat(outcome).isInstanceOf(Collected.Refused.class);
    return ((Collected.Refused) outcome).reason();
  }
}
