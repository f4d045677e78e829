package dev.sluice.papers.gift;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.papers.Documented;
import dev.sluice.papers.Evidence;
import dev.sluice.papers.Reproduction;
import dev.sluice.papers.Trials;
import dev.sluice.sim.scenario.JobSpec;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A small part of the paper's experiments; all of them take many minutes. */
class GiftPaperTest {
  private static final long SEED = 1;

  /** Every figure and every claim, with sets so small that the claims themselves mean nothing. */
  @Test
  void twoRunsGiveTheSameFiles() {
    ApplicationSet tiny = new ApplicationSet(16, 2);
    GiftPaper paper =
        new GiftPaper(
            tiny, tiny, tiny, List.of(new ApplicationSet(8, 1), new ApplicationSet(9, 1)));
    Reproduction first = reproduction(paper);
    Reproduction second = reproduction(paper);
    assertThat(second.files()).isEqualTo(first.files());
    assertThat(first.claims()).extracting(Evidence::id).doesNotHaveDuplicates().hasSize(47);
    assertThat(first.claims())
        .allSatisfy(claim -> {
          assertThat(claim.ours()).isNotBlank();
          assertThat(claim.criterion()).isNotBlank();
          assertThat(first.files().get("results.md")).contains(claim.criterion());
        });
    assertThat(first.files().keySet())
        .contains(
            "report.html",
            "figure-7.svg",
            "figure-8.svg",
            "figure-9a.svg",
            "figure-9c.svg",
            "figure-10.svg",
            "figure-11-tau.svg",
            "figure-11-threshold.svg",
            "figure-11-window.svg",
            "figure-12a.svg",
            "figure-12b.svg",
            "figure-13-1.svg",
            "figure-13-2.svg",
            "figure-13-3.svg",
            "figure-14-io-time.svg",
            "figure-14-bandwidth.svg");
  }

  private static Reproduction reproduction(GiftPaper paper) {
    return new Reproduction(
        paper, SEED, 1, List.of(paper.conclude(Trials.run(paper.trials(SEED), SEED))));
  }

  /** Half a thousand applications for a day: what GIFT is for, in all four measures. */
  @Test
  void giftIsBetterThanFairSharesInEveryMeasure() {
    ApplicationSet set = new ApplicationSet(500, 1);
    List<Contender> contenders = List.of(Contender.MAXMIN, Contender.GIFT);
    SetRuns runs =
        SetRuns.of(set, contenders, Trials.run(SetRuns.trials(set, contenders, SEED), SEED));
    for (Contender contender : contenders) {
      Comparison run = runs.of(contender);
      assertThat(run.ioTime()).as(contender.name()).isLessThan(-0.1);
      assertThat(run.runTime()).as(contender.name()).isLessThan(-0.01);
      assertThat(run.throughput()).as(contender.name()).isPositive();
      assertThat(run.effectiveBandwidth()).as(contender.name()).isGreaterThan(0.1);
      assertThat(run.worse()).as(contender.name()).isLessThan(0.2);
    }
    assertThat(runs.of(Contender.GIFT).effectiveBandwidth())
        .isGreaterThan(runs.of(Contender.MAXMIN).effectiveBandwidth());
  }

  /** The cheapest of the documented results are what the code gives now. */
  @Test
  void theDocumentedResultsAreStillTrue() {
    ApplicationSet set = new ApplicationSet(250, 7);
    List<Contender> contenders = List.of(Contender.POFS, Contender.GIFT);
    SetRuns runs =
        SetRuns.of(set, contenders, Trials.run(SetRuns.trials(set, contenders, SEED), SEED));
    new Documented("gift").holds(RealSystemExperiment.ofGift(runs.of(Contender.GIFT)));
  }

  /** The paper's observation 1, over 25 days instead of years: a tenth of its counts. */
  @Test
  void applicationsComeBackAsOftenAsThePaperSays() {
    ApplicationSet set = new ApplicationSet(500, 25);
    Map<String, Long> runs =
        set.scenario(SEED).jobs().stream()
            .collect(Collectors.groupingBy(JobSpec::user, Collectors.counting()));
    assertThat(runs).hasSize(500);
    assertThat(part(runs, 21, Long.MAX_VALUE)).isBetween(0.35, 0.50);
    assertThat(part(runs, 101, Long.MAX_VALUE)).isBetween(0.10, 0.20);
    assertThat(part(runs, 0, 4)).isBetween(0.10, 0.25);
  }

  private static double part(Map<String, Long> runs, long least, long most) {
    long count = runs.values().stream().filter(n -> n >= least && n <= most).count();
    return (double) count / runs.size();
  }

  @Test
  void thePhasesAreThoseOfThePaper() {
    for (Application application : new ApplicationSet(500, 25).drawn(SEED)) {
      assertThat(application.computeNanos() / 60e9).isBetween(5.0, 180.0);
      assertThat(application.stripes()).isBetween(2, 8);
      double aloneSeconds =
          application.phaseBytes()
              / (application.stripes() * (double) ApplicationSet.TARGET_BYTES_PER_SECOND);
      assertThat(aloneSeconds).isBetween(9.0, 600.0);
    }
  }
}
