package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Rate;
import org.junit.jupiter.api.Test;

class SharesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final JobId A = JobId.of("a");
  private static final JobId B = JobId.of("b");

  private static Shares shares(long tokensOfA, long tokensOfB, long periodNanos) {
    return Shares.ofColumns(
        new JobId[] {A, B}, new long[] {tokensOfA, tokensOfB}, new long[] {3, 5}, periodNanos);
  }

  /** However long a period is, a rate is its tokens by it. */
  @Test
  void aRateIsWhatAPeriodBrings() {
    long[] periods = {1_000_000, SECOND / 10, SECOND, 2 * SECOND, 10 * SECOND, 3_600 * SECOND};
    for (long period : periods) {
      long tokens = 50 * (period / 1_000_000);
      Rate rate = shares(tokens, 7, period).rate(0);
      assertThat((double) rate.tokens() * SECOND / rate.periodNanos())
          .as("%d tokens in %d ns", tokens, period)
          .isEqualTo(50_000, within(1e-6));
      assertThat(rate.isUnlimited()).isFalse();
    }
    assertThat(shares(Shares.UNLIMITED, 7, SECOND).rate(0).isUnlimited()).isTrue();
  }

  @Test
  void columnsAreByJob() {
    Shares shares = shares(10, 20, SECOND).withBorrowed(new long[] {4, 20});
    assertThat(shares.size()).isEqualTo(2);
    assertThat(shares.indexOf(B)).isEqualTo(1);
    assertThat(shares.indexOf(JobId.of("c"))).isNegative();
    assertThat(shares.job(1)).isEqualTo(B);
    assertThat(shares.tokens(1)).isEqualTo(20);
    assertThat(shares.weight(1)).isEqualTo(5);
    assertThat(shares.borrowed(0)).isEqualTo(4);
    assertThat(shares.borrowed(1)).isEqualTo(20);
    assertThat(shares(10, 20, SECOND).borrowed(1)).isZero();
  }

  @Test
  void badColumnsAreRefused() {
    JobId[] both = {A, B};
    JobId[] backwards = {B, A};
    JobId[] twice = {A, A};
    long[] two = {1, 1};
    long[] one = {1};
    assertThatThrownBy(() -> Shares.ofColumns(both, one, two, 1)).hasMessageContaining("length");
    assertThatThrownBy(() -> Shares.ofColumns(both, two, one, 1)).hasMessageContaining("length");
    assertThatThrownBy(() -> Shares.ofColumns(backwards, two, two, 1))
        .hasMessageContaining("must ascend without repetition: b, a");
    assertThatThrownBy(() -> Shares.ofColumns(twice, two, two, 1))
        .hasMessageContaining("must ascend");
    assertThatThrownBy(() -> Shares.ofColumns(both, new long[] {0, -1}, two, 1))
        .hasMessageContaining("job b has -1 tokens");
    assertThatThrownBy(() -> Shares.ofColumns(both, two, new long[] {1, 0}, 1))
        .hasMessageContaining("job b has the weight 0");
    assertThatThrownBy(() -> shares(5, 5, 1).withBorrowed(one)).hasMessageContaining("length");
    assertThatThrownBy(() -> shares(5, 5, 1).withBorrowed(new long[] {6, 0}))
        .hasMessageContaining("job a borrowed 6 of its 5");
    assertThatThrownBy(() -> shares(5, 5, 1).withBorrowed(new long[] {0, -1}))
        .hasMessageContaining("job b borrowed -1");
  }
}
