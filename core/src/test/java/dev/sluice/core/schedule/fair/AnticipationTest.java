package dev.sluice.core.schedule.fair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Pace;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.anticipation.Absence;
import dev.sluice.core.schedule.anticipation.Anticipation;
import dev.sluice.core.schedule.limit.LimitedScheduler;
import dev.sluice.core.schedule.terms.Limit;
import dev.sluice.core.schedule.terms.Terms;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** For whom requests are held, and for how long. */
class AnticipationTest {
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;

  private final Group root = new Group("", null, 1);
  private final Anticipation<Leaf> anticipation = new Anticipation<>(ShareOrder::wouldBeFirst);
  private long now = 100 * SECOND;

  /** A target that may go without requests for so long, and takes so long for each token. */
  private record FixedPace(long spareNanos, long nanosPerToken) implements Pace {
    @Override
    public boolean isShort() {
      return true;
    }

    @Override
    public long spareNanos(long nowNanos) {
      return spareNanos;
    }

    @Override
    public long nanosFor(long tokens) {
      return tokens * nanosPerToken;
    }
  }

  private static final Pace AMPLE = new FixedPace(SECOND, SECOND);

  /** A job that comes back after so long: 4 ms are due after 6.5, 3.04 after 5, 2 after 3.375. */
  private Leaf regular(String job, long gapNanos) {
    return regular(anticipation, job, gapNanos);
  }

  private Leaf regular(Anticipation<Leaf> by, String job, long gapNanos) {
    Leaf leaf = new Leaf(Flow.of(JobId.of(job), "t"), root, 1);
    for (int i = 0; i < 3; i++) {
      by.leaves(leaf, 10, now);
      now += gapNanos;
      by.returns(absence(leaf), now);
    }
    return leaf;
  }

  private static Absence<Leaf> absence(Leaf leaf) {
    return Objects.requireNonNull(leaf.absence);
  }

  @Test
  void aRequestIsHeldForWhoIsDueSoonUntilItIsBack() {
    Leaf leaf = regular("a", 4 * MILLISECOND);
    assertThat(anticipation.isAnybodyAway()).isFalse();
    anticipation.leaves(leaf, 10, now);
    assertThat(anticipation.isAnybodyAway()).isTrue();
    assertThat(anticipation.holdUntil(10, AMPLE, now)).isEqualTo(now + 6_500_000);
    assertThat(anticipation.holdUntil(10, AMPLE, now + MILLISECOND)).isEqualTo(now + 6_500_000);
    anticipation.checkInvariants();
    anticipation.returns(absence(leaf), now + 4 * MILLISECOND);
    assertThat(anticipation.isAnybodyAway()).isFalse();
    assertThat(anticipation.holdUntil(10, AMPLE, now + 4 * MILLISECOND))
        .isEqualTo(now + 4 * MILLISECOND);
  }

  @Test
  void nobodyIsHeldForLongerThanEitherRequestKeepsTheTargetBusy() {
    Leaf leaf = regular("a", 4 * MILLISECOND);
    Pace pace = new FixedPace(SECOND, MILLISECOND / 2);
    anticipation.leaves(leaf, 13, now);
    assertThat(anticipation.holdUntil(12, pace, now)).isEqualTo(now);
    assertThat(anticipation.holdUntil(13, pace, now)).isEqualTo(now + 6_500_000);
    anticipation.returns(absence(leaf), now += 4 * MILLISECOND);
    anticipation.handsOut(pace, now);

    Leaf other = regular("b", 4 * MILLISECOND);
    anticipation.leaves(other, 12, now);
    assertThat(anticipation.holdUntil(13, pace, now)).isEqualTo(now);
  }

  @Test
  void nobodyIsHeldForLongerThanTwentyMilliseconds() {
    Leaf near = regular("a", 12 * MILLISECOND);
    anticipation.leaves(near, 10, now);
    assertThat(anticipation.holdUntil(10, AMPLE, now)).isEqualTo(now + 19 * MILLISECOND);
    anticipation.returns(absence(near), now += 12 * MILLISECOND);
    anticipation.handsOut(AMPLE, now);

    Leaf far = regular("b", 16 * MILLISECOND);
    anticipation.leaves(far, 10, now);
    assertThat(anticipation.holdUntil(10, AMPLE, now)).isEqualTo(now);
  }

