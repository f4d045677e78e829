package dev.sluice.core.schedule.sojourn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

/**
 * Who mounts, makes its files or looks at them before and between phases, with few requests under
 * way and a round trip to wait for: its phases are known as if it did not.
 */
class SmallPhasesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long PER_SECOND = 1_000;

  /** So many requests are too few to be put in order. */
  private static final int SMALL = 10;

  private final SojournScheduler scheduler =
      new SojournScheduler(new Target("t", PER_SECOND, TokenUnit.OPERATIONS), ShareTree.flat());

  private long nowNanos;

  private void send(String job) {
    Flow flow = Flow.of(JobId.of(job), "t");
    scheduler.enqueue(new Request(flow, Operation.WRITE, 1, 0), nowNanos);
  }

  private void send(String job, int requests) {
    for (int i = 0; i < requests; i++) {
      send(job);
    }
  }

  /** Serves a request; whose it was. */
  private String serve() {
    Request request = (Request) scheduler.next(nowNanos);
    nowNanos += SECOND / PER_SECOND;
    scheduler.complete(request, 1, 0, nowNanos);
    scheduler.checkInvariants(nowNanos);
    return request.job().toString();
  }

  /** Serves so many; how many of them were this job's. */
  private int serve(String job, int requests) {
    int served = 0;
    for (int i = 0; i < requests; i++) {
      served += serve().equals(job) ? 1 : 0;
    }
    return served;
  }

  /**
   * A phase of so many requests, of which no more than {@code window} are under way, beside one who
   * never stops; how many had come when it was given a date, or 0 where it was given none.
   */
  private int phase(int requests, int window, long roundTripNanos) {
    Deque<Long> sendsAtNanos = new ArrayDeque<>();
    for (int i = 0; i < Math.min(window, requests); i++) {
      sendsAtNanos.add(nowNanos);
    }
    int sent = 0;
    int done = 0;
    int dated = 0;
    while (done < requests) {
      while (!sendsAtNanos.isEmpty() && sendsAtNanos.getFirst() <= nowNanos && sent < requests) {
        sendsAtNanos.removeFirst();
        send("job");
        sent++;
        if (dated == 0 && scheduler.planned() > 0) {
          dated = sent;
        }
      }
      if (serve().equals("job")) {
        done++;
        sendsAtNanos.add(nowNanos + roundTripNanos);
      } else {
        send("always");
      }
    }
    return dated;
  }

  private void pause(long nanos) {
    for (long untilNanos = nowNanos + nanos; nowNanos < untilNanos; ) {
      serve();
      send("always");
    }
  }

  /**
   * Theorem. The second phase of who keeps requests waiting, and each after it, has a date: from
   * its first request on if it follows a phase, and as soon as more of it has come than is small if
   * it follows a small one.
   */
  @Test
  void fromTheSecondPhaseOnSizesAreKnownWhateverSmallPhasesCameBetween() {
    SeededCases.forAll(
        EnduranceScale.of(100, 1_000),
        random -> {
          SmallPhasesTest test = new SmallPhasesTest();
          test.send("always", 3);
          int window = random.nextInt(2, 9);
          long roundTripNanos = random.nextLong(SECOND / PER_SECOND / 2);
          int typical = random.nextInt(100, 300);
          boolean known = false;
          for (int i = 0; i < 6; i++) {
            boolean afterSmall = random.nextBoolean();
            for (int small = afterSmall ? random.nextInt(1, 4) : 0; small > 0; small--) {
              test.phase(random.nextInt(1, SMALL + 1), window, roundTripNanos);
              test.pause(SECOND / 5);
            }
            int requests = typical + random.nextInt(typical / 4);
            int expected = known ? afterSmall ? SMALL + 1 : 1 : 0;
            assertThat(test.phase(requests, window, roundTripNanos))
                .as("phase %s", i)
                .isEqualTo(expected);
            test.pause(SECOND / 5);
            known = true;
          }
        });
  }

  /** Who looks at a file between two large phases is not taken for one of these each time. */
  @Test
  void whatFollowsASmallPhaseIsServedAsASmallOneAtFirst() {
    send("looks", 400);
    serve("looks", 400);
    send("large", 2_000);
    serve("large", 2_000);
    nowNanos += SECOND;
    send("looks", 1);
    serve();
    nowNanos += SECOND;
    send("large", 2_000);
    // Two seconds of the target, divided by two, are remembered of who comes back.
    serve("large", 1_200);
    send("looks", SMALL);
    assertThat(scheduler.planned()).isEqualTo(1);
    assertThat(serve("looks", 2 * SMALL + 1)).as("by weight").isEqualTo(SMALL);
    send("looks", 1);
    assertThat(scheduler.planned()).as("more came than is small").isEqualTo(2);
  }

  /** A request that cost more than it was taken for may be all that was expected. */
  @Test
  void aPhaseThatHasHadAllThatWasExpectedIsGivenNoDate() {
    assertThat(datesAfterAFirstRequestOf(399)).as("something is to come").isEqualTo(1);
    assertThat(datesAfterAFirstRequestOf(400)).as("all has come").isZero();
  }

  /** How many dates there are after a small phase and one that begins with such a request. */
  private static int datesAfterAFirstRequestOf(int operations) {
    SmallPhasesTest test = new SmallPhasesTest();
    test.send("job", 400);
    test.serve("job", 400);
    test.nowNanos += SECOND;
    test.send("job");
    test.serve();
    test.nowNanos += SECOND;
    test.send("job");
    Request request = (Request) test.scheduler.next(test.nowNanos);
    test.scheduler.complete(request, operations, 0, test.nowNanos);
    test.send("job");
    return test.scheduler.planned();
  }

  /** What a job that nobody knows yet did before its first phase is no phase. */
  @Test
  void manyThatMadeTheirFilesBeforeTheyMoveMuchTakeTurnsToo() {
    for (int job = 0; job < LongPhases.MANY; job++) {
      send("job" + job, 3);
      serve("job" + job, 3);
    }
    nowNanos += SECOND;
    for (int job = 0; job < LongPhases.MANY; job++) {
      send("job" + job, 5_000);
    }
    serve("job0", 15_000);
    assertThat(scheduler.planned()).isPositive();
  }
}
