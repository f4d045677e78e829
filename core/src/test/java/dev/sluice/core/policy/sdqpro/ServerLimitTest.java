package dev.sluice.core.policy.sdqpro;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.SeededCases;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ServerLimitTest {
  private static final long TOKEN = 1_000;

  @Test
  void whoRequiresNothingTakesNothingFromThoseWhoGetATokenEach() {
    long[] required = {100 * TOKEN, TOKEN, 0, 0};
    assertThat(ServerLimit.grants(required, required, 2 * TOKEN, TOKEN))
        .containsExactly(TOKEN, TOKEN, 0, 0);
  }

  /** Also where there are more parts than doubles are exact for. */
  @Test
  void noMoreIsGrantedThanThereIsNorThanIsWanted() {
    SeededCases.forAll(
        2_000,
        random -> {
          long[] wanted = new long[random.nextInt(1, 16)];
          boolean allAreLarge = random.nextBoolean();
          for (int i = 0; i < wanted.length; i++) {
            wanted[i] = random.nextLong(1L << (allAreLarge ? 58 : random.nextInt(1, 59)));
          }
          long sum = Arrays.stream(wanted).sum();
          long limit = random.nextLong(sum + 1);
          long[] granted = ServerLimit.part(wanted, limit, TOKEN);
          long left = limit;
          for (int i = 0; i < wanted.length; i++) {
            assertThat(granted[i]).isBetween(0L, wanted[i]);
            left -= granted[i];
          }
          assertThat(left).isNotNegative();
        });
  }
}