  @Test
  void nobodyIsHeldForLongerThanTheTargetCanMakeUpFor() {
    Leaf leaf = regular("a", 4 * MILLISECOND);
    anticipation.leaves(leaf, 10, now);
    assertThat(anticipation.holdUntil(10, new FixedPace(6_499_999, SECOND), now)).isEqualTo(now);
    assertThat(anticipation.holdUntil(10, new FixedPace(6_500_000, SECOND), now))
        .isEqualTo(now + 6_500_000);
  }

  @Test
  void nobodyIsWaitedForWhoWillBeAtItsLimit() {
    Leaf leaf = regular("a", 4 * MILLISECOND);
    Limit<Leaf> limit = new Limit<>(leaf, Rate.perSecond(1_000), 10, now);
    leaf.terms = new Terms<>(limit);
    limit.take(10, now);
    anticipation.leaves(leaf, 7, now);
    assertThat(anticipation.holdUntil(10, AMPLE, now))
        .as("6.5 ms bring 6 tokens, and it takes 7")
        .isEqualTo(now);
    assertThat(anticipation.holdUntil(10, AMPLE, now + MILLISECOND)).isEqualTo(now + MILLISECOND);
    limit.setRate(Rate.perSecond(2_000), now + MILLISECOND);
    assertThat(anticipation.holdUntil(10, AMPLE, now + MILLISECOND)).isEqualTo(now + 6_500_000);
  }

  @Test
  void whoIsAtItsLimitUntilTheVeryInstantIsWaitedFor() {
    Leaf leaf = regular("a", 4 * MILLISECOND);
    Limit<Leaf> limit = new Limit<>(leaf, Rate.perSecond(2_000), 13, now);
    leaf.terms = new Terms<>(limit);
    limit.take(13, now);
    anticipation.leaves(leaf, 13, now);
    assertThat(anticipation.holdUntil(10, AMPLE, now)).isEqualTo(now + 6_500_000);
  }

  /** In its group, and its group among the others. */
  @Test
  void onlyWhoWouldBeServedBeforeIsWaitedFor() {
    Group group = new Group("g", root, 1);
    Leaf away = regular("a", 4 * MILLISECOND);
    away.parent = group;
    Leaf beside = new Leaf(Flow.of(JobId.of("b"), "t"), group, 1);
    Leaf outside = new Leaf(Flow.of(JobId.of("c"), "t"), root, 1);
    anticipation.leaves(away, 10, now);
    assertThat(anticipation.holdUntil(10, AMPLE, now)).as("nobody else").isGreaterThan(now);
    group.admit(beside, 0);
    assertThat(anticipation.holdUntil(10, AMPLE, now)).as("not before an equal").isEqualTo(now);
    group.correct(beside, 5);
    assertThat(anticipation.holdUntil(10, AMPLE, now)).as("owes less").isGreaterThan(now);
    group.oweAtLeast(away, 6L << Share.TOKEN_SHIFT);
    assertThat(anticipation.holdUntil(10, AMPLE, now)).as("owes more").isEqualTo(now);
    group.correct(beside, 5);
    root.admit(outside, 0);
    assertThat(anticipation.holdUntil(10, AMPLE, now)).as("its group is equal").isEqualTo(now);
    root.correct(outside, 1);
    assertThat(anticipation.holdUntil(10, AMPLE, now)).isGreaterThan(now);
    root.admit(group, 1);
    assertThat(anticipation.holdUntil(10, AMPLE, now)).as("the first itself").isGreaterThan(now);
  }

