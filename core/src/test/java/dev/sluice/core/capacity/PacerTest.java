package dev.sluice.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Rate;
import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

class PacerTest {
  private static final long START = 77_000_000_000L;

  @Test
  void whatIsHandedOutFollowsTheRate() {
    SeededCases.forAll(
        2_000,
        random -> {
          long rate = (long) Math.exp(random.nextDouble(Math.log(10), Math.log(1e12)));
          long largest = Math.max(1, (long) (rate * random.nextDouble(0.000_01, 0.5)));
          long latest = 1 + random.nextLong(Pacer.BURST_NANOS);
          Pacer pacer = new Pacer(rate, START);
          long now = START;
          long tokens = 0;
          for (int i = 0; i < 2_000; i++) {
            if (pacer.isReady(now)) {
              long price = random.nextLong(largest + 1);
              pacer.spend(price, now);
              tokens += price;
            } else {
              now = pacer.readyAtNanos() + random.nextLong(latest);
            }
            double due = (double) (now - START) * rate / Rate.NANOS_PER_SECOND;
            double burst = (double) Pacer.BURST_NANOS * rate / Rate.NANOS_PER_SECOND;
            double slack = 1 + due * 1e-6;
            assertThat((double) tokens).isLessThanOrEqualTo(due + burst + largest + slack);
            assertThat((double) tokens).isGreaterThanOrEqualTo(due - largest - slack);
          }
        });
  }

  @Test
  void idlingSavesUpNoMoreThanABurst() {
    Pacer pacer = new Pacer(1_000, START);
    long hour = 3_600_000_000_000L;
    int handedOut = 0;
    while (pacer.isReady(START + hour)) {
      pacer.spend(1, START + hour);
      handedOut++;
    }
    assertThat(handedOut).isBetween(5, 7);
  }

  @Test
  void aPriceBeyondAllReasonStopsNobodyForLong() {
    Pacer pacer = new Pacer(1, START);
    pacer.spend(Long.MAX_VALUE / 2, START);
    assertThat(pacer.readyAtNanos() - START).isBetween(0L, 61_000_000_000L);
    pacer.giveBack(Long.MAX_VALUE / 2);
    assertThat(pacer.isReady(START)).isTrue();
  }

  @Test
  void whatTurnsOutDearerIsWaitedForAfterwards() {
    Pacer pacer = new Pacer(1_000, START);
    pacer.spend(1, START);
    assertThat(pacer.isReady(START)).isTrue();
    pacer.spend(399, START);
    assertThat(pacer.readyAtNanos()).isEqualTo(START - Pacer.BURST_NANOS + 400_000_000);
  }

  @Test
  void whatIsGivenBackCanBeHandedOut() {
    Pacer pacer = new Pacer(1_000_000, START);
    pacer.spend(1_000_000, START);
    assertThat(pacer.isReady(START + 500_000_000)).isFalse();
    pacer.giveBack(900_000);
    assertThat(pacer.isReady(START + 100_000_000)).isTrue();
  }
}
