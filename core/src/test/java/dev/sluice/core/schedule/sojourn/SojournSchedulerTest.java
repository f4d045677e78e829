package dev.sluice.core.schedule.sojourn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.SchedulerContract;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.Shares;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SojournSchedulerTest extends SchedulerContract {
  private static final long SECOND = 1_000_000_000L;
  private static final long PER_SECOND = 1_000;
  private static final Target TARGET = new Target("t", PER_SECOND, TokenUnit.OPERATIONS);

  @Override
  protected RequestScheduler newScheduler(long nowNanos) {
    return new SojournScheduler(new Target("t", 100 << 20, TokenUnit.BYTES), ShareTree.flat());
  }

  /** The same promises where the histories have phases of known size in them. */
  @Nested
  class WherePhasesAreShort extends SchedulerContract {
    @Override
    protected RequestScheduler newScheduler(long nowNanos) {
      return new SojournScheduler(new Target("t", 1, TokenUnit.OPERATIONS), ShareTree.flat());
    }
  }

  /** A phase to come: all its requests are there when it begins. */
  private record Arrival(int job, int requests, long atNanos) {}

  /** A target that serves a request in a millisecond, and a job for each weight. */
  private static final class Server {
    final SojournScheduler scheduler = new SojournScheduler(TARGET, ShareTree.flat());
    final Map<Integer, Long> doneNanos = new HashMap<>();
    final long[] served;
    final int[] left;
    long nowNanos;

    Server(long[] weights, long[] told) {
      JobId[] jobs = new JobId[weights.length];
      Arrays.setAll(jobs, Server::job);
      long[] unlimited = new long[weights.length];
      Arrays.fill(unlimited, Shares.UNLIMITED);
      scheduler.reconfigure(
          Shares.ofColumns(jobs, unlimited, weights.clone(), SECOND).withPhases(told.clone()), 0);
      served = new long[weights.length];
      left = new int[weights.length];
    }

    static JobId job(int number) {
      return JobId.of(String.format("job%03d", number));
    }

    void arrive(int job, int requests) {
      Flow flow = Flow.of(job(job), "t");
      left[job] += requests;
      for (int i = 0; i < requests; i++) {
        scheduler.enqueue(new Request(flow, Operation.GETATTR, 1, 0), nowNanos);
      }
    }

    /** Serves until then. */
    void run(long untilNanos) {
      while (nowNanos < untilNanos) {
        switch (scheduler.next(nowNanos)) {
          case Request request -> {
            nowNanos += SECOND / PER_SECOND;
            int job = Integer.parseInt(request.job().toString().substring(3));
            served[job]++;
            left[job]--;
            if (left[job] == 0) {
              doneNanos.put(job, nowNanos);
            }
            scheduler.complete(request, 1, 0, nowNanos);
            scheduler.checkInvariants(nowNanos);
          }
          case Dispatch.Empty _ -> nowNanos = untilNanos;
          case Dispatch.NotBefore wait -> throw new AssertionError("told to wait: " + wait);
        }
      }
    }
  }

  /** When fair sharing by weight is done with each arrival, in the same unit of time. */
  private static long[] fairDates(List<Arrival> arrivals, long[] weights) {
    double[] left = new double[weights.length];
    long[] dates = new long[weights.length];
    double now = 0;
    int come = 0;
    while (true) {
      double weight = 0;
      for (int i = 0; i < left.length; i++) {
        weight += left[i] > 0 ? weights[i] : 0;
      }
      double until =
          come < arrivals.size() ? arrivals.get(come).atNanos() : Double.POSITIVE_INFINITY;
      if (weight == 0 && come == arrivals.size()) {
        return dates;
      }
      double step = until - now;
      for (int i = 0; i < left.length; i++) {
        if (left[i] > 0) {
          step = Math.min(step, left[i] * weight / weights[i] * SECOND / PER_SECOND);
        }
      }
      now += step;
      for (int i = 0; i < left.length; i++) {
        if (left[i] > 0) {
          left[i] -= step / SECOND * PER_SECOND * weights[i] / weight;
          if (left[i] < 1e-6) {
            left[i] = 0;
            dates[i] = (long) now;
          }
        }
      }
      while (come < arrivals.size() && arrivals.get(come).atNanos() <= now) {
        left[arrivals.get(come).job()] += arrivals.get(come).requests();
        come++;
      }
    }
  }

  /** The theorem. */
  @Test
  void everyPhaseOfKnownSizeIsDoneByTheTimeFairSharingWouldBe() {
    SeededCases.forAll(
        EnduranceScale.of(500, 5_000),
        random -> {
          int jobs = random.nextInt(1, 9);
          long[] weights = random.longs(jobs, 1, 20).toArray();
          long[] sizes = random.longs(jobs, 11, 400).toArray();
          List<Arrival> arrivals = new ArrayList<>();
          long at = 0;
          for (int job = 0; job < jobs; job++) {
            arrivals.add(new Arrival(job, (int) sizes[job], at));
            at += random.nextInt(3) == 0 ? 0 : random.nextLong(SECOND / 5);
          }
          Server server = new Server(weights, sizes);
          for (Arrival arrival : arrivals) {
            server.run(arrival.atNanos());
            server.arrive(arrival.job(), arrival.requests());
          }
          server.run(100 * SECOND);
          long[] dates = fairDates(arrivals, weights);
          // A request that is being served when one comes is no part of fair sharing.
          long requests = (jobs + 1) * SECOND / PER_SECOND;
          for (int job = 0; job < jobs; job++) {
            assertThat(server.doneNanos.get(job))
                .as("job %s of %s", job, arrivals)
                .isLessThanOrEqualTo(dates[job] + requests);
          }
        });
  }

  /** Told what they are not, phases are done late but not very. */
  @Test
  void whereSizesAreWrongNobodyTakesMuchLongerThanBySharingWithAll() {
    SeededCases.forAll(
        EnduranceScale.of(500, 5_000),
        random -> {
          int jobs = random.nextInt(2, 9);
          long[] weights = new long[jobs];
          Arrays.fill(weights, 1);
          long[] sizes = random.longs(jobs, 20, 400).toArray();
          long[] told = new long[jobs];
          Arrays.setAll(told, i -> (long) (sizes[i] * random.nextDouble(0.5, 1.5)));
          List<Arrival> arrivals = new ArrayList<>();
          for (int job = 0; job < jobs; job++) {
            arrivals.add(new Arrival(job, (int) sizes[job], 0));
          }
          Server server = new Server(weights, told);
          arrivals.forEach(arrival -> server.arrive(arrival.job(), arrival.requests()));
          server.run(100 * SECOND);
          long[] dates = fairDates(arrivals, weights);
          for (int job = 0; job < jobs; job++) {
            // The others, each too large by half at most, come first, and what is left is shared.
            assertThat(server.doneNanos.get(job))
                .isLessThanOrEqualTo(3 * dates[job] + jobs * SECOND / PER_SECOND);
          }
        });
  }

  @Test
  void theShortestGoesFirstWhereThatHarmsNobody() {
    Server server = new Server(new long[] {1, 1, 1}, new long[] {400, 50, 100});
    server.arrive(0, 400);
    server.arrive(1, 50);
    server.arrive(2, 100);
    server.run(10 * SECOND);
    assertThat(server.doneNanos)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(0, 550 * 1_000_000L, 1, 50 * 1_000_000L, 2, 150 * 1_000_000L));
  }

  @Test
  void whatWasSeenOnceIsExpectedAgain() {
    Server server = new Server(new long[] {1, 1}, new long[] {0, 0});
    server.arrive(0, 300);
    server.arrive(1, 100);
    server.run(2 * SECOND);
    assertThat(server.doneNanos.get(1)).as("shared at first").isGreaterThan(SECOND / 100 * 19);
    server.nowNanos = 3 * SECOND;
    server.arrive(0, 300);
    server.run(server.nowNanos + SECOND / 1_000);
    server.arrive(1, 100);
    assertThat(server.scheduler.planned()).isEqualTo(2);
    server.run(5 * SECOND);
    assertThat(server.doneNanos.get(1)).isLessThanOrEqualTo(3 * SECOND + 102 * SECOND / 1_000);
    assertThat(server.doneNanos.get(0)).isEqualTo(3 * SECOND + 400 * SECOND / 1_000);
  }

  /** Phases of known size on one side, and on the other a job that never stops. */
  @Test
  void whoNeverStopsHasItsShareButForWhatIsRemembered() {
    SeededCases.forAll(
        EnduranceScale.of(30, 300),
        random -> {
          int jobs = random.nextInt(2, 8);
          long[] weights = random.longs(jobs, 1, 10).toArray();
          long[] told = random.longs(jobs, 11, 2_000).toArray();
          told[0] = 0;
          Server server = new Server(weights, told);
          server.arrive(0, 60_000);
          long sum = Arrays.stream(weights).sum();
          long until = 20 * SECOND;
          while (server.nowNanos < until) {
            server.run(server.nowNanos + random.nextLong(SECOND / 3));
            for (int job = 1; job < jobs; job++) {
              if (server.left[job] == 0 && random.nextBoolean()) {
                server.arrive(job, (int) (told[job] * random.nextDouble(0.3, 3)) + 1);
              }
            }
          }
          long seconds = server.nowNanos / SECOND;
          double share = (double) PER_SECOND * seconds * weights[0] / sum;
          assertThat((double) server.served[0])
              .isGreaterThanOrEqualTo(
                  share - SojournScheduler.MEMORY_SECONDS * PER_SECOND - PER_SECOND - jobs);
        });
  }

  /** A job tells that its phases are a tenth of what they are: over time it has no more by that. */
  @Test
  void whoTellsLessThanIsTrueGainsNothing() {
    long honest = servedBesideOthers(500);
    long liar = servedBesideOthers(50);
    assertThat(liar).isLessThanOrEqualTo(honest + honest / 20);
  }

  private static long servedBesideOthers(long told) {
    long[] tells = {told, 500, 500, 500};
    Server server = new Server(new long[] {1, 1, 1, 1}, tells);
    long[] againNanos = new long[4];
    while (server.nowNanos < 200 * SECOND) {
      for (int job = 0; job < 4; job++) {
        Long done = server.doneNanos.get(job);
        if (server.left[job] == 0 && server.nowNanos >= againNanos[job]) {
          if (done != null && againNanos[job] <= done) {
            againNanos[job] = done + SECOND;
          } else {
            server.arrive(job, 500);
          }
        }
      }
      server.run(server.nowNanos + SECOND / 100);
    }
    return server.served[0];
  }

  @Test
  void manyPhasesAreServedByTheirFairDates() {
    int jobs = PhaseOrder.SIZE_MAX + 4;
    Target large = new Target("t", 1, TokenUnit.OPERATIONS);
    SojournScheduler scheduler = new SojournScheduler(large, ShareTree.flat());
    JobId[] ids = new JobId[jobs];
    Arrays.setAll(ids, i -> JobId.of(String.format("job%05d", i)));
    long[] unlimited = new long[jobs];
    long[] weights = new long[jobs];
    long[] told = new long[jobs];
    Arrays.fill(unlimited, Shares.UNLIMITED);
    Arrays.fill(weights, 1);
    Arrays.setAll(told, i -> jobs - i);
    scheduler.reconfigure(Shares.ofColumns(ids, unlimited, weights, SECOND).withPhases(told), 0);
    for (JobId id : ids) {
      scheduler.enqueue(new Request(Flow.of(id, "t"), Operation.READ, 1, 0), 0);
    }
    Request next = (Request) scheduler.next(0);
    assertThat(next.job()).isEqualTo(ids[jobs - 1]);
    scheduler.checkInvariants(0);
  }

  @Test
  void virtualTimeIsSetBackAndNothingChanges() {
    Target bytes = new Target("t", 1L << 30, TokenUnit.BYTES);
    SojournScheduler scheduler = new SojournScheduler(bytes, ShareTree.flat());
    Map<String, Integer> served = new HashMap<>();
    for (String job : List.of("a", "b")) {
      for (int i = 0; i < 4; i++) {
        scheduler.enqueue(huge(job), 0);
      }
    }
    for (int i = 0; i < 10_000; i++) {
      Request request = (Request) scheduler.next(0);
      served.merge(request.job().toString(), 1, Integer::sum);
      scheduler.enqueue(huge(request.job().toString()), 0);
      scheduler.checkInvariants(0);
    }
    assertThat(served.get("a")).isBetween(4_000, 6_000);
  }

  private static Request huge(String job) {
    return new Request(Flow.of(JobId.of(job), "t"), Operation.WRITE, 1, Request.COST_MAX);
  }

  /** Phases come again and again: each is done by fair sharing's date and its grace. */
  @Test
  void wherePhasesComeAgainTheyAreDoneByFairSharingAndATenthOfTheirCycle() {
    SeededCases.forAll(
        EnduranceScale.of(200, 2_000),
        random -> {
          int jobs = random.nextInt(2, 9);
          long[] weights = random.longs(jobs, 1, 20).toArray();
          long[] sizes = random.longs(jobs, 11, 400).toArray();
          Server server = new Server(weights, sizes);
          long gapNanos = 20 * SECOND;
          for (int job = 0; job < jobs; job++) {
            server.arrive(job, (int) sizes[job]);
          }
          server.run(gapNanos);
          List<Arrival> again = new ArrayList<>();
          long at = gapNanos;
          for (int job = 0; job < jobs; job++) {
            server.run(at);
            server.arrive(job, (int) sizes[job]);
            again.add(new Arrival(job, (int) sizes[job], at));
            at += random.nextLong(SECOND / 5);
          }
          server.run(100 * SECOND);
          long[] dates = fairDates(again, weights);
          long grace = (long) (PlannedPhases.GRACE_CYCLES * (at + SECOND));
          for (int job = 0; job < jobs; job++) {
            assertThat(server.doneNanos.get(job)).isLessThanOrEqualTo(dates[job] + grace);
          }
        });
  }

  /** A user with many jobs beside one with a single job: both never stop. */
  @Test
  void aUserWithManyJobsHasNoMoreThanOneWithASingleJob() {
    SojournScheduler scheduler = new SojournScheduler(TARGET, ShareTree.byUser());
    Map<String, Long> served = new HashMap<>();
    for (int job = 0; job < 101; job++) {
      enqueue(scheduler, job, 0);
      enqueue(scheduler, job, 0);
    }
    for (int i = 1; i <= 20_000; i++) {
      long now = i * SECOND / PER_SECOND;
      Request request = (Request) scheduler.next(now);
      served.merge(request.flow().user(), 1L, Long::sum);
      enqueue(scheduler, Integer.parseInt(request.job().toString()), now);
      scheduler.complete(request, 1, 0, now);
      scheduler.checkInvariants(now);
    }
    assertThat(served.get("many")).isBetween(9_500L, 10_500L);
    // Side by side they are a hundred beside one.
    scheduler.regroup(ShareTree.flat(), 21 * SECOND);
    served.clear();
    for (int i = 1; i <= 10_100; i++) {
      long now = 21 * SECOND + i * SECOND / PER_SECOND;
      Request request = (Request) scheduler.next(now);
      served.merge(request.flow().user(), 1L, Long::sum);
      enqueue(scheduler, Integer.parseInt(request.job().toString()), now);
      scheduler.complete(request, 1, 0, now);
      scheduler.checkInvariants(now);
    }
    assertThat(served.get("one")).isBetween(50L, 250L);
  }

  private static void enqueue(SojournScheduler scheduler, int job, long nowNanos) {
    Flow flow =
        new Flow(
            JobId.of(Integer.toString(job)),
            job == 0 ? "one" : "many",
            "",
            ClientAddress.LOCAL,
            "",
            "t");
    scheduler.enqueue(new Request(flow, Operation.GETATTR, 1, 0), nowNanos);
  }

  /** Few that nobody knows share; many take turns. */
  @Test
  void onlyManyThatNobodyKnowsTakeTurns() {
    for (int jobs = LongPhases.MANY - 2; jobs <= LongPhases.MANY + 2; jobs++) {
      long[] weights = new long[jobs];
      Arrays.fill(weights, 1);
      Server server = new Server(weights, new long[jobs]);
      for (int job = 0; job < jobs; job++) {
        server.arrive(job, 20_000);
      }
      server.run(15 * SECOND);
      assertThat(server.scheduler.planned() > 0).isEqualTo(jobs >= LongPhases.MANY);
    }
  }

  /** Each has had three seconds of what was told at first, and less than one of what it is now. */
  @Test
  void theyTakeTurnsOnceEachHasHadASecondOfTheCapacityOfNow() {
    long[] weights = new long[LongPhases.MANY];
    Arrays.fill(weights, 1);
    Server server = new Server(weights, new long[LongPhases.MANY]);
    server.scheduler.resize(10 * PER_SECOND, 0);
    for (int job = 0; job < LongPhases.MANY; job++) {
      server.arrive(job, 20_000);
    }
    server.run(3 * LongPhases.MANY * SECOND);
    assertThat(server.scheduler.planned()).isZero();
    server.scheduler.resize(PER_SECOND, server.nowNanos);
    server.run(server.nowNanos + SECOND);
    assertThat(server.scheduler.planned()).isPositive();
  }

  /** What both have that always want more, after one of them was alone for long. */
  private static long[] afterOneWasAlone(long tokensPerSecond, long untilNanos) {
    Server server = new Server(new long[] {1, 1}, new long[] {0, 0});
    server.scheduler.resize(tokensPerSecond, 0);
    server.arrive(0, 50_000);
    server.arrive(1, 1);
    server.run(20 * SECOND);
    long alone = server.served[0];
    server.arrive(1, 50_000);
    server.run(20 * SECOND + untilNanos);
    return new long[] {server.served[0] - alone, server.served[1] - 1};
  }

  @Test
  void whereNobodyKnowsTheCapacityNothingIsRemembered() {
    long[] served = afterOneWasAlone(Rate.TOKENS_PER_SECOND_MAX, 2 * SECOND);
    assertThat(served[1] - served[0]).isBetween(-2L, 2L);
  }

  @Test
  void whatIsRememberedIsOfTheCapacityOfNow() {
    long[] asTold = afterOneWasAlone(PER_SECOND, 4 * SECOND);
    assertThat(asTold[1] - asTold[0])
        .isBetween(PER_SECOND, SojournScheduler.MEMORY_SECONDS * PER_SECOND);
    long[] less = afterOneWasAlone(PER_SECOND / 10, 4 * SECOND);
    assertThat(less[1] - less[0])
        .isBetween(PER_SECOND / 10, SojournScheduler.MEMORY_SECONDS * PER_SECOND / 10);
  }

  @Test
  void phasesHaveDatesOnceTheCapacityIsKnown() {
    Server server = new Server(new long[] {1, 1}, new long[] {3_000, 1_000});
    server.scheduler.resize(Rate.TOKENS_PER_SECOND_MAX, 0);
    server.arrive(0, 3_000);
    server.arrive(1, 1_000);
    server.run(10 * SECOND);
    // Half of the target for both, as long as both want it.
    assertThat(server.doneNanos.get(1)).isBetween(2 * SECOND - SECOND / 100, 2 * SECOND);
    server.scheduler.resize(PER_SECOND, server.nowNanos);
    server.arrive(0, 3_000);
    server.arrive(1, 1_000);
    server.run(20 * SECOND);
    assertThat(server.doneNanos.get(1)).isBetween(11 * SECOND, 11 * SECOND + SECOND / 100);
    assertThat(server.doneNanos.get(0)).isBetween(14 * SECOND, 14 * SECOND + SECOND / 100);
  }
}