  @Test
  void ofSeveralTheFirstToComeBackCounts() {
    Leaf slow = regular("a", 4 * MILLISECOND);
    Leaf quick = regular("b", 2 * MILLISECOND);
    Leaf last = regular("c", 12 * MILLISECOND);
    anticipation.leaves(slow, 10, now);
    anticipation.leaves(quick, 10, now);
    anticipation.leaves(last, 10, now);
    assertThat(anticipation.holdUntil(10, AMPLE, now)).isEqualTo(now + 3_375_000);
    anticipation.forget(absence(slow));
    anticipation.checkInvariants();
    assertThat(anticipation.holdUntil(10, AMPLE, now)).isEqualTo(now + 3_375_000);
    anticipation.forget(absence(quick));
    anticipation.forget(absence(quick));
    anticipation.checkInvariants();
    assertThat(anticipation.holdUntil(10, AMPLE, now)).isEqualTo(now + 19 * MILLISECOND);
    anticipation.forget(absence(last));
    assertThat(anticipation.isAnybodyAway()).isFalse();
  }

  /** Who is held for one job is held for the next for so much less. */
  @Test
  void whatARequestWasHeldForCounts() {
    Leaf first = regular("a", 4 * MILLISECOND);
    Leaf second = regular("b", 2 * MILLISECOND);
    Pace pace = new FixedPace(SECOND, MILLISECOND);
    anticipation.leaves(first, 20, now);
    assertThat(anticipation.holdUntil(10, pace, now)).isEqualTo(now + 6_500_000);
    anticipation.leaves(second, 20, now + 5_900_000);
    // The first is missed at 6.5 ms, of the 10 that the request may be held 3.5 are left, and the
    // second is due at 9.275.
    assertThat(anticipation.holdUntil(10, pace, now + 6_500_000)).isEqualTo(now + 9_275_000);
    assertThat(anticipation.holdUntil(9, pace, now + 6_500_000)).isEqualTo(now + 6_500_000);
    anticipation.handsOut(pace, now + 6_500_000);
    assertThat(anticipation.holdUntil(9, pace, now + 6_500_000))
        .as("another request was not held before")
        .isEqualTo(now + 9_275_000);
  }

  /** And so it is bounded by how long the request of who is away keeps the target busy. */
  @Test
  void whatARequestWasHeldForCountsForWhoIsAwayToo() {
    Leaf first = regular("a", 4 * MILLISECOND);
    Leaf second = regular("b", 2 * MILLISECOND);
    Pace pace = new FixedPace(SECOND, MILLISECOND);
    anticipation.leaves(first, 20, now);
    assertThat(anticipation.holdUntil(20, pace, now)).isEqualTo(now + 6_500_000);
    anticipation.leaves(second, 9, now + 5_900_000);
    assertThat(anticipation.holdUntil(20, pace, now + 6_500_000)).isEqualTo(now + 6_500_000);
  }

  @Test
  void whoIsWaitedForInVainIsNotWaitedForSoonAgain() {
    Leaf leaf = regular("a", 4 * MILLISECOND);
    anticipation.leaves(leaf, 10, now);
    assertThat(anticipation.holdUntil(10, AMPLE, now)).isEqualTo(now + 6_500_000);
    assertThat(anticipation.holdUntil(10, AMPLE, now + 6_500_000)).isEqualTo(now + 6_500_000);
    assertThat(anticipation.isAnybodyAway()).isFalse();
    anticipation.returns(absence(leaf), now += 7 * MILLISECOND);
    anticipation.leaves(leaf, 10, now);
    assertThat(anticipation.isAnybodyAway()).isFalse();
    now += 60 * MILLISECOND;
    anticipation.returns(absence(leaf), now);
    anticipation.leaves(leaf, 10, now);
    assertThat(anticipation.isAnybodyAway()).as("50 ms later").isTrue();
  }

  @Test
  void whoWasNotWaitedForIsNotMissed() {
    Leaf leaf = regular("a", 4 * MILLISECOND);
    anticipation.leaves(leaf, 10, now);
    assertThat(anticipation.holdUntil(10, AMPLE, now + 7 * MILLISECOND))
        .isEqualTo(now + 7 * MILLISECOND);
    anticipation.returns(absence(leaf), now += 8 * MILLISECOND);
    anticipation.leaves(leaf, 10, now);
    assertThat(anticipation.isAnybodyAway()).isTrue();
  }

