package dev.sluice.lustre.show;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Explanation;
import dev.sluice.history.sample.Totals;
import dev.sluice.history.trace.DemandCounters;
import dev.sluice.history.trace.Look;
import dev.sluice.lustre.LustreJobId;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.config.LustreConfigurationReader;
import dev.sluice.lustre.control.Decision;
import dev.sluice.lustre.control.JobReport;
import dev.sluice.lustre.control.PeriodReport;
import dev.sluice.lustre.control.QueueFacts;
import dev.sluice.lustre.stats.JobActivity;
import dev.sluice.testkit.SeededCases;
import dev.sluice.web.live.LiveStatus;
import dev.sluice.web.live.StatusReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ServiceBookTest {
  private static final long SECOND = 1_000_000_000L;

  private final LustreConfiguration configuration =
      LustreConfigurationReader.parse(
          "test.yaml",
          "{capacity: 500 ops/s, limits: [{name: slow, match: job=x*, rate: 9 ops/s}]}",
          Path.of("/"));
  private final ServiceBook book = new ServiceBook(configuration, 0);
  private long nowNanos;
  private final LustreCommands commands =
      new LustreCommands(
          configuration,
          book,
          new LustreCommands.Surroundings(() -> "4 jobs", () -> null, () -> null, () -> {}),
          () -> nowNanos);

  private static JobReport job(String id, long reads, long others, boolean heldBack) {
    LustreJobId known = new LustreJobId(id);
    return new JobReport(
        known.shown(),
        "ann",
        3,
        id.startsWith("x") ? "slow" : null,
        Double.POSITIVE_INFINITY,
        new JobActivity(known, reads + others, reads, 0, reads << 20, 0),
        0,
        heldBack,
        2 * reads,
        reads,
        "sl_" + id,
        50,
        2,
        null);
  }

  private static Decision decision(List<JobReport> jobs, QueueFacts queue) {
    Explanation explanation =
        new Explanation() {
          @Override
          public String summary() {
            return "all is divided";
          }

          @Override
          public List<Reason> reasons() {
            return jobs.stream()
                .map(job -> new Reason(job.job(), Map.of("allocated", 50), "it gets its part"))
                .toList();
          }
        };
    long served = jobs.stream().mapToLong(JobReport::servedRpcs).sum();
    return new Decision(List.of(), "default", jobs, served, 0, queue, 1, false, null, explanation);
  }

  private void period(List<JobReport> jobs, QueueFacts queue) {
    nowNanos += SECOND;
    book.look(new PeriodReport(SECOND, decision(jobs, queue), List.of(), 1, List.of()), nowNanos);
  }

  private String ask(String request) {
    return commands.reply(request).line();
  }

  @Test
  void countersGrowByWhatPeriodsReport() {
    SeededCases.forAll(
        200,
        random -> {
          ServiceBook own = new ServiceBook(configuration, 0);
          Map<String, Long> expected = new TreeMap<>();
          long now = 0;
          for (int i = 0; i < 20; i++) {
            List<JobReport> jobs = new ArrayList<>();
            for (int id = 0; id < 5; id++) {
              if (random.nextBoolean()) {
                JobReport job =
                    job("j" + id, random.nextInt(100), 1 + random.nextInt(9), random.nextBoolean());
                jobs.add(job);
                expected.merge("j" + id, job.servedRpcs(), Long::sum);
              }
            }
            QueueFacts queue = new QueueFacts(1, random.nextDouble(9), random.nextInt(9), 1);
            now += SECOND;
            own.look(new PeriodReport(SECOND, decision(jobs, queue), List.of(), 1, List.of()), now);
          }
          Map<String, Long> counted = new TreeMap<>();
          for (Totals.OfJob job : own.totals(0, now).targets().getFirst().jobs()) {
            counted.put(job.id(), job.operations());
          }
          assertThat(counted).isEqualTo(expected);
        });
  }

  @Test
  void itLooksLikeAnyOtherTarget() {
    period(List.of(job("a", 90, 10, true), job("x", 0, 20, false)), new QueueFacts(120, 4, 8, 1));

    LiveStatus status = StatusReader.read(ask("{\"command\":\"status\",\"figures\":5}"));
    LiveStatus.LiveTarget target = status.targets().getFirst();
    assertThat(target.name()).isEqualTo("ost_io");
    assertThat(target.capacityTokensPerSecond()).isEqualTo(500);
    assertThat(target.operationsPerSecond()).isEqualTo(120);
    assertThat(target.queued()).isEqualTo(8);
    assertThat(target.summary()).isEqualTo("all is divided");
    LiveStatus.LiveJob first = target.jobs().getFirst();
    assertThat(first.description().id()).isEqualTo("a");
    assertThat(first.description().user()).isEqualTo("ann");
    assertThat(first.allowedTokensPerSecond()).isEqualTo(100);
    // Four waited on average, for a second, and a hundred were served.
    assertThat(first.waitedMillis()).isEqualTo(40);
    assertThat(first.figures()).containsEntry("allocated", 50.0);
    assertThat(target.jobs().get(1).waitedMillis()).isZero();
  }

  @Test
  void itIsExplainedWithTheRuleOnTheServer() {
    period(List.of(job("x", 0, 20, true)), new QueueFacts(20, 1, 1, 1));

    assertThat(ask("{\"command\":\"explain\",\"job\":\"x\"}"))
        .contains("rule sl_x lets 2 x 50 requests a second pass, and it is held back")
        .contains("it gets its part", "limit slow allows it 9 ops/s", "all is divided");
    assertThat(ask("{\"command\":\"explain\",\"job\":\"nobody\"}"))
        .contains("nothing is known of job \\\"nobody\\\"");
    assertThat(ask("{\"command\":\"policy\",\"name\":\"fair\"}"))
        .contains("a Lustre service has no command \\\"policy\\\"");
    assertThat(ask("nonsense: [")).startsWith("{\"error\":");
    assertThat(book.reasons(JobId.of("x")).getFirst())
        .startsWith("it gets its part (adaptbf decides every 1 s");
  }

  @Test
  void whatItDoesCanBeRecordedHoweverOftenItIsAsked() {
    DemandCounters counters = new DemandCounters(1L << 60);
    counters.look(ask("{\"command\":\"demand\"}"));
    period(List.of(job("a", 90, 10, true)), new QueueFacts(100, 2, 3, 1));

    Look look = Objects.requireNonNull(counters.look(ask("{\"command\":\"demand\"}")));
    Look.Row row = look.rows().getFirst();
    assertThat(look.spanNanos()).isEqualTo(SECOND);
    assertThat(row.reads()).isEqualTo(90);
    assertThat(row.others()).isEqualTo(10);
    assertThat(row.busyNanos()).isEqualTo(SECOND);
    assertThat(row.waitedNanos()).isEqualTo(2 * SECOND);
    assertThat(row.outstanding()).isEqualTo(3);
    nowNanos += SECOND / 10;
    assertThat(counters.look(ask("{\"command\":\"demand\"}"))).isNull();
  }

  @Test
  void itIsSickWhenNothingIsDecided() {
    period(List.of(job("a", 90, 10, true)), new QueueFacts(100, 2, 3, 1));
    assertThat(ask("{\"command\":\"health\"}")).contains("\"healthy\":true");

    for (int i = 0; i < 40; i++) {
      nowNanos += SECOND;
      book.look(new PeriodReport(0, null, List.of(), 1, List.of("lctl hangs")), nowNanos);
    }
    assertThat(ask("{\"command\":\"health\"}"))
        .contains("\"healthy\":false", "nothing was decided for 40 s: lctl hangs");
    assertThat(book.trouble()).contains("no limit holds: lctl hangs");
  }
}
