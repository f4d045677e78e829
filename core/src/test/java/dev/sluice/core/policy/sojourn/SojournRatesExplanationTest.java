package dev.sluice.core.policy.sojourn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.policy.Explanation.Reason;
import dev.sluice.core.policy.sojourn.SojournRates.Claim;
import java.util.List;
import org.junit.jupiter.api.Test;

class SojournRatesExplanationTest {
  private static final String FAIR = "its fair rate is 1 kops/s";

  private static Reason reason(double perSecond, double expected, double rest, double left) {
    Claim claim = new Claim(JobId.of("a"), 1, 700, true, Double.POSITIVE_INFINITY);
    SojournRate rate =
        new SojournRate(claim, perSecond, 1_000, false, false, expected, rest, 30, left);
    return new SojournRatesExplanation("metadata", Counted.OPERATIONS, 2_000, List.of(rate))
        .reasons()
        .getFirst();
  }

  /** Of one whose phases nobody knows. */
  private static String withRate(double perSecond) {
    return reason(perSecond, 0, 0, Double.POSITIVE_INFINITY).words();
  }

  /** A fair rate of 1,000 and one of 1,001 are shown alike. */
  @Test
  void aThousandthMoreOrLessThanItsFairRateIsNotWorthAWord() {
    String unknown = FAIR + "; how large its phases are is not known";
    assertThat(withRate(1_000)).isEqualTo(unknown);
    assertThat(withRate(1_001)).isEqualTo(unknown);
    assertThat(withRate(999)).isEqualTo(unknown);
    assertThat(withRate(1_002)).isEqualTo(unknown + ", and others leave it 2 ops/s more");
    assertThat(withRate(998))
        .isEqualTo(unknown + "; it has time to spare, and leaves 2 ops/s to who has less");
  }

  @Test
  void tellsHowMuchTimeThereIsByFairSharing() {
    String left = FAIR + "; 500 operations of its phase are left, and by fair sharing ";
    assertThat(reason(1_000, 800, 500, 1.5).words()).isEqualTo(left + "1.50 s for them");
    assertThat(reason(1_000, 800, 500, 0).words()).isEqualTo(left + "it would be done by now");
    assertThat(reason(1_000, 800, 500, -2).words()).isEqualTo(left + "it would be done by now");
  }

  @Test
  void tellsWhenAPhaseHasComeToMoreThanThoseBefore() {
    assertThat(reason(1_000, 800, 0, Double.POSITIVE_INFINITY).words())
        .isEqualTo(FAIR + "; its phase has come to more than the 800 operations of those before");
  }

  @Test
  void showsFiguresOfAPhaseOnlyWhereItsSizeIsKnown() {
    assertThat(reason(900, 0, 0, Double.POSITIVE_INFINITY).figures())
        .containsOnlyKeys("fair", "usage", "allocated", "ahead");
    Reason known = reason(900, 800, 500, 1);
    assertThat(known.figures())
        .containsOnlyKeys("fair", "usage", "allocated", "phase", "rest", "ahead");
    assertThat(known.figures().values().stream().map(Number::doubleValue))
        .containsExactly(1_000.0, 700.0, 900.0, 800.0, 500.0, 30.0);
  }
}