  /** A 32nd part of the time, of which no more than 10 ms are kept. */
  @Test
  void whatMayBeLostGrowsWithTime() {
    assertThat(heldAfter(0, 4 * MILLISECOND)).isZero();
    assertThat(heldAfter(208 * MILLISECOND - 1, 4 * MILLISECOND)).isZero();
    assertThat(heldAfter(208 * MILLISECOND, 4 * MILLISECOND)).isEqualTo(6_500_000);
    assertThat(heldAfter(10 * SECOND, 6_240_000)).isEqualTo(10 * MILLISECOND);
    assertThat(heldAfter(10 * SECOND, 6_250_000)).isZero();
  }

  /** For how long a request is held, so long after the first look, where nothing can be made up. */
  private long heldAfter(long elapsedNanos, long gapNanos) {
    Pace none = new FixedPace(0, SECOND);
    Anticipation<Leaf> fresh = new Anticipation<>(ShareOrder::wouldBeFirst);
    Leaf leaf = regular(fresh, "a", gapNanos);
    assertThat(fresh.holdUntil(10, none, now)).isEqualTo(now);
    now += elapsedNanos;
    fresh.leaves(leaf, 10, now);
    return fresh.holdUntil(10, none, now) - now;
  }

  @Test
  void whatWasLostIsNoLongerThereToBeLost() {
    Pace none = new FixedPace(0, SECOND);
    anticipation.holdUntil(10, none, now);
    now += 10 * SECOND;
    Leaf first = regular("a", 4 * MILLISECOND);
    Leaf five = regular("b", 3_040_000);
    anticipation.leaves(first, 10, now);
    assertThat(anticipation.holdUntil(10, none, now)).isEqualTo(now + 6_500_000);
    now += 5 * MILLISECOND;
    anticipation.returns(absence(first), now);
    anticipation.handsOut(new FixedPace(-5 * MILLISECOND, SECOND), now);
    anticipation.leaves(five, 10, now);
    assertThat(anticipation.holdUntil(10, new FixedPace(-1, SECOND), now))
        .as("5 of 10 ms are left, and those that are lost already count once")
        .isEqualTo(now + 5 * MILLISECOND);
    anticipation.checkInvariants();
    now += MILLISECOND;
    assertThat(anticipation.holdUntil(10, new FixedPace(-6 * MILLISECOND, SECOND), now))
        .as("4 ms and a 32nd of one are left, of which 4 are needed")
        .isEqualTo(now + 4 * MILLISECOND);
    now += 4 * MILLISECOND;
    anticipation.returns(absence(five), now);
    anticipation.handsOut(new FixedPace(-10 * MILLISECOND, SECOND), now);
    Leaf quick = regular("c", 10_000);
    anticipation.leaves(quick, 10, now);
    assertThat(anticipation.holdUntil(10, none, now)).as("next to nothing is left").isEqualTo(now);
  }

