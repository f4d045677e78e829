package dev.sluice.history.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.TokenUnit;
import dev.sluice.history.model.Sample;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LookedOnTest {
  private static final Selection HOUR = new Selection(0, 3_600_000, null, null);

  private static Sample second(boolean observesOnly, List<Sample.OfJob> jobs) {
    return new Sample(
        1_000,
        1_000,
        "fair",
        observesOnly,
        List.of(new Sample.OfTarget("disk", 0, TokenUnit.BYTES, 0, 0, jobs)));
  }

  private static Sample.OfJob job(String id, long bytes, long allowed, int heldBackMillis) {
    return new Sample.OfJob(id, "u", 1, 1, bytes, 0, 0, 0, allowed, heldBackMillis);
  }

  private static LookedOn seen(boolean observesOnly, Sample.OfJob... jobs) {
    LookedOn seen = new LookedOn(HOUR);
    seen.add(second(observesOnly, List.of(jobs)));
    return seen;
  }

  @Test
  void whoUsesMoreThanItWouldBeGivenWouldBeSlowedDown() {
    Sample.OfJob greedy = job("greedy", 400, 100, 0);
    Sample.OfJob modest = job("modest", 100, 100, 0);
    LookedOn seen = seen(true, greedy, modest);
    assertThat(seen.millis()).isEqualTo(1_000);
    assertThat(seen.slowed()).hasSize(1);
    LookedOn.Slowed slowed = seen.slowed().getFirst();
    assertThat(slowed.job()).isEqualTo("greedy");
    assertThat(slowed.millis()).isEqualTo(1_000);
    assertThat(slowed.part()).isEqualTo(0.25, within(1e-9));
    assertThat(seen(false, greedy, modest).slowed()).as("it was enforced").isEmpty();
  }

  @Test
  void whereRequestsAreOnlyOrderedWhoHasMostGivesWayToThoseWhoWait() {
    long any = Sample.OfJob.UNLIMITED;
    LookedOn seen = seen(true, job("greedy", 900, any, 0), job("waits", 100, any, 500));
    assertThat(seen.slowed()).extracting(LookedOn.Slowed::job).containsExactly("greedy");
    assertThat(seen.slowed().getFirst().part()).isEqualTo(500.0 / 900, within(1e-9));
    assertThat(seen(true, job("greedy", 900, any, 500), job("idle", 100, any, 0)).slowed())
        .as("nobody waits who had less")
        .isEmpty();
    assertThat(seen(true, job("alone", 900, any, 900)).slowed()).isEmpty();
  }

  /** Who would be slowed down had more than another who waited; not all could be. */
  @Test
  void neverAllAreSlowedDownWhereRequestsAreOnlyOrdered() {
    SeededCases.forAll(
        1_000,
        random -> {
          List<Sample.OfJob> jobs = new ArrayList<>();
          for (int i = 0; i < 1 + random.nextInt(8); i++) {
            int waited = random.nextInt(3) * 100;
            jobs.add(job("j" + i, random.nextInt(1_000), Sample.OfJob.UNLIMITED, waited));
          }
          LookedOn seen = new LookedOn(HOUR);
          seen.add(second(true, jobs));
          assertThat(seen.slowed().size()).isLessThan(jobs.size());
          assertThat(seen.slowed()).allMatch(one -> one.part() < 1 && one.part() >= 0);
        });
  }
}
