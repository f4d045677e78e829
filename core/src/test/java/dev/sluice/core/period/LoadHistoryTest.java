package dev.sluice.core.period;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadHistoryTest {
  private record Amount(long timeNanos, long bytes) {}

  @Test
  void everyLevelHoldsExactlyWhatCameInItsWindow() {
    SeededCases.forAll(
        300,
        random -> {
          LoadHistory history = new LoadHistory();
          List<Amount> told = new ArrayList<>();
          long now = random.nextLong(-1L << 40, 1L << 60);
          long step = 1L << random.nextInt(10, 42);
          for (int i = random.nextInt(1, 400); i > 0; i--) {
            now += random.nextInt(20) == 0 ? random.nextLong(step * 2000) : random.nextLong(step);
            Amount amount = new Amount(now, random.nextInt(0, 1 << 12));
            told.add(amount);
            history.add(amount.timeNanos, amount.bytes);
            history.checkInvariants();
          }
          long later = now + random.nextLong(step * 100);
          for (int level = 0; level < LoadHistory.LEVELS; level++) {
            Signal signal = history.signal(level, later);
            long begin = signal.nanosAt(0);
            double expected =
                told.stream().filter(a -> a.timeNanos >= begin).mapToLong(Amount::bytes).sum();
            assertThat(sum(signal)).isEqualTo(expected);
            assertThat(signal.length()).isBetween(1, LoadHistory.BINS);
            assertThat(signal.nanosAt(signal.length())).isGreaterThan(later);
            assertThat(signal.cut()).isEqualTo(begin > told.getFirst().timeNanos);
          }
        });
  }

  @Test
  void whatFlowsIsInTheBinsDuringWhichItFlowed() {
    SeededCases.forAll(
        200,
        random -> {
          LoadHistory history = new LoadHistory();
          long from = random.nextLong(1L << 40);
          long to = from + 1 + random.nextLong(1L << random.nextInt(1, 45));
          long bytes = random.nextLong(1L << 40);
          history.add(from, to, bytes);
          history.checkInvariants();
          for (int level = 0; level < LoadHistory.LEVELS; level++) {
            Signal signal = history.signal(level, to);
            long begin = Math.max(from, signal.nanosAt(0));
            double expected = (double) bytes * (to - begin) / (to - from);
            assertThat(sum(signal)).isCloseTo(expected, within(1 + expected * 1e-5));
          }
        });
  }

  @Test
  void whatComesLateIsCountedWhereItBelongsOrNotAtAll() {
    LoadHistory history = new LoadHistory();
    long second = 1_000_000_000;
    history.add(0, 1);
    history.add(100 * second, 10);
    history.add(99 * second, 100);
    // Level 0 forgot the first second long ago; the coarser ones know it.
    history.add(second, 1000);
    history.checkInvariants();
    assertThat(sum(history.signal(0, 100 * second))).isEqualTo(110);
    assertThat(sum(history.signal(LoadHistory.LEVELS - 1, 100 * second))).isEqualTo(1111);
  }

  private static double sum(Signal signal) {
    double sum = 0;
    for (int bin = 0; bin < signal.length(); bin++) {
      sum += signal.load(bin);
    }
    return sum;
  }
}
