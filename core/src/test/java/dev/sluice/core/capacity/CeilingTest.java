package dev.sluice.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

class CeilingTest {
  @Test
  void itNeverFallsByClimbingIsBackInTimeAndDoublesInTime() {
    SeededCases.forAll(
        500,
        random -> {
          Ceiling ceiling = new Ceiling();
          double delivered = random.nextDouble(1, 1e9);
          int cuts = 1 + random.nextInt(6);
          for (int i = 0; i < cuts; i++) {
            ceiling.cut(delivered, random.nextDouble(0.05));
          }
          double most = ceiling.most();
          assertThat(most).isLessThanOrEqualTo(delivered);
          double before = ceiling.perSecond();
          double seconds = 0;
          while (seconds < 56) {
            double step = random.nextDouble(0.01, 0.5);
            ceiling.climb(step);
            seconds += step;
            assertThat(ceiling.perSecond()).isGreaterThanOrEqualTo(before);
            before = ceiling.perSecond();
            if (seconds >= 44) {
              assertThat(before).isGreaterThanOrEqualTo(most * 0.999);
            }
          }
          assertThat(before).isGreaterThanOrEqualTo(2 * most);
        });
  }

  @Test
  void itIsLoweredByNoMoreThanALittleAndThenItIsWhatItWas() {
    Ceiling ceiling = new Ceiling();
    ceiling.cut(100, 0);
    int lowered = 0;
    while (ceiling.lower()) {
      lowered++;
      assertThat(ceiling.most()).isBetween(92.0, 100.0);
      assertThat(ceiling.perSecond()).isLessThan(ceiling.most());
    }
    assertThat(lowered).isBetween(5, 10);
    assertThat(ceiling.most()).isEqualTo(100);
  }

  @Test
  void whoComesBackFromATrialHasALittleMoreOrWhatWasProven() {
    Ceiling ceiling = new Ceiling();
    ceiling.cut(100, 0);
    assertThat(ceiling.isBeyond()).isFalse();
    ceiling.climb(7);
    assertThat(ceiling.isBeyond()).isTrue();
    ceiling.comeBack(90);
    assertThat(ceiling.isBeyond()).isFalse();
    assertThat(ceiling.most()).isBetween(100.0, 101.0);
    ceiling.climb(22);
    ceiling.comeBack(150);
    assertThat(ceiling.most()).isEqualTo(150);
    assertThat(ceiling.perSecond()).isBetween(145.0, 150.0);
  }

  @Test
  void nothingIsTriedBeforeAnythingIsKnown() {
    Ceiling ceiling = new Ceiling();
    ceiling.climb(100);
    assertThat(ceiling.isKnown()).isFalse();
    assertThat(ceiling.perSecond()).isInfinite();
  }
}
