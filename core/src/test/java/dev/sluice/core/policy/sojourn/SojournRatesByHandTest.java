package dev.sluice.core.policy.sojourn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.policy.Explanation.Reason;
import dev.sluice.core.policy.sojourn.SojournRates.Claim;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Decisions worked out by hand. Where nothing else is said two jobs that weigh the same share 100 a
 * second, so that each has 50 by the virtual schedule, keeps 25 where it has time to spare, and can
 * have 75 while the other does. Decisions are seldom a second apart, so that tokens and tokens a
 * second are not the same numbers.
 */
class SojournRatesByHandTest {
  private static final double MAXIMUM = 100;
  private static final double NANOS_PER_SECOND = 1e9;

  private static SojournRates rates(String phases) {
    return rates(Map.of("phases", phases));
  }

  private static SojournRates rates(Map<String, String> settings) {
    return new SojournRates("metadata", Counted.OPERATIONS, SojournSetting.of(settings));
  }

  private static Claim heldBack(String id, double used) {
    return new Claim(JobId.of(id), 1, used, true, Double.POSITIVE_INFINITY);
  }

  private static Claim free(String id, double used) {
    return new Claim(JobId.of(id), 1, used, false, Double.POSITIVE_INFINITY);
  }

  private static double[] divide(SojournRates rates, double seconds, Claim... claims) {
    return rates.divide(MAXIMUM, List.of(claims), (long) (seconds * NANOS_PER_SECOND));
  }

  private static void assertRates(double[] rates, double... expected) {
    assertThat(rates).containsExactly(expected, within(1e-9));
  }

  private static Reason reason(SojournRates rates, String id) {
    return rates.explanation().reasons().stream()
        .filter(reason -> reason.job().equals(JobId.of(id)))
        .findFirst()
        .orElseThrow();
  }

  private static double figure(SojournRates rates, String id, String name) {
    return reason(rates, id).figure(name).doubleValue();
  }

  /**
   * Phases of 400 and 1600: by the virtual schedule they are done in 8 and in 32 seconds, and alone
   * they would be in half of that. So the first has all but what the other keeps. After four
   * seconds it has had 300, which is 100 more than by the virtual schedule; of the 100 that are
   * left it can use 25 a second until the next decision, and the other has the rest.
   */
  @Test
  void whoHasLeastTimeHasWhatItsPhaseCanUseUntilTheNextDecision() {
    SojournRates rates = rates("a=400, b=1600");
    assertRates(divide(rates, 4, heldBack("a", 0), heldBack("b", 0)), 75, 25);
    assertThat(reason(rates, "a").words())
        .isEqualTo(
            "its fair rate is 50 ops/s; 400 operations of its phase are left, and by fair sharing"
                + " 8 s for them, and others leave it 25 ops/s more");
    assertThat(reason(rates, "b").words())
        .isEqualTo(
            "its fair rate is 50 ops/s; 1600 operations of its phase are left, and by fair sharing"
                + " 32 s for them; it has time to spare, and leaves 25 ops/s to who has less");

    assertRates(divide(rates, 4, heldBack("a", 75), heldBack("b", 25)), 25, 75);
    assertThat(figure(rates, "a", "rest")).isEqualTo(100);
    assertThat(figure(rates, "a", "ahead")).isEqualTo(100);
    assertThat(figure(rates, "b", "rest")).isEqualTo(1_500);
    assertThat(figure(rates, "b", "ahead")).isEqualTo(-100);
    assertThat(reason(rates, "a").words()).contains(" by fair sharing 4 s for them; it has time");
    assertThat(reason(rates, "b").words()).contains(" by fair sharing 28 s for them, and others");
  }

  /**
   * It waits and says that it uses nothing, and is given 75, which is 25 a second more than by the
   * virtual schedule. As soon as it would be ahead by its 270 it gets only as much more as brings
   * it there, and from then on its fair rate.
   */
  @Test
  void whoIsAheadByAPhaseHasItsFairRate() {
    SojournRates rates = rates("a=270, b=8000");
    for (int turn = 0; turn < 5; turn++) {
      assertRates(divide(rates, 2, heldBack("a", 0), heldBack("b", 0)), 75, 25);
      assertThat(figure(rates, "a", "ahead")).isEqualTo(50 * turn);
    }
    assertRates(divide(rates, 2, heldBack("a", 0), heldBack("b", 0)), 60, 40);
    assertThat(figure(rates, "a", "ahead")).isEqualTo(250);
    assertRates(divide(rates, 2, heldBack("a", 0), heldBack("b", 0)), 50, 50);
    assertThat(figure(rates, "a", "ahead")).isEqualTo(270);
    assertRates(divide(rates, 2, heldBack("a", 0), heldBack("b", 0)), 50, 50);
    assertThat(figure(rates, "a", "ahead")).isEqualTo(270);
  }

