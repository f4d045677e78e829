package dev.sluice.core.schedule.terms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.Shares;
import java.util.Arrays;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** Some jobs, what each was promised, and a target that serves one request after the other. */
public final class TermedTarget {
  static final long SECOND = 1_000_000_000L;
  public static final long DEPTH = 3 << 20;
  static final long LARGEST = 1 << 18;
  private static final double ROUNDING_TOKENS = 4;

  final RandomGenerator random;
  public final int jobs;
  public final RequestScheduler scheduler;
  final JobId[] ids;
  public final long[] weights;
  public final long[] reserves;
  public final long[] limits;
  final long[] phases;
  public final long[] largest;
  final int[] waiting;
  public final long[] served;

  /** By job: how far it was behind its reserve when it was least so, since it has a backlog. */
  final double[] leastBehind;

  /** By job: how far it was ahead of its limit when it was least so. */
  final double[] leastAhead;

  public final long capacity;
  public double now;
  public boolean idled;

  /** Reserves of so many parts of the capacity in all. */
  TermedTarget(
      RandomGenerator random,
      double reserved,
      boolean limited,
      Function<Target, RequestScheduler> schedulers) {
    this.random = random;
    jobs = random.nextInt(1, 9);
    capacity = (long) (LARGEST * Math.pow(10, random.nextDouble(0, 3)));
    scheduler = schedulers.apply(new Target("target", capacity, TokenUnit.BYTES));
    ids = new JobId[jobs];
    weights = new long[jobs];
    reserves = new long[jobs];
    limits = new long[jobs];
    phases = new long[jobs];
    largest = new long[jobs];
    waiting = new int[jobs];
    served = new long[jobs];
    leastBehind = new double[jobs];
    leastAhead = new double[jobs];
    double[] parts = new double[jobs];
    for (int i = 0; i < jobs; i++) {
      ids[i] = JobId.of("job" + i);
      weights[i] = 1 + random.nextLong(1L << random.nextInt(1, 6));
      largest[i] = random.nextLong(LARGEST / 16, LARGEST + 1);
      phases[i] = random.nextBoolean() ? 0 : random.nextLong(10 * capacity);
      parts[i] = random.nextInt(3) == 0 ? 0 : Math.pow(10, random.nextDouble(-2, 0));
    }
    double sum = Math.max(Arrays.stream(parts).sum(), 1e-9);
    for (int i = 0; i < jobs; i++) {
      reserves[i] = (long) (parts[i] / sum * reserved * capacity);
      limits[i] =
          limited && random.nextBoolean()
              ? Math.max(reserves[i], 1) + random.nextLong(capacity / 2)
              : Shares.UNLIMITED;
    }
    scheduler.reconfigure(shares(), 0);
    Arrays.fill(leastBehind, Double.MAX_VALUE);
    Arrays.fill(leastAhead, Double.MAX_VALUE);
  }

  public Shares shares() {
    return Shares.ofColumns(ids.clone(), limits.clone(), weights.clone(), SECOND)
        .withReserves(reserves.clone())
        .withPhases(phases.clone());
  }

  public long nanos() {
    return (long) Math.ceil(now);
  }

  public double seconds() {
    return now / SECOND;
  }

  void enqueue(int job) {
    // Sizes differ, and the largest is seen at once.
    long bytes =
        waiting[job] == 0 ? largest[job] : random.nextLong(largest[job] / 2, largest[job] + 1);
    Flow flow =
        new Flow(ids[job], "user" + job % 3, "group", ClientAddress.LOCAL, "/export", "target");
    scheduler.enqueue(new Request(flow, Operation.READ, 1, bytes), nanos());
    if (waiting[job]++ == 0) {
      leastBehind[job] = behind(job);
    }
  }

  double behind(int job) {
    return seconds() * reserves[job] - served[job];
  }

  double ahead(int job) {
    return served[job] - seconds() * limits[job];
  }

  public long largestOfAll() {
    return Arrays.stream(largest).max().orElseThrow();
  }

  /** Hands out the next request, or waits for it; answers whether there was one. */
  public boolean serve() {
    for (int i = 0; i < jobs; i++) {
      leastAhead[i] = Math.min(leastAhead[i], ahead(i));
    }
    switch (scheduler.next(nanos())) {
      case Request request -> {
        int job = Integer.parseInt(request.job().toString().substring(3));
        checkReserves();
        served[job] += request.bytes();
        waiting[job]--;
        leastBehind[job] = Math.min(leastBehind[job], behind(job));
        if (limits[job] != Shares.UNLIMITED) {
          assertThat(ahead(job) - leastAhead[job])
              .as("ahead of the limit %s of %s", limits[job], capacity)
              .isLessThanOrEqualTo(Math.max(DEPTH, largest[job]) + ROUNDING_TOKENS);
        }
        now += (double) request.bytes() * SECOND / capacity;
        scheduler.complete(request, request.operations(), request.bytes(), nanos());
        return true;
      }
      case Dispatch.NotBefore(long nanos) -> {
        for (int i = 0; i < jobs; i++) {
          assertThat(waiting[i] == 0 || limits[i] != Shares.UNLIMITED)
              .as("whether job %s could have been served", i)
              .isTrue();
        }
        idled = true;
        now = nanos;
        return true;
      }
      case Dispatch.Empty _ -> {
        return false;
      }
    }
  }

  void checkReserves() {
    long q = largestOfAll();
    for (int i = 0; i < jobs; i++) {
      double behind = behind(i) - leastBehind[i];
      if (waiting[i] > 0 && behind > 2 * largest[i] + q + ROUNDING_TOKENS) {
        throw new AssertionError(
            behind
                + " tokens behind its reserve of "
                + reserves[i]
                + " with requests of "
                + largest[i]
                + " and "
                + q);
      }
    }
  }

  public void fill() {
    for (int i = 0; i < jobs; i++) {
      while (waiting[i] < 2) {
        enqueue(i);
      }
    }
  }
}
