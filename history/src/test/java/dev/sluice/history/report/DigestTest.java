package dev.sluice.history.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.groups.Tuple.tuple;

import dev.sluice.core.model.TokenUnit;
import dev.sluice.history.model.Sample;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class DigestTest {
  private static final Selection HOUR = new Selection(0, 3_600_000, null, null);

  private static Sample sample(
      long endMillis, int spanMillis, int saturated, Sample.OfJob... jobs) {
    return new Sample(
        endMillis,
        spanMillis,
        "fair",
        false,
        List.of(
            new Sample.OfTarget("disk", 1_000_000, TokenUnit.BYTES, 4, saturated, List.of(jobs))));
  }

  private static Sample.OfJob job(
      String id, String user, long bytes, int heldBackMillis, long allowed) {
    return new Sample.OfJob(id, user, 1, 10, bytes, 0, 50_000, 1, allowed, heldBackMillis);
  }

  @Test
  void tellsWhoUsedMostAndWhoWasHeldBackByWhat() {
    Digest digest = new Digest(HOUR);
    for (int second = 1; second <= 10; second++) {
      digest.add(
          sample(
              1_000L * second,
              1_000,
              0,
              job("big", "anna", 500_000, 0, Sample.OfJob.UNLIMITED),
              job("limited", "bob", 100_000, 1_000, 100_000),
              job("late", "bob", 100, 1_000, 900_000)));
    }
    assertThat(digest.jobs()).extracting(JobUse::name).containsExactly("big", "limited", "late");
    assertThat(digest.users()).extracting(JobUse::name).containsExactly("anna", "bob");
    JobUse bob = digest.users().getLast();
    assertThat(bob.jobs()).isEqualTo(2);
    assertThat(bob.bytes()).isEqualTo(1_001_000);
    assertThat(bob.meanWaitMicros()).isEqualTo(5_000);
    assertThat(digest.heldBack())
        .extracting(JobUse::name, JobUse::heldBackMillis, JobUse::limitedMillis)
        .containsExactly(tuple("late", 10_000L, 0L), tuple("limited", 10_000L, 10_000L));
    assertThat(digest.targets().getFirst().utilisation()).isEqualTo(0.6001, within(1e-6));
  }

  @Test
  void whatATargetCouldDoIsKnownStepByStep() {
    Course course = new Course(new Selection(0, 10_000, null, null), List.of(), null, 10);
    course.add(sample(3_000, 1_000, 0));
    assertThat(Objects.requireNonNull(course.targets().get("disk")).capacityTokensPerSecond())
        .containsExactly(0, 0, 1e6, 0, 0, 0, 0, 0, 0, 0);
  }

  /** Nothing of it was served, and its two requests have waited all the time. */
  @Test
  void whoIsServedNothingHasWaited() {
    Digest digest = new Digest(HOUR);
    Sample.OfJob starving =
        new Sample.OfJob("starving", "u", 1, 0, 0, 0, 2_000_000, 2, Sample.OfJob.UNLIMITED, 1_000);
    for (int second = 1; second <= 10; second++) {
      digest.add(sample(1_000L * second, 1_000, 0, starving));
    }
    assertThat(digest.jobs().getFirst().meanWaitMicros()).isEqualTo(10_000_000);
  }

  @Test
  void aSelectionLeavesOthersOut() {
    Digest digest = new Digest(new Selection(0, 10_000, null, "bob"));
    digest.add(sample(1_000, 1_000, 0, job("a", "anna", 5, 0, 1), job("b", "bob", 7, 0, 1)));
    assertThat(digest.jobs()).extracting(JobUse::name).containsExactly("b");
    assertThat(digest.targets().getFirst().bytes()).as("what all did").isEqualTo(12);
  }

  @Test
  void saturationThatPausesBrieflyGoesOn() {
    Digest digest = new Digest(HOUR);
    Sample.OfJob busy = job("busy", "u", 900_000, 0, 1);
    for (int second = 1; second <= 600; second++) {
      boolean saturated = second <= 100 || (second > 150 && second <= 200) || second > 400;
      digest.add(sample(1_000L * second, 1_000, saturated ? 1_000 : 0, busy));
    }
    assertThat(digest.saturations())
        .containsExactly(
            new Saturation("disk", 0, 200_000, 150_000, 4, "busy"),
            new Saturation("disk", 400_000, 600_000, 200_000, 4, "busy"));
  }

  /** Whatever the samples' lengths, the area below each curve is what was moved. */
  @Test
  void theAreaBelowACurveIsTheAmount() {
    SeededCases.forAll(
        300,
        random -> {
          Selection selection = new Selection(0, 100_000, null, null);
          int steps = random.nextInt(1, 50);
          Course course = new Course(selection, List.of("a"), null, steps);
          long now = 0;
          double moved = 0;
          List<Sample> samples = new ArrayList<>();
          while (true) {
            int span = random.nextInt(1, 20_000);
            if (now + span > 100_000) {
              break;
            }
            now += span;
            long bytes = random.nextInt(1_000_000);
            moved += bytes;
            samples.add(sample(now, span, 0, job("a", "u", bytes, 0, 1)));
          }
          samples.forEach(course::add);
          double seconds = 100.0 / steps;
          for (Map<String, Course.Curve> curves : List.of(course.jobs(), course.targets())) {
            double[] rates = curves.values().iterator().next().bytesPerSecond();
            assertThat(Arrays.stream(rates).sum() * seconds)
                .isCloseTo(moved, within(1e-6 * moved + 1e-6));
          }
        });
  }
}