  /**
   * It told of 400 and has moved 600, and is ahead of the virtual schedule. There is no date to
   * which it could be put off.
   */
  @Test
  void whosePhaseComesToMoreThanItToldHasItsFairRateThoughItIsAhead() {
    SojournRates rates = rates("a=400, b=8000");
    assertRates(divide(rates, 4, heldBack("a", 0), heldBack("b", 0)), 75, 25);
    assertRates(divide(rates, 8, heldBack("a", 75), heldBack("b", 25)), 50, 50);
    assertThat(figure(rates, "a", "rest")).isZero();
    assertThat(figure(rates, "a", "ahead")).isEqualTo(200);
    assertThat(reason(rates, "a").words())
        .isEqualTo(
            "its fair rate is 50 ops/s; its phase has come to more than the 400 operations of those"
                + " before");
    assertThat(rates.explanation().summary())
        .endsWith("; 1 with time to spare leaves some to who has least");
  }

  /**
   * A phase of 200,000 beside one of 120,000 has 25 of its 50, so it is behind by 25 a second:
   * after 600 seconds by 15,000, which is what its fair rate comes to in five minutes. A second
   * earlier it still leaves to the other what it left.
   */
  @Test
  void whoIsBehindByFiveMinutesOfItsFairRateLeavesNothingToOthers() {
    SojournRates before = rates("a=200000, b=120000");
    assertRates(divide(before, 600, heldBack("a", 0), heldBack("b", 0)), 25, 75);
    assertRates(divide(before, 599, heldBack("a", 25), heldBack("b", 75)), 25, 75);

    SojournRates then = rates("a=200000, b=120000");
    assertRates(divide(then, 600, heldBack("a", 0), heldBack("b", 0)), 25, 75);
    assertRates(divide(then, 600, heldBack("a", 25), heldBack("b", 75)), 50, 50);
    assertThat(figure(then, "a", "ahead")).isEqualTo(-15_000);
  }

  /** Alone it is done exactly when the virtual schedule has it done. */
  @Test
  void whoIsAloneHasNoTimeToSpare() {
    SojournRates rates = rates("a=1000");
    assertRates(divide(rates, 4, heldBack("a", 0)), 100);
    assertThat(rates.explanation().summary())
        .isEqualTo("1 job has 100 ops/s of metadata, nobody with time to spare");
    assertThat(reason(rates, "a").words())
        .isEqualTo(
            "its fair rate is 100 ops/s; 1000 operations of its phase are left, and by fair sharing"
                + " 10 s for them");
  }

  /**
   * It was put off until it was behind by all of its phase, so that it should have been done, and
   * then somebody said that it may have nothing: by that it never is.
   */
  @Test
  void whoMayHaveNothingIsNeverDoneByFairSharing() {
    SojournRates rates = rates(Map.of("phases", "a=1000, b=400", "keep", "0.01"));
    assertRates(divide(rates, 4, heldBack("a", 0), heldBack("b", 0)), 0.5, 99.5);
    Claim none = new Claim(JobId.of("a"), 1, 0.5, true, 0);
    assertRates(divide(rates, 40, none, heldBack("b", 99.5)), 0, 100);
    assertThat(figure(rates, "a", "ahead")).isEqualTo(-1_000);
    assertThat(reason(rates, "a").words()).isEqualTo("a limit leaves it nothing");
  }

  /**
   * After three times four seconds with 75 instead of 50 it is ahead by 300. In a pause of four
   * seconds the virtual schedule catches up by 200. For the other 100 it serves it until the next
   * decision, with 25 a second, and the other job with 75: of that one 7,200 are left there, for
   * which it has 96 seconds. After as long a pause again the first is ahead by nothing.
   */
  @Test
  void whoMakesAPauseIsServedByTheVirtualScheduleUntilThatHasCaughtUp() {
    SojournRates rates = rates("a=2000, b=8000");
    assertRates(divide(rates, 4, heldBack("a", 0), heldBack("b", 0)), 75, 25);
    for (int turn = 0; turn < 3; turn++) {
      assertRates(divide(rates, 4, heldBack("a", 75), heldBack("b", 25)), 75, 25);
    }
    assertThat(figure(rates, "a", "ahead")).isEqualTo(300);
    assertThat(figure(rates, "a", "rest")).isEqualTo(1_100);

    assertRates(divide(rates, 4, free("a", 0), heldBack("b", 25)), 3.125, 96.875);
    assertThat(figure(rates, "a", "ahead")).isEqualTo(100);
    assertThat(figure(rates, "b", "ahead")).isEqualTo(-400);
    assertThat(figure(rates, "b", "rest")).isEqualTo(7_600);
    assertThat(reason(rates, "b").words()).contains(" and by fair sharing 1.60 min for them");

    divide(rates, 4, free("a", 0), heldBack("b", 96.875));
    assertThat(figure(rates, "a", "ahead")).isZero();
    assertThat(figure(rates, "b", "ahead")).isCloseTo(-312.5, within(1e-9));
  }

