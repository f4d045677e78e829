package dev.sluice.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.access.Refusals.Kind;
import org.junit.jupiter.api.Test;

class RefusalsTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void countsByKindAndTellsTheLastInWords() {
    Refusals refusals = new Refusals();
    assertThat(refusals.words(0)).isNull();
    assertThat(refusals.counts()).hasSize(Kind.values().length).containsEntry(Kind.JOB, 0L);
    refusals.refused(Kind.IDENTITY, "n7", "at /10.0.0.7:1", "its token is over", SECOND);
    for (int i = 0; i < 31; i++) {
      refusals.refused(Kind.JOB, "n2", "", "job 1 does not run on n2", (2 + i) * SECOND);
    }
    assertThat(refusals.counts()).containsEntry(Kind.JOB, 31L).containsEntry(Kind.IDENTITY, 1L);
    assertThat(refusals.words(40 * SECOND))
        .isEqualTo(
            "refused in the last 5 min: n2: job 1 does not run on n2 (31 times);"
                + " n7: its token is over");
    assertThat(refusals.words(400 * SECOND)).isNull();
    assertThat(refusals.counts()).containsEntry(Kind.JOB, 31L);
  }

  @Test
  void whatIsNewIsHandedOnOnceAndBounded() {
    Refusals refusals = new Refusals();
    refusals.refused(Kind.IDENTITY, "n4", "", "n4 was revoked", 0);
    refusals.refused(Kind.IDENTITY, "n4", "", "n4 was revoked", 7);
    assertThat(refusals.takeNews())
        .containsExactly(new Refusals.Recent(Kind.IDENTITY, "n4", "n4 was revoked", 2, 0));
    assertThat(refusals.takeNews()).isEmpty();
    for (int i = 0; i < 1_000; i++) {
      refusals.refused(Kind.MESSAGE, "n" + i, "", "nonsense", 3, i);
    }
    assertThat(refusals.takeNews()).hasSize(Refusals.NEWS_MAX);
    assertThat(refusals.counts()).containsEntry(Kind.MESSAGE, 3_000L);
  }

  @Test
  void whoAsksForNonsenseFillsNothingAndHidesNobody() {
    Refusals refusals = new Refusals();
    refusals.refused(Kind.JOB, "n2", "", "job 1 does not run on n2", 0);
    for (int i = 0; i < 10_000; i++) {
      refusals.refused(Kind.HTTP, "10.0.0." + i, "", "no\n\033[2Jtoken " + i, i);
    }
    assertThat(refusals.recent(10_000))
        .hasSize(11)
        .anyMatch(recent -> recent.kind() == Kind.JOB)
        .noneMatch(recent -> recent.why().contains("\n") || recent.why().contains("\033"));
  }
}
