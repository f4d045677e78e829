package dev.sluice.history.sample;

import dev.sluice.history.model.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes coarser samples of finer ones: all that end within the same stretch become one. Amounts are
 * added; nothing is lost and nothing counted twice. Not thread-safe.
 */
public final class Rollup {
  /** Jobs of a target that are kept apart in one stretch; others are added up. */
  static final int JOBS_MAX = 4 * Sampler.JOBS_MAX;

  private final int spanMillis;
  private final Map<String, TargetSum> targets = new LinkedHashMap<>();
  private long stretch = Long.MIN_VALUE;
  private long coveredMillis;
  private @Nullable Sample last;

  /**
   * @param spanMillis the length of a stretch; they begin at multiples of it since 1970
   */
  public Rollup(int spanMillis) {
    if (spanMillis < 1) {
      throw new IllegalArgumentException("a stretch lasts at least 1 ms, not " + spanMillis);
    }
    this.spanMillis = spanMillis;
  }

  /** One target's samples added up. */
  private static final class TargetSum {
    private Sample.@Nullable OfTarget last;
    private int queued;
    private int saturatedMillis;
    private final Map<String, JobSum> jobs = new LinkedHashMap<>();

    void add(Sample.OfTarget target, int sampleMillis) {
      last = target;
      queued = Math.max(queued, target.queued());
      saturatedMillis += target.saturatedMillis();
      for (Sample.OfJob job : target.jobs()) {
        boolean full = jobs.size() >= JOBS_MAX - 1 && !jobs.containsKey(job.id());
        jobs.computeIfAbsent(full ? Sample.OTHERS : job.id(), JobSum::new).add(job, sampleMillis);
      }
    }

    Sample.OfTarget sum() {
      if (last == null) {
        throw new IllegalStateException("a target without a sample");
      }
      return new Sample.OfTarget(
          last.name(),
          last.capacityTokensPerSecond(),
          last.unit(),
          queued,
          saturatedMillis,
          jobs.values().stream().map(JobSum::job).toList());
    }
  }

  /** Adds a sample; answers with the stretch before it when that is complete. */
  public @Nullable Sample add(Sample sample) {
    long its = Math.floorDiv(sample.endMillis() - 1, spanMillis);
    Sample complete = its == stretch ? null : close();
    stretch = its;
    coveredMillis += sample.spanMillis();
    last = sample;
    for (Sample.OfTarget target : sample.targets()) {
      targets.computeIfAbsent(target.name(), _ -> new TargetSum()).add(target, sample.spanMillis());
    }
    return complete;
  }

  private @Nullable Sample close() {
    Sample closing = last;
    if (closing == null) {
      return null;
    }
    List<Sample.OfTarget> sums = new ArrayList<>();
    targets.values().forEach(target -> sums.add(target.sum()));
    Sample sum =
        new Sample(
            (stretch + 1) * spanMillis,
            (int) Math.min(Integer.MAX_VALUE, coveredMillis),
            closing.policy(),
            closing.observesOnly(),
            sums);
    targets.clear();
    coveredMillis = 0;
    last = null;
    return sum;
  }
}
