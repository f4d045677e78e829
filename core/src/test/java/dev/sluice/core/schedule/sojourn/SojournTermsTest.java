package dev.sluice.core.schedule.sojourn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.terms.TermsContract;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.SeededCases;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What reserves and limits promise beside phases that have dates. */
class SojournTermsTest extends TermsContract {
  private static final long SECOND = 1_000_000_000L;
  private static final int PER_SECOND = 1_000;
  private static final long NONE = Shares.UNLIMITED;

  @Override
  protected RequestScheduler newScheduler(Target target, ShareTree tree) {
    return new SojournScheduler(target, tree);
  }

  /** A target that serves a request in a millisecond. */
  private static final class Server {
    final SojournScheduler scheduler =
        new SojournScheduler(new Target("t", PER_SECOND, TokenUnit.OPERATIONS), ShareTree.flat());
    final JobId[] jobs;
    final long[] served;
    final long[] left;
    final long[] doneNanos;
    long nowNanos;

    /** What a request that is taken for one operation turns out to be. */
    int operations = 1;

    Server(int count) {
      jobs = new JobId[count];
      Arrays.setAll(jobs, i -> JobId.of("job" + i));
      served = new long[count];
      left = new long[count];
      doneNanos = new long[count];
    }

    void terms(long[] limits, long[] weights, long[] reserves, long[] phases) {
      scheduler.reconfigure(
          Shares.ofColumns(jobs.clone(), limits, weights, SECOND)
              .withReserves(reserves)
              .withPhases(phases),
          nowNanos);
    }

    void arrive(int job, long requests) {
      left[job] += requests;
      for (long i = 0; i < requests; i++) {
        scheduler.enqueue(new Request(Flow.of(jobs[job], "t"), Operation.GETATTR, 1, 0), nowNanos);
      }
    }

    void run(long untilNanos) {
      while (nowNanos < untilNanos) {
        switch (scheduler.next(nowNanos)) {
          case Request request -> {
            nowNanos += SECOND / PER_SECOND;
            int job = Arrays.asList(jobs).indexOf(request.job());
            served[job]++;
            if (--left[job] == 0) {
              doneNanos[job] = nowNanos;
            }
            scheduler.complete(request, operations, 0, nowNanos);
            if (nowNanos % (16 * SECOND / PER_SECOND) == 0) {
              scheduler.checkInvariants(nowNanos);
            }
          }
          case Dispatch.Empty _ -> nowNanos = untilNanos;
          case Dispatch.NotBefore(long nanos) -> nowNanos = Math.min(nanos, untilNanos);
        }
      }
    }
  }

  private static long[] all(int count, long value) {
    long[] all = new long[count];
    Arrays.fill(all, value);
    return all;
  }

  /** The larger of both, not the sum. */
  @Test
  void whoSharesHasItsReserveOrItsShare() {
    Server server = new Server(3);
    server.terms(all(3, NONE), all(3, 1), new long[] {600, 0, 0}, all(3, 0));
    for (int job = 0; job < 3; job++) {
      server.arrive(job, 20_000);
    }
    server.run(10 * SECOND);
    assertThat(server.served[0]).isBetween(5_990L, 6_010L);
    assertThat(server.served[1]).isBetween(1_990L, 2_010L);
    server.terms(all(3, NONE), all(3, 1), new long[] {100, 0, 0}, all(3, 0));
    long before = server.served[0];
    server.run(22 * SECOND);
    assertThat(server.served[0] - before).isBetween(3_970L, 4_030L);
  }

  /**
   * The theorem: what is reserved is capacity that is not there for others, and of the rest each
   * phase is done by the time fair sharing would be done with it.
   */
  @Test
  void besideAReservePhasesAreDoneByTheTimeFairSharingOfTheRestWouldBe() {
    SeededCases.forAll(
        EnduranceScale.of(100, 3_000),
        random -> {
          int jobs = random.nextInt(2, 9);
          long reserve = random.nextLong(500, 900);
          long[] weights = random.longs(jobs, 1, 20).toArray();
          weights[0] = 1;
          long[] sizes = random.longs(jobs, 11, 400).toArray();
          sizes[0] = random.nextBoolean() ? 0 : 40_000;
          long[] reserves = new long[jobs];
          reserves[0] = reserve;
          Server server = new Server(jobs);
          server.terms(all(jobs, NONE), weights.clone(), reserves, sizes.clone());
          server.arrive(0, 40_000);
          for (int job = 1; job < jobs; job++) {
            server.arrive(job, sizes[job]);
          }
          while (Arrays.stream(server.left).skip(1).anyMatch(left -> left > 0)) {
            server.run(server.nowNanos + SECOND / 10);
          }
          long requests = 2L * jobs + 8;
          for (int job = 1; job < jobs; job++) {
            double tokens = fairTokens(job, weights, sizes);
            assertThat(server.doneNanos[job])
                .as("job %s of %s, reserve %s", job, Arrays.toString(sizes), reserve)
                .isLessThanOrEqualTo(
                    (long) ((tokens + requests) / (PER_SECOND - reserve) * SECOND));
          }
        });
  }

