package dev.sluice.core.schedule.sojourn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Pace;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.Shares;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * For whom the target waits: for a job that sends a request only when the one before is answered,
 * and that would be served before all that wait, be it by weight or because its phase goes first.
 */
class SojournAnticipationTest {
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;
  private static final long GAP = 4 * MILLISECOND;

  /** When somebody is due who came back after the gap three times. */
  private static final long DUE = 6_500_000;

  private static final Pace SHORT = new AmplePace(true);

  private final SojournScheduler scheduler =
      new SojournScheduler(new Target("t", 1_000, TokenUnit.OPERATIONS), ShareTree.flat());
  private long now = 100 * SECOND;

  /** A target that can make up for a second without requests. */
  private record AmplePace(boolean isShort) implements Pace {
    @Override
    public long spareNanos(long nowNanos) {
      return SECOND;
    }

    @Override
    public long nanosFor(long tokens) {
      return tokens * SECOND;
    }
  }

  /** Tells how large the phases of these jobs are, which are in order. */
  private void tell(String[] names, long... phases) {
    JobId[] jobs = Arrays.stream(names).map(JobId::of).toArray(JobId[]::new);
    long[] unlimited = new long[jobs.length];
    Arrays.fill(unlimited, Shares.UNLIMITED);
    long[] weights = new long[jobs.length];
    Arrays.fill(weights, 1);
    scheduler.reconfigure(
        Shares.ofColumns(jobs, unlimited, weights, SECOND).withPhases(phases), now);
  }

  private void send(String job, int requests) {
    for (int i = 0; i < requests; i++) {
      Flow flow = Flow.of(JobId.of(job), "t");
      scheduler.enqueue(new Request(flow, Operation.GETATTR, 1, 0), now);
    }
  }

  private Dispatch next(Pace pace) {
    Dispatch next = scheduler.next(pace, now);
    scheduler.checkInvariants(now);
    return next;
  }

  /** Nobody is held: the next request is this job's, and is answered at once. */
  private void isServed(String job) {
    Dispatch next = next(SHORT);
    assertThat(next).isInstanceOf(Request.class);
    Request request = (Request) next;
    assertThat(request.job()).hasToString(job);
    scheduler.complete(request, 1, 0, now);
  }

  /** Four requests come, one after another; the next is expected a little after the gap. */
  private void comesBackAndGoes(String job) {
    for (int i = 0; i < 3; i++) {
      send(job, 1);
      isServed(job);
      now += GAP;
    }
    send(job, 1);
    isServed(job);
  }

  /** Others are held for a job that went just now; and it is served when it is back. */
  private void isHeldFor(String job) {
    assertThat(next(SHORT)).isEqualTo(new Dispatch.NotBefore(now + DUE));
    now += GAP;
    send(job, 1);
    isServed(job);
  }

  @Test
  void whoSharesIsWaitedForWhereItHadLessThanThoseThatWait() {
    comesBackAndGoes("away");
    // It was served last where the other begins.
    send("other", 10);
    isServed("other");
    // Both had as much, and the other is there.
    isServed("other");
    isHeldFor("away");
  }

  /** What was held once counts no more for who is held next. */
  @Test
  void whoSendsOneRequestAtATimeIsServedEveryOtherTime() {
    comesBackAndGoes("away");
    send("other", 100);
    isServed("other");
    for (int i = 0; i < 50; i++) {
      isServed("other");
      assertThat(next(SHORT)).as("time %d", i).isInstanceOf(Dispatch.NotBefore.class);
      now += GAP;
      send("away", 1);
      isServed("away");
    }
  }

  @Test
  void nobodyIsHeldWhereTheTargetIsNotShortOrNotPaced() {
    comesBackAndGoes("away");
    send("other", 10);
    isServed("other");
    isServed("other");
    assertThat(next(SHORT)).isInstanceOf(Dispatch.NotBefore.class);
    assertThat(next(new AmplePace(false))).isInstanceOf(Request.class);
    assertThat(scheduler.next(now)).isInstanceOf(Request.class);
  }

  @Test
  void aPhaseOfKnownSizeIsWaitedForFromWhereItIsTheTurnOfSuch() {
    tell(new String[] {"away"}, 1_000);
    comesBackAndGoes("away");
    assertThat(scheduler.planned()).isEqualTo(1);
    // It was served last where the other begins.
    send("other", 10);
    isServed("other");
    // Both had as much: of these, phases of known size go first.
    isHeldFor("away");
  }

  @Test
  void whoSharesIsWaitedForOnceItIsNoLongerTheTurnOfPhasesOfKnownSize() {
    tell(new String[] {"known"}, 1_000);
    comesBackAndGoes("away");
    send("known", 1_000);
    // Who shares had four requests; phases of known size go first where both had as much.
    for (int i = 0; i <= 4; i++) {
      isServed("known");
    }
    isHeldFor("away");
  }

  @Test
  void ofPhasesOfKnownSizeTheOneThatGoesFirstIsWaitedFor() {
    tell(new String[] {"away", "longer"}, 100, 1_000);
    comesBackAndGoes("away");
    send("longer", 1_000);
    isHeldFor("away");
  }

  @Test
  void ofPhasesOfKnownSizeNoneIsHeldForOneThatGoesAfterIt() {
    tell(new String[] {"away", "shorter"}, 1_000, 100);
    comesBackAndGoes("away");
    send("shorter", 100);
    isServed("shorter");
  }

  @Test
  void whoIsForgottenIsWaitedForNoLonger() {
    comesBackAndGoes("away");
    send("other", 10);
    isServed("other");
    isServed("other");
    assertThat(next(SHORT)).isInstanceOf(Dispatch.NotBefore.class);
    scheduler.reconfigure(Shares.NONE, now);
    isServed("other");
  }
}
