package dev.sluice.core.schedule.terms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Rate;
import org.junit.jupiter.api.Test;

class ReserveTest {
  /** It may be behind by what comes in in a quarter of a second, or by three requests. */
  @Test
  void aTargetThatStoodStillCatchesUp() {
    assertThat(new Reserve<>("a", Rate.perSecond(4_000_000), 0).boundTokens(1))
        .isEqualTo(1_000_000);
    assertThat(new Reserve<>("a", new Rate(8_000_000, 2_000_000_000L), 0).boundTokens(1))
        .isEqualTo(1_000_000);
    assertThat(new Reserve<>("a", Rate.perSecond(4), 0).boundTokens(100)).isEqualTo(102);
  }
}
