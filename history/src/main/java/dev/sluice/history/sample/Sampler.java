package dev.sluice.history.sample;

import dev.sluice.history.model.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes samples from counters: what happened between one look and the next. Not thread-safe.
 *
 * <p>Whatever the looks, and however irregular: the amounts of all samples together are exactly
 * what the counters have grown by.
 */
public final class Sampler {
  /** Jobs of a target that are kept apart in one sample: the busiest; others are added up. */
  public static final int JOBS_MAX = 1_000;

  /** A job whose requests wait so long, on average, is held back. */
  static final long NOTICEABLE_WAIT_NANOS = 10_000_000;

  /** A target that serves this part of its capacity is saturated. */
  static final double SATURATED = 0.9;

  private static final Comparator<Sample.OfJob> BUSIEST_FIRST =
      Comparator.comparingLong(Sample.OfJob::bytes)
          .thenComparingLong(Sample.OfJob::operations)
          .thenComparingInt(Sample.OfJob::queued)
          .reversed();

  private @Nullable Totals before;
  private Map<String, Map<String, Totals.OfJob>> counted = Map.of();

  /** What happened since the last look; null at the first, and when no time has passed. */
  public @Nullable Sample look(Totals now) {
    Totals last = before;
    if (last != null && (now.nowNanos() - last.nowNanos()) / 1_000_000 < 1) {
      return null;
    }
    Map<String, Map<String, Totals.OfJob>> counts = HashMap.newHashMap(now.targets().size());
    List<Sample.OfTarget> targets = new ArrayList<>();
    long spanNanos = last == null ? 0 : now.nowNanos() - last.nowNanos();
    for (Totals.OfTarget target : now.targets()) {
      Map<String, Totals.OfJob> jobs = HashMap.newHashMap(target.jobs().size());
      target.jobs().forEach(job -> jobs.put(job.id(), job));
      String name = target.target().name();
      counts.put(name, jobs);
      if (last != null) {
        targets.add(sample(target, counted.getOrDefault(name, Map.of()), spanNanos));
      }
    }
    before = now;
    counted = counts;
    return last == null
        ? null
        : new Sample(
            now.nowMillis(),
            (int) Math.min(Integer.MAX_VALUE, Math.round(spanNanos / 1e6)),
            now.policy(),
            now.observesOnly(),
            targets);
  }

  private static Sample.OfTarget sample(
      Totals.OfTarget target, Map<String, Totals.OfJob> earlier, long spanNanos) {
    int spanMillis = (int) Math.min(Integer.MAX_VALUE, Math.round(spanNanos / 1e6));
    List<Sample.OfJob> jobs = new ArrayList<>();
    for (Totals.OfJob job : target.jobs()) {
      Sample.OfJob difference = difference(earlier.get(job.id()), job, spanMillis);
      if (difference.operations() > 0 || difference.bytes() > 0 || difference.queued() > 0) {
        jobs.add(difference);
      }
    }
    if (jobs.size() > JOBS_MAX) {
      jobs = busiest(jobs);
    }
    long capacity = target.capacityKnown() ? target.target().tokensPerSecond() : 0;
    Sample.OfTarget sample =
        new Sample.OfTarget(
            target.target().name(), capacity, target.target().unit(), target.queued(), 0, jobs);
    boolean saturated =
        capacity == 0
            ? target.queued() > 0
            : sample.servedTokens() >= SATURATED * capacity * (spanNanos / 1e9);
    return saturated
        ? new Sample.OfTarget(
            sample.name(), capacity, sample.unit(), sample.queued(), spanMillis, sample.jobs())
        : sample;
  }

  private static Sample.OfJob difference(
      Totals.@Nullable OfJob earlier, Totals.OfJob now, int spanMillis) {
    // A job that is new, or was forgotten in between, is counted from nothing.
    boolean known =
        earlier != null
            && earlier.operations() <= now.operations()
            && earlier.readBytes() <= now.readBytes()
            && earlier.writtenBytes() <= now.writtenBytes();
    Totals.OfJob from = known ? earlier : null;
    long operations = now.operations() - (from == null ? 0 : from.operations());
    // Requests that wait are looked at by one clock and handed out by another's last reading.
    long waitedNanos = Math.max(0, now.waitedNanos() - (from == null ? 0 : from.waitedNanos()));
    boolean heldBack =
        operations == 0 ? now.queued() > 0 : waitedNanos / operations >= NOTICEABLE_WAIT_NANOS;
    return new Sample.OfJob(
        now.id(),
        now.user(),
        now.weight(),
        operations,
        now.readBytes() - (from == null ? 0 : from.readBytes()),
        now.writtenBytes() - (from == null ? 0 : from.writtenBytes()),
        waitedNanos / 1_000,
        now.queued(),
        Double.isInfinite(now.allowedTokensPerSecond())
            ? Sample.OfJob.UNLIMITED
            : Math.round(now.allowedTokensPerSecond()),
        heldBack ? spanMillis : 0);
  }

  private static List<Sample.OfJob> busiest(List<Sample.OfJob> jobs) {
    List<Sample.OfJob> sorted = new ArrayList<>(jobs);
    sorted.sort(BUSIEST_FIRST);
    List<Sample.OfJob> kept = new ArrayList<>(sorted.subList(0, JOBS_MAX - 1));
    JobSum others = new JobSum(Sample.OTHERS);
    for (Sample.OfJob job : sorted.subList(JOBS_MAX - 1, sorted.size())) {
      others.add(job, 0);
    }
    kept.add(others.job());
    return kept;
  }
}
