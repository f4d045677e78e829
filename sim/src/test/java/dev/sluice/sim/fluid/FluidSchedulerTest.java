package dev.sluice.sim.fluid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.JobOwner;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.registry.Schedulers;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Holds fluid mode and the schedulers' own code together: the same jobs on the same device for one
 * period, as rates and request by request.
 */
class FluidSchedulerTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long DEVICE_PER_SECOND = 10_000;
  private static final long PERIOD = 2 * SECOND;
  private static final int LARGEST = 8;

  /** Three operations, of which full buckets have so many at the beginning. */
  private static final int DEPTH = 3;

  private static final class Claim extends FluidClaim {
    double grantedNanos;

    Claim(JobId job, List<String> branch) {
      super(job, branch);
    }

    @Override
    void grant(double nanos, double atPart) {
      assertThat(atPart).isBetween(0.0, 1.0);
      grantedNanos = nanos;
    }
  }

  /**
   * Jobs, the tokens that each wants in the period and how many requests it keeps at the target.
   */
  private static final class Jobs {
    final JobId[] ids;
    final String[] users;
    final long[] weights;
    final long[] limits;
    final long[] reserves;
    final long[] wanted;
    final int[] kept;
    final int[] price;
    final boolean[] listed;

    /** Device time for a token. */
    final double nanosPerToken = (double) SECOND / DEVICE_PER_SECOND;

    Jobs(RandomGenerator random, int count, boolean finite) {
      ids = new JobId[count];
      users = new String[count];
      weights = new long[count];
      limits = new long[count];
      reserves = new long[count];
      wanted = new long[count];
      kept = new int[count];
      price = new int[count];
      listed = new boolean[count];
      for (int i = 0; i < count; i++) {
        ids[i] = JobId.of("job" + i);
        users[i] = "user" + random.nextInt(3);
        weights[i] = 1 + random.nextLong(1L << random.nextInt(1, 5));
        limits[i] = Shares.UNLIMITED;
        price[i] = random.nextInt(1, LARGEST + 1);
        kept[i] = random.nextInt(2, 10);
        listed[i] = true;
        wanted[i] = Long.MAX_VALUE / 4;
        if (random.nextInt(3) == 0) {
          wanted[i] = finite ? price[i] * random.nextLong(4_000) : 0;
        }
      }
    }

    int count() {
      return ids.length;
    }

    Shares shares() {
      int[] those = IntStream.range(0, count()).filter(i -> listed[i]).toArray();
      return Shares.ofColumns(
              Arrays.stream(those).mapToObj(i -> ids[i]).toArray(JobId[]::new),
              Arrays.stream(those).mapToLong(i -> limits[i]).toArray(),
              Arrays.stream(those).mapToLong(i -> weights[i]).toArray(),
              SECOND)
          .withReserves(Arrays.stream(those).mapToLong(i -> reserves[i]).toArray());
    }

    /** Tokens that each is given as rates say. */
    double[] asRates(SchedulerKind kind, ShareGrouping grouping) {
      List<Claim> claims = new ArrayList<>();
      for (int i = 0; i < count(); i++) {
        Claim claim = new Claim(ids[i], grouping.path(new JobOwner("", users[i], "")));
        claim.wantedNanos = Math.min(wanted[i] * nanosPerToken, (double) PERIOD);
        claim.wantedTokens = claim.wantedNanos / nanosPerToken;
        claim.keptNanos = kept[i] * price[i] * nanosPerToken;
        claims.add(claim);
      }
      new FluidScheduler(kind, grouping).divide(claims, shares(), (double) PERIOD);
      return claims.stream().mapToDouble(claim -> claim.grantedNanos / nanosPerToken).toArray();
    }

    /** Tokens that each is handed out by the scheduler itself, one request after the other. */
    double[] byRequests(SchedulerKind kind, ShareTree tree) {
      RequestScheduler scheduler =
          Schedulers.create(kind, new Target("t", DEVICE_PER_SECOND, TokenUnit.OPERATIONS), tree);
      scheduler.reconfigure(shares(), 0);
      double[] served = new double[count()];
      long[] sent = new long[count()];
      for (int i = 0; i < count(); i++) {
        for (int k = 0; k < kept[i]; k++) {
          send(scheduler, i, sent, 0);
        }
      }
      double now = 0;
      while (now < PERIOD) {
        long nanos = (long) Math.ceil(now);
        switch (scheduler.next(nanos)) {
          case Request request -> {
            int job = Arrays.asList(ids).indexOf(request.job());
            served[job] += request.operations();
            now += request.operations() * nanosPerToken;
            send(scheduler, job, sent, (long) Math.ceil(now));
          }
          case Dispatch.NotBefore(long until) -> now = (double) Math.min(until, PERIOD);
          case Dispatch.Empty _ -> now = (double) PERIOD;
        }
      }
      return served;
    }

    private void send(RequestScheduler scheduler, int job, long[] sent, long nowNanos) {
      if (sent[job] < wanted[job]) {
        Flow flow = new Flow(ids[job], users[job], "", ClientAddress.LOCAL, "/e", "t");
        scheduler.enqueue(new Request(flow, Operation.READ, price[job], 0), nowNanos);
        sent[job] += price[job];
      }
    }

    /** A few requests of every job, what buckets had at first, and a part of a branch's share. */
    double slack(boolean branches) {
      double slack = 0;
      for (int i = 0; i < count(); i++) {
        slack += 6 * price[i] + 2 * LARGEST + DEPTH + kept[i] * price[i];
      }
      return slack + (branches ? DEVICE_PER_SECOND * PERIOD / SECOND / 65.0 : 0);
    }
  }

  private static void compare(Jobs jobs, SchedulerKind kind, boolean byUser) {
    ShareGrouping grouping =
        byUser
            ? new ShareGrouping(List.of(ShareGrouping.Level.USER), Map.of())
            : ShareGrouping.FLAT;
    double[] rates = jobs.asRates(kind, grouping);
    double[] requests = jobs.byRequests(kind, byUser ? ShareTree.byUser() : ShareTree.flat());
    boolean reserved = Arrays.stream(jobs.reserves).anyMatch(r -> r > 0);
    for (int i = 0; i < jobs.count(); i++) {
      assertThat(rates[i])
          .as("job %s under %s, by requests %s", i, kind, Arrays.toString(requests))
          .isCloseTo(requests[i], within(jobs.slack(byUser && reserved)));
    }
  }

  @Test
  void firstComeFirstServedIsByWhatIsOutstanding() {
    SeededCases.forAll(
        150,
        random -> compare(new Jobs(random, random.nextInt(1, 8), true), SchedulerKind.FIFO, false));
  }

  @Test
  void fairIsByWeightOverTheTree() {
    SeededCases.forAll(
        150,
        random ->
            compare(
                new Jobs(random, random.nextInt(1, 8), true),
                SchedulerKind.FAIR,
                random.nextBoolean()));
  }

  @Test
  void fairGivesReservesAndKeepsLimits() {
    SeededCases.forAll(
        150,
        random -> {
          Jobs jobs = new Jobs(random, random.nextInt(1, 8), false);
          for (int i = 0; i < jobs.count(); i++) {
            // Requests that cost no more than a bucket holds lose none of its tokens.
            jobs.price[i] = 1;
            if (random.nextBoolean()) {
              jobs.reserves[i] = random.nextLong(DEVICE_PER_SECOND * 9 / 10 / jobs.count());
            }
            if (random.nextInt(3) == 0) {
              jobs.limits[i] = jobs.reserves[i] + random.nextLong(1, DEVICE_PER_SECOND / 4);
            }
          }
          compare(jobs, SchedulerKind.FAIR, random.nextBoolean());
        });
  }

  /** Limits that the device can keep, and jobs that nobody limits and that get what is left. */
  @Test
  void theTokenBucketFilterGivesEachItsTokensAndTheRestToOthers() {
    SeededCases.forAll(
        150,
        random -> {
          Jobs jobs = new Jobs(random, random.nextInt(1, 8), true);
          for (int i = 0; i < jobs.count(); i++) {
            jobs.price[i] = 1;
            jobs.listed[i] = random.nextInt(3) > 0;
            if (jobs.listed[i]) {
              jobs.limits[i] = random.nextLong(1, DEVICE_PER_SECOND / jobs.count());
            }
          }
          compare(jobs, SchedulerKind.TBF, false);
        });
  }
}
