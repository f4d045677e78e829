package dev.sluice.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.policy.JobClaim;
import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobCommentTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sluice:phase=5GB",
        "nightly run; sluice:phase=5GB",
        "sluice:phase=5000000000,mail=no",
        "a\nsluice:phase=5GB b sluice:phase=7GB"
      })
  void whatIsSaidIsKnown(String comment) {
    assertThat(JobComment.phaseTokens(comment)).hasValue(5_000_000_000L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "(null)",
        "phase=5GB",
        "my-sluice:phase=5GB",
        "sluice:phase=",
        "sluice:phase=0",
        "sluice:phase=-5GB",
        "sluice:phase=5GB/s",
        "sluice:phase=lots",
        "sluice:phase=99999999999TB"
      })
  void whatCannotBeUnderstoodIsPassedOver(String comment) {
    assertThat(JobComment.phaseTokens(comment)).isEmpty();
  }

  /** Whoever writes it can do no harm by it, nor by its length. */
  @Test
  void anyTextIsReadOrPassedOver() {
    String letters = "sluice:phase=159GBKi.e- ,;\n\u0000é";
    SeededCases.forAll(
        20_000,
        random -> {
          StringBuilder comment = new StringBuilder(random.nextBoolean() ? "sluice:phase=" : "");
          for (int i = random.nextInt(random.nextInt(50) == 0 ? 5_000 : 20); i > 0; i--) {
            comment.append(letters.charAt(random.nextInt(letters.length())));
          }
          JobComment.phaseTokens(comment.toString())
              .ifPresent(tokens -> assertThat(tokens).isBetween(1L, JobClaim.PHASE_MAX));
        });
  }
}
