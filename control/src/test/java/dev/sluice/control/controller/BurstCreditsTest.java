package dev.sluice.control.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.control.settings.Limit;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Rate;
import dev.sluice.testkit.SeededCases;
import java.util.List;
import org.junit.jupiter.api.Test;

class BurstCreditsTest {
  private static final long SECOND = Rate.NANOS_PER_SECOND;

  private static Limit limit(String job, long perSecond, long burstSeconds) {
    return new Limit(
        new Limit.OfJob(JobId.of(job)),
        new LimitKey("read", Counted.BYTES),
        perSecond,
        Limit.Firmness.HARD,
        burstSeconds * SECOND);
  }

  /** The theorem, for jobs that hear of what they may do at once or a cycle late. */
  @Test
  void noMoreIsUsedThanTheLimitAndWhatMayBeSaved() {
    SeededCases.forAll(
        2_000,
        random -> {
          long perSecond = random.nextLong(1, 1_000_000_000);
          long burst = random.nextLong(0, 100);
          Limit limit = limit("a", perSecond, burst);
          BurstCredits credits = new BurstCredits(SECOND);
          long before = credits.allowedPerSecond(limit, 0);
          double allowed = before;
          double used = 0;
          for (int cycle = 1; cycle <= 200; cycle++) {
            double wanted = random.nextInt(3) == 0 ? 0 : random.nextDouble(5) * perSecond;
            boolean late = random.nextBoolean();
            long now = (long) Math.min(wanted, late ? before : allowed);
            used += now;
            assertThat(used).isLessThanOrEqualTo(((double) cycle + burst) * perSecond + cycle);
            before = (long) allowed;
            allowed = credits.allowedPerSecond(limit, now);
          }
        });
  }

  @Test
  void whoSavedAMinuteMayUseItAndNoMore() {
    Limit limit = limit("a", 100, 60);
    BurstCredits credits = new BurstCredits(SECOND);
    for (int cycle = 0; cycle <= 100; cycle++) {
      credits.allowedPerSecond(limit, 0);
    }
    double used = 0;
    long allowed = credits.allowedPerSecond(limit, 0);
    assertThat(allowed).isEqualTo(100 + 3_000);
    for (int cycle = 0; cycle < 40; cycle++) {
      used += allowed;
      allowed = credits.allowedPerSecond(limit, allowed);
    }
    assertThat(used).isCloseTo(40 * 100 + 60 * 100, within(50.0));
    assertThat(allowed).isBetween(99L, 101L);
  }

  @Test
  void nothingIsSavedWhereALimitDoesNotLet() {
    Limit limit = limit("a", 100, 0);
    BurstCredits credits = new BurstCredits(SECOND);
    assertThat(credits.allowedPerSecond(limit, 0)).isEqualTo(100);
    assertThat(credits.allowedPerSecond(limit, 0)).isEqualTo(100);
  }

  @Test
  void whatWasSavedUnderALimitGoesWithIt() {
    Limit one = limit("a", 100, 10);
    Limit other = limit("b", 100, 10);
    BurstCredits credits = new BurstCredits(SECOND);
    for (int cycle = 0; cycle < 20; cycle++) {
      credits.allowedPerSecond(one, 0);
      credits.allowedPerSecond(other, 0);
    }
    credits.keep(List.of(one));
    assertThat(credits.allowedPerSecond(one, 0)).isEqualTo(600);
    assertThat(credits.allowedPerSecond(other, 0)).isEqualTo(100);
  }
}
