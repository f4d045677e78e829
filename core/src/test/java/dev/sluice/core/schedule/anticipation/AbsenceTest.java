package dev.sluice.core.schedule.anticipation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AbsenceTest {
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;

  private final Absence<String> absence = new Absence<>("a");
  private long now = 5 * SECOND;

  /** Goes, and comes back after so long. */
  private void away(long nanos) {
    absence.begin(7, now);
    now += nanos;
    absence.end(now);
  }

  @Test
  void afterThreeTimesItIsKnownWhenItComesBack() {
    for (int times = 0; times < 3; times++) {
      absence.begin(7, now);
      assertThat(absence.isExpected(now)).as("after %d times", times).isFalse();
      absence.end(now += 4 * MILLISECOND);
      assertThat(absence.isExpected(now)).as("it is here").isFalse();
    }
    absence.begin(7, now);
    assertThat(absence.isExpected(now)).isTrue();
    assertThat(absence.price).isEqualTo(7);
    // 4 ms, twice how far that is off, which is 2 ms at first and a quarter less each time, and
    // a quarter of a millisecond.
    assertThat(absence.dueNanos()).isEqualTo(now + 6_500_000);
  }

  @Test
  void whatIsUsualFollowsWhatIsSeen() {
    for (int times = 0; times < 3; times++) {
      away(4 * MILLISECOND);
    }
    away(12 * MILLISECOND);
    absence.begin(7, now);
    assertThat(absence.dueNanos()).isEqualTo(now + 5_000_000 + 2 * 2_843_750 + 250_000);
    absence.end(now += 1_000_000);
    absence.begin(7, now);
    assertThat(absence.dueNanos()).isEqualTo(now + 4_500_000 + 2 * 3_132_812 + 250_000);
  }

  @Test
  void whoIsAwayForMoreThanASecondComesAnew() {
    away(SECOND);
    away(SECOND);
    away(SECOND);
    absence.begin(7, now);
    assertThat(absence.isExpected(now)).isTrue();
    assertThat(absence.isRecent(now + SECOND)).isTrue();
    assertThat(absence.isRecent(now + SECOND + 1)).isFalse();
    absence.end(now += SECOND + 1);
    assertThat(absence.isRecent(now)).as("it is here").isFalse();
    away(2 * MILLISECOND);
    away(2 * MILLISECOND);
    absence.begin(7, now);
    assertThat(absence.isExpected(now)).as("twice since it came anew").isFalse();
    absence.end(now += 2 * MILLISECOND);
    absence.begin(7, now);
    assertThat(absence.isExpected(now)).isTrue();
    assertThat(absence.dueNanos())
        .as("nothing of a second is left")
        .isEqualTo(now + 2_000_000 + 2 * 562_500 + 250_000);
  }

  @Test
  void whoIsHereAlreadyDoesNotComeBack() {
    away(4 * MILLISECOND);
    absence.end(now += 40 * MILLISECOND);
    away(4 * MILLISECOND);
    away(4 * MILLISECOND);
    absence.begin(7, now);
    assertThat(absence.dueNanos()).isEqualTo(now + 6_500_000);
  }

  @Test
  void whoIsWaitedForInVainIsNotForAWhileAndLongerEachTime() {
    for (int times = 0; times < 3; times++) {
      away(4 * MILLISECOND);
    }
    long barred = 50 * MILLISECOND;
    for (int misses = 1; misses <= 12; misses++) {
      absence.begin(7, now);
      absence.miss(now);
      assertThat(absence.isExpected(now + barred - 1)).as("after miss %d", misses).isFalse();
      assertThat(absence.isExpected(now + barred)).as("after miss %d", misses).isTrue();
      barred = Math.min(2 * barred, (50 * MILLISECOND) << 8);
      absence.end(now += 4 * MILLISECOND);
    }
  }

  @Test
  void whoKeepsToItIsForgivenOnce() {
    for (int times = 0; times < 3; times++) {
      away(4 * MILLISECOND);
    }
    absence.begin(7, now);
    absence.miss(now);
    absence.end(now += 4 * MILLISECOND);
    awaited(4 * MILLISECOND);
    absence.begin(7, now);
    absence.miss(now);
    assertThat(absence.isExpected(now + 50 * MILLISECOND)).as("as the first time").isTrue();
    absence.end(now += 4 * MILLISECOND);

    awaited(900 * MILLISECOND);
    absence.begin(7, now);
    absence.miss(now);
    assertThat(absence.isExpected(now + 100 * MILLISECOND - 1)).as("it came too late").isFalse();
    assertThat(absence.isExpected(now + 100 * MILLISECOND)).isTrue();
    absence.end(now += 4 * MILLISECOND);

    away(4 * MILLISECOND);
    absence.begin(7, now);
    absence.miss(now);
    assertThat(absence.isExpected(now + 200 * MILLISECOND - 1)).as("not waited for").isFalse();
  }

  @Test
  void whoComesAtTheVeryInstantKeepsToIt() {
    for (int times = 0; times < 3; times++) {
      away(4 * MILLISECOND);
    }
    absence.begin(7, now);
    absence.miss(now);
    absence.end(now += 4 * MILLISECOND);
    // By then it is expected as late as it comes.
    awaited(8_041_661);
    assertThat(absence.dueNanos()).isEqualTo(now);
    absence.begin(7, now);
    absence.miss(now);
    assertThat(absence.isExpected(now + 50 * MILLISECOND)).as("as the first time").isTrue();
  }

  private void awaited(long nanos) {
    absence.begin(7, now);
    assertThat(absence.awaited).isFalse();
    absence.awaited = true;
    now += nanos;
    absence.end(now);
  }
}
