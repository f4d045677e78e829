package dev.sluice.sim.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.JobId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SummaryTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Timeline EMPTY = new Timeline(SECOND, Timeline.Merge.SUM);

  @Test
  void aJobIsMeasuredFromItsStartToItsEnd() {
    Summary.Job job = summary(job("a", 1, 2, 12, 1_000)).jobs().getFirst();
    assertThat(job.bytesPerSecond()).hasValue(100);
    assertThat(job.waitNanos()).hasValue(2 * SECOND);
    assertThat(job.completionNanos()).hasValue(10 * SECOND);
    assertThat(job.effectiveBytesPerSecond()).hasValue(250);
    assertThat(job.stretch().orElseThrow()).isCloseTo(10.0 / (6 + 2), within(1e-12));
    assertThat(job.ioSlowdown().orElseThrow()).isCloseTo((10.0 - 6) / 2, within(1e-12));
  }

  /** It computes for 3 s by its own account but has nothing outstanding for 6 s of 10. */
  @Test
  void pausesAreNotSlowdown() {
    Summary.Job paused = summary(job("a", 1, 0, 10, 1)).jobs().getFirst();
    assertThat(paused.ioSlowdown()).hasValue(2);
    Summary.Job busy = summary(job("a", 1, 0, 5, 1)).jobs().getFirst();
    assertThat(busy.ioSlowdown()).hasValue((5.0 - 3) / 2);
  }

  @Test
  void aJobWithoutAnEndIsMeasuredToTheEndOfTheRunAndHasNoStretch() {
    Summary summary = summary(job("a", 1, 10, -1, 1_000));
    Summary.Job job = summary.jobs().getFirst();
    assertThat(job.bytesPerSecond()).hasValue(100);
    assertThat(job.completionNanos()).isEmpty();
    assertThat(job.stretch()).isEmpty();
    assertThat(job.ioSlowdown()).isEmpty();
    assertThat(summary.total().makespanNanos()).isEmpty();
    assertThat(summary.total().jobsDone()).isZero();
  }

  @Test
  void theWholeTellsHowManyStillWaitedAndTheOldest() {
    Summary.Total all = summary(job("a", 1, 0, -1, 1), job("b", 1, 0, 9, 1)).total();
    assertThat(all.stillWaiting()).isEqualTo(2);
    assertThat(all.oldestWaitNanos()).hasValue(5);
    Summary.Total none = summary(job("a", 1, 0, 9, 1)).total();
    assertThat(none.stillWaiting()).isZero();
    assertThat(none.oldestWaitNanos()).isEmpty();
  }

  /** It was idle for 6 s of 10, and its I/O would have taken 2 s alone. */
  @Test
  void aJobsSpeedIsAPartOfWhatItWouldHaveBeenAlone() {
    assertThat(job("a", 1, 0, 10, 1).speed(20 * SECOND)).hasValue(0.8);
    assertThat(job("a", 1, -1, -1, 1).speed(20 * SECOND)).isEmpty();
  }

  @Test
  void theSpeedOfAJobThatIsLeftWaitingFalls() {
    JobResult left =
        new JobResult(
            JobId.of("a"),
            "user",
            1,
            0,
            0,
            -1,
            10,
            1,
            20 * SECOND,
            0,
            SECOND / 10,
            LatencySummary.NONE,
            LatencySummary.NONE,
            EMPTY,
            Map.of());
    assertThat(left.speed(20 * SECOND).orElseThrow()).isCloseTo(0.005, within(1e-12));
  }

  @Test
  void aJobThatNeverStartedCountsForNothing() {
    Summary summary = summary(job("a", 2, 0, 10, 1_000), job("b", 1, -1, -1, 0));
    assertThat(summary.jobs().getLast().bytesPerSecond()).isEmpty();
    assertThat(summary.jobs().getLast().waitNanos()).isEmpty();
    assertThat(summary.total().fairness()).hasValue(1);
    assertThat(summary.total().jobs()).isEqualTo(2);
  }

  @Test
  void fairnessIsByNodes() {
    assertThat(summary(job("a", 3, 0, 10, 3_000), job("b", 1, 0, 10, 1_000)).total().fairness())
        .hasValue(1);
    assertThat(
            summary(job("a", 1, 0, 10, 3_000), job("b", 1, 0, 10, 1_000))
                .total()
                .fairness()
                .orElseThrow())
        .isCloseTo(0.8, within(1e-12));
  }

  @Test
  void whereNobodyMovesBytesFairnessIsOfOperations() {
    assertThat(
            summary(job("a", 1, 0, 10, 0), job("b", 1, 0, 5, 0)).total().fairness().orElseThrow())
        .isCloseTo(0.9, within(1e-12));
  }

  @Test
  void theWholeIsMeasuredUntilTheLastEnd() {
    Summary.Total total = summary(job("a", 1, 0, 10, 500), job("b", 1, 0, 8, 500)).total();
    assertThat(total.bytesPerSecond()).hasValue(100);
    assertThat(total.makespanNanos()).hasValue(10 * SECOND);
    assertThat(total.targetUtilisation()).hasValue(0.5);
    assertThat(total.computeUtilisation().orElseThrow()).isCloseTo(6.0 / 20, within(1e-12));
    assertThat(total.worstP99Nanos()).hasValue(4);
  }

  @Test
  void aRunWithoutJobsHasNoMeasures() {
    Summary.Total total = summary().total();
    assertThat(total.fairness()).isEmpty();
    assertThat(total.meanStretch()).isEmpty();
    assertThat(total.maxStretch()).isEmpty();
    assertThat(total.makespanNanos()).isEmpty();
    assertThat(total.worstP99Nanos()).isEmpty();
    assertThat(total.computeUtilisation()).isEmpty();
  }

  private static Summary summary(JobResult... jobs) {
    TargetResult target = new TargetResult("ost0", 1, 1, 10 * SECOND, 1_000, EMPTY, EMPTY);
    return Summary.of(
        new RunResult("s", "none", 1, 20 * SECOND, 1, 0, 0, List.of(jobs), List.of(target)));
  }

  private static JobResult job(String id, long nodes, long start, long end, long bytes) {
    return new JobResult(
        JobId.of(id),
        "user",
        nodes,
        0,
        start < 0 ? -1 : start * SECOND,
        end < 0 ? -1 : end * SECOND,
        bytes,
        10,
        4 * SECOND,
        3 * SECOND,
        2 * SECOND,
        new LatencySummary(5, end < 0 ? 2 : 0, end < 0 ? 5 : 0, 1, 2, 3, 4, 5),
        LatencySummary.NONE,
        EMPTY,
        Map.of());
  }
}