  /**
   * It is ahead by 500 when it goes, and away for two decisions. Its part by weight is 50 for each
   * of eight seconds: 400 of that are paid when it is back.
   */
  @Test
  void whoWasGoneHasPaidItsPartByWeightForAllThatTime() {
    SojournRates rates = rates("a=2000, b=8000");
    assertRates(divide(rates, 4, heldBack("a", 0), heldBack("b", 0)), 75, 25);
    for (int turn = 0; turn < 5; turn++) {
      assertRates(divide(rates, 4, heldBack("a", 75), heldBack("b", 25)), 75, 25);
    }
    assertThat(figure(rates, "a", "ahead")).isEqualTo(500);
    divide(rates, 4, heldBack("b", 25));
    divide(rates, 4, heldBack("b", 100));
    divide(rates, 4, heldBack("a", 0), heldBack("b", 100));
    assertThat(figure(rates, "a", "ahead")).isEqualTo(100);
    assertThat(figure(rates, "a", "rest")).as("another phase").isEqualTo(2_000);
  }

  /**
   * Its part by weight is 160, of which 10 are a sixteenth. Either may have a quarter more than it
   * used before others have what they do not want, which here is the most of it.
   */
  @Test
  void whoUsesASixteenthOfItsPartIsQuietAndWhoUsesMoreIsNot() {
    SojournRates rates = rates("");
    assertThat(rates.fairRates()).isEmpty();
    double[] may =
        rates.divide(320, List.of(free("b", 10.5), free("a", 10)), (long) (4 * NANOS_PER_SECOND));
    assertRates(may, 160, 160);
    assertThat(reason(rates, "a").words())
        .isEqualTo("it does next to nothing, and may begin with 160 ops/s");
    assertThat(reason(rates, "b").words())
        .isEqualTo(
            "its fair rate is 13.1 ops/s; how large its phases are is not known, and others leave"
                + " it 147 ops/s more");
    assertThat(rates.fairRates())
        .containsExactly(entry(JobId.of("a"), 12.5), entry(JobId.of("b"), 13.125));
  }

  /** What is expected of the next phase of a job that was told of and had some; 0 for nothing. */
  private static double expected(long told, double... phases) {
    SojournRates rates = rates(told == 0 ? "" : "a=" + told);
    for (double phase : phases) {
      rates.divide(1e6, List.of(heldBack("a", phase / 2)), (long) (2 * NANOS_PER_SECOND));
      rates.divide(1e6, List.of(free("a", 0)), (long) (2 * NANOS_PER_SECOND));
    }
    rates.divide(1e6, List.of(heldBack("a", 0)), (long) (2 * NANOS_PER_SECOND));
    return reason(rates, "a").figures().getOrDefault("phase", 0).doubleValue();
  }

  @Test
  void whatWasToldIsBelievedWhileTheLastPhaseWasNoMoreThanTwiceOrHalfOfIt() {
    assertThat(expected(1_000)).isEqualTo(1_000);
    assertThat(expected(1_000, 500)).isEqualTo(1_000);
    assertThat(expected(1_000, 499)).isEqualTo(499);
    assertThat(expected(1_000, 2_000)).isEqualTo(1_000);
    assertThat(expected(1_000, 2_001)).isEqualTo(2_001);
    assertThat(expected(1_000, 3_000, 2_000)).as("only the last one").isEqualTo(1_000);
    assertThat(expected(1_000, 2_002, 3_000)).as("by what was seen").isEqualTo(2_501);
  }

  @Test
  void ofPhasesThatAreAlikeTheMeanIsExpectedAndOfOthersNothing() {
    assertThat(expected(0)).isZero();
    assertThat(expected(0, 500)).isEqualTo(500);
    assertThat(expected(0, 500, 1_000)).isEqualTo(750);
    assertThat(expected(0, 1_000, 500)).isEqualTo(750);
    assertThat(expected(0, 499, 1_000)).isZero();
    assertThat(expected(0, 1_000, 499)).isZero();
    assertThat(expected(0, 10, 600, 1_000)).as("the last two").isEqualTo(800);
  }

  @Test
  void aWeightOfNothingIsRefusedAndALimitOfNothingIsNot() {
    JobId job = JobId.of("a");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Claim(job, 0, 1, true, 2))
        .withMessage(
            "job a: expected a weight above 0, and a usage and a limit of 0 or more, not 0.0, 1.0"
                + " and 2.0");
    assertThatIllegalArgumentException().isThrownBy(() -> new Claim(job, 1, -1, true, 2));
    assertThatIllegalArgumentException().isThrownBy(() -> new Claim(job, 1, 1, true, -2));
    assertThatIllegalArgumentException().isThrownBy(() -> new Claim(job, 1, Double.NaN, true, 2));
    Claim none = new Claim(job, 1, 0, true, 0);
    assertRates(divide(rates(""), 4, none, heldBack("b", 0)), 0, 100);
  }
}