  /** What sharing by weight among the others has served by the time it is done with a job. */
  private static double fairTokens(int job, long[] weights, long[] sizes) {
    double level = (double) sizes[job] / weights[job];
    double tokens = 0;
    for (int i = 1; i < sizes.length; i++) {
      tokens += Math.min((double) sizes[i], level * weights[i]);
    }
    return tokens;
  }

  /**
   * A phase with a reserve beyond the share of all phases leaves the others a little: of 65
   * requests that are left one. For what it has by reserve they owe beside those that share, or
   * else these would have half of what is left.
   */
  @Test
  void nobodyStarvesBesideAPhaseWithAReserve() {
    Server server = new Server(4);
    server.terms(
        all(4, NONE), all(4, 1), new long[] {800, 0, 0, 0}, new long[] {400_000, 60, 0, 0});
    server.arrive(0, 100_000);
    server.arrive(2, 100_000);
    server.arrive(3, 100_000);
    server.run(20 * SECOND);
    server.arrive(1, 60);
    server.run(60 * SECOND);
    assertThat(server.left[1]).as("left of a phase without a reserve").isZero();
    assertThat(server.served[0]).isGreaterThanOrEqualTo(47_990);
    assertThat(Math.min(server.served[2], server.served[3])).isGreaterThan(5_500);
  }

  /** What a phase had by reserve makes it the shorter one, and then it has all of the target. */
  @Test
  void whoIsShorterByWhatItHadByReserveGoesFirst() {
    Server server = new Server(2);
    server.terms(all(2, NONE), all(2, 1), new long[] {800, 0}, new long[] {450, 400});
    server.arrive(0, 450);
    server.arrive(1, 400);
    server.run(5 * SECOND);
    assertThat(server.doneNanos[0]).as("by reserve alone it takes 563 ms").isLessThan(SECOND / 2);
    assertThat(server.doneNanos[1]).isEqualTo(850 * SECOND / PER_SECOND);
  }

  /** A phase at its limit goes on at its limit, and the others do as if it were idle. */
  @Test
  void aPhaseAtItsLimitHoldsNobodyUp() {
    Server server = new Server(2);
    server.terms(new long[] {50, NONE}, all(2, 1), all(2, 0), new long[] {100, 400});
    server.arrive(0, 100);
    server.arrive(1, 400);
    server.run(20 * SECOND);
    assertThat(server.doneNanos[1]).isLessThanOrEqualTo(425 * SECOND / PER_SECOND);
    assertThat(server.doneNanos[0]).isBetween(97 * SECOND / 50, 2 * SECOND);
  }

  /** What requests turn out to cost counts for the limit of a job, whatever they were taken for. */
  @Test
  void aLimitIsOfWhatRequestsReallyCost() {
    Server server = new Server(1);
    server.terms(new long[] {50}, all(1, 1), all(1, 0), all(1, 0));
    server.operations = 5;
    server.arrive(0, 1_000);
    server.run(20 * SECOND);
    assertThat(server.served[0]).isBetween(200L - 5, 200L + 5);
  }

  /**
   * A phase of known size that has requests in service for long, and nothing queued, saves up no
   * more than two seconds of the target: a second of it beside one other of the same weight.
   */
  @Test
  void aPhaseThatComesBackIsNoFurtherAheadThanIsRemembered() {
    Server server = new Server(2);
    server.terms(all(2, NONE), all(2, 1), all(2, 0), new long[] {6_000, 0});
    server.arrive(0, 1);
    Dispatch inService = server.scheduler.next(server.nowNanos);
    assertThat(inService).isInstanceOf(Request.class);
    server.arrive(1, 20_000);
    server.run(10 * SECOND);
    server.arrive(0, 5_000);
    long before = server.served[1];
    server.run(18 * SECOND);
    assertThat(server.served[0]).as("1,000 ahead, then every other").isBetween(4_490L, 4_510L);
    assertThat(server.served[1] - before).isBetween(3_490L, 3_510L);
  }

  /** Who is named no longer is forgotten with its terms. */
  @Test
  void whoIsForgottenLeavesNoTerms() {
    Server server = new Server(2);
    server.terms(new long[] {50, NONE}, all(2, 1), new long[] {10, 0}, all(2, 0));
    server.arrive(0, 5);
    server.run(SECOND);
    server.scheduler.reconfigure(Shares.NONE, server.nowNanos);
    server.scheduler.checkInvariants(server.nowNanos);
    server.arrive(0, 5);
    for (int i = 0; i < 5; i++) {
      assertThat(server.scheduler.next(server.nowNanos)).isInstanceOf(Request.class);
    }
  }
}