  @Test
  void enoughAreAwayWhenThirtyTwoAre() {
    List<Leaf> far = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      far.add(regular("far" + i, 16 * MILLISECOND));
    }
    Leaf near = regular("near", 4 * MILLISECOND);
    far.forEach(leaf -> anticipation.leaves(leaf, 10, now));
    anticipation.leaves(near, 10, now);
    assertThat(anticipation.holdUntil(10, AMPLE, now)).isEqualTo(now);
    anticipation.checkInvariants();
    anticipation.returns(absence(near), now);
    anticipation.returns(absence(far.getFirst()), now);
    anticipation.leaves(near, 10, now);
    assertThat(anticipation.holdUntil(10, AMPLE, now)).isGreaterThan(now);
  }

  /** Jobs that send a request only when the one before is answered, a millisecond later. */
  private static final class ClosedLoop implements Pace {
    private static final long BUSY = 10 * MILLISECOND;

    final RequestScheduler scheduler;
    final int[] served = new int[2];
    private long readyAt;

    long endNanos;

    ClosedLoop(RequestScheduler scheduler, long weightOfFirst) {
      this(scheduler, weightOfFirst, Shares.UNLIMITED, 0);
    }

    ClosedLoop(
        RequestScheduler scheduler, long weightOfFirst, long limitOfFirst, long reserveOfSecond) {
      this.scheduler = scheduler;
      JobId[] jobs = {JobId.of("job0"), JobId.of("job1")};
      long[] limits = {limitOfFirst, Shares.UNLIMITED};
      scheduler.reconfigure(
          Shares.ofColumns(jobs, limits, new long[] {weightOfFirst, 1}, SECOND)
              .withReserves(new long[] {0, reserveOfSecond}),
          0);
    }

    @Override
    public boolean isShort() {
      return true;
    }

    @Override
    public long spareNanos(long nowNanos) {
      return 5 * MILLISECOND - (nowNanos - readyAt);
    }

    @Override
    public long nanosFor(long tokens) {
      return tokens * BUSY;
    }

    void run(boolean paced, int requests) {
      long now = 0;
      long[] comesAt = {0, 0};
      for (int done = 0; done < requests; ) {
        for (int job = 0; job < 2; job++) {
          if (comesAt[job] <= now) {
            Flow flow = Flow.of(JobId.of("job" + job), "t");
            scheduler.enqueue(new Request(flow, Operation.GETATTR, 1, 0), comesAt[job]);
            comesAt[job] = Long.MAX_VALUE;
          }
        }
        switch (paced ? scheduler.next(this, now) : scheduler.next(now)) {
          case Request request -> {
            int job = request.job().equals(JobId.of("job0")) ? 0 : 1;
            served[job]++;
            done++;
            now += BUSY;
            readyAt = now;
            comesAt[job] = now + MILLISECOND;
          }
          case Dispatch.NotBefore(long nanos) ->
              now = Math.min(nanos, Math.min(comesAt[0], comesAt[1]));
          case Dispatch.Empty _ -> now = Math.min(comesAt[0], comesAt[1]);
        }
        scheduler.checkInvariants(now);
      }
      endNanos = now;
    }
  }

  private static final Target TARGET = new Target("t", 100, TokenUnit.OPERATIONS);

  private static FairScheduler fair() {
    return new FairScheduler(TARGET.unit(), ShareTree.flat());
  }

  @Test
  void weightsHoldForJobsWithOneRequestOutstandingWhereTheTargetIsPaced() {
    ClosedLoop paced = new ClosedLoop(fair(), 4);
    paced.run(true, 1_000);
    assertThat(paced.served[0]).isBetween(770, 830);
    ClosedLoop equal = new ClosedLoop(fair(), 1);
    equal.run(true, 1_000);
    assertThat(equal.served[0]).isBetween(480, 520);
    ClosedLoop unpaced = new ClosedLoop(fair(), 4);
    unpaced.run(false, 1_000);
    assertThat(unpaced.served[0]).as("nobody waits for who is away").isBetween(480, 520);
  }

  /** Reserved are 40 of about 100 requests a second, where the weights give 20. */
  @Test
  void whoComesBackHasItsReserveAndTheOtherIsStillWaitedFor() {
    ClosedLoop reserved = new ClosedLoop(fair(), 4, Shares.UNLIMITED, 40);
    reserved.run(true, 1_000);
    double seconds = (double) reserved.endNanos / SECOND;
    assertThat(reserved.served[1] / seconds).isBetween(38.0, 43.0);
    assertThat(1_000 / seconds).isGreaterThan(90);
    ClosedLoop less = new ClosedLoop(fair(), 4, Shares.UNLIMITED, 10);
    less.run(true, 1_000);
    assertThat(less.served[0]).as("a reserve below the share").isBetween(770, 830);
  }

  @Test
  void nobodyLosesTimeByWaitingForOneThatIsAtItsLimit() {
    ClosedLoop limited = new ClosedLoop(fair(), 4, 30, 0);
    limited.run(true, 1_000);
    double seconds = (double) limited.endNanos / SECOND;
    assertThat(limited.served[0] / seconds).isBetween(28.0, 31.0);
    assertThat(1_000 / seconds).isGreaterThan(90);
  }

  @Test
  void limitsInFrontChangeNothingAboutThat() {
    ClosedLoop limited = new ClosedLoop(new LimitedScheduler(fair(), TARGET), 4);
    limited.run(true, 1_000);
    assertThat(limited.served[0]).isBetween(770, 830);
  }
}
