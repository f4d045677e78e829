package dev.sluice.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StallsTest {
  private static final long MILLI = 1_000_000;

  @Test
  void itStoodStillWhileRequestsWereInServiceAndNoneWasDone() {
    Stalls stalls = new Stalls(0);
    stalls.handedOut(1_000 * MILLI);
    stalls.handedOut(1_010 * MILLI);
    assertThat(stalls.completed(1_040 * MILLI)).isEqualTo(40 * MILLI);
    assertThat(stalls.completed(1_045 * MILLI)).isEqualTo(5 * MILLI);
    // Nothing was in service meanwhile.
    stalls.handedOut(2_000 * MILLI);
    assertThat(stalls.completed(2_003 * MILLI)).isEqualTo(3 * MILLI);
  }

  @Test
  void oneMomentIsForgivenAndSeveralAreNot() {
    Stalls stalls = new Stalls(0);
    assertThat(stalls.add(25 * MILLI, 1_000 * MILLI)).isFalse();
    assertThat(stalls.add(25 * MILLI, 5_000 * MILLI)).isFalse();
    assertThat(stalls.add(25 * MILLI, 5_500 * MILLI)).isTrue();
    stalls.forget();
    assertThat(stalls.add(25 * MILLI, 5_600 * MILLI)).isFalse();
  }

  @Test
  void aLongMomentIsTooLong() {
    assertThat(new Stalls(0).add(60 * MILLI, 1_000 * MILLI)).isTrue();
  }
}
