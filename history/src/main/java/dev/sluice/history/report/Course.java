package dev.sluice.history.report;

import dev.sluice.history.model.Sample;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How it went over time, in so many steps of equal length. Not thread-safe.
 *
 * <p>A sample that is longer than a step is spread over the steps that it covers, so that the
 * curve's area is the amount.
 */
public final class Course {
  private static final double MICROS_PER_MILLI = 1e3;

  private final Selection selection;
  private final Set<String> jobs;
  private final @Nullable String target;
  private final int steps;
  private final Map<String, Curve> byJob = new LinkedHashMap<>();
  private final Map<String, Curve> byTarget = new LinkedHashMap<>();
  private final boolean[] known;

  /** What rows of one sample come to. */
  private static final class Sums {
    double bytes;
    double operations;
    double waitedMicros;
    int queued;

    void add(Sample.OfJob job) {
      bytes += job.bytes();
      operations += job.operations();
      waitedMicros += job.waitedMicros();
      queued += job.queued();
    }
  }

  /** What a job or a target did in each step. */
  public final class Curve {
    private final double[] bytes = new double[steps];
    private final double[] operations = new double[steps];
    private final double[] waitedMicros = new double[steps];
    private final double[] queued = new double[steps];
    private final double[] used = new double[steps];
    private final double[] capacity = new double[steps];

    /** What was moved, in bytes a second. */
    public double[] bytesPerSecond() {
      return rates(bytes);
    }

    public double[] operationsPerSecond() {
      return rates(operations);
    }

    /**
     * How long a request waited for its turn, on average over those of the step, also those that
     * still wait.
     */
    public double[] waitMillis() {
      double[] waits = new double[steps];
      for (int i = 0; i < steps; i++) {
        double requests = Math.max(operations[i], queued[i]);
        waits[i] = requests == 0 ? 0 : waitedMicros[i] / requests / MICROS_PER_MILLI;
      }
      return waits;
    }

    /** The most requests that waited at any look. */
    public double[] queued() {
      return queued.clone();
    }

    /** Which part of its capacity a target used; 0 where nobody knows the capacity. */
    public double[] utilisation() {
      return rates(used);
    }

    /** What a target could do, in tokens a second, as it was known last; 0 where nobody knew. */
    public double[] capacityTokensPerSecond() {
      return capacity.clone();
    }

    private void add(Sample sample, Sums sums) {
      spread(sample, sums.bytes, bytes);
      spread(sample, sums.operations, operations);
      spread(sample, sums.waitedMicros, waitedMicros);
    }

    private void addQueued(Sample sample, int waiting) {
      for (int step = first(sample); step <= last(sample); step++) {
        queued[step] = Math.max(queued[step], waiting);
      }
    }

    private void setCapacity(Sample sample, long tokensPerSecond) {
      for (int step = first(sample); step <= last(sample); step++) {
        capacity[step] = tokensPerSecond;
      }
    }
  }

  /**
   * @param jobs those that have curves of their own; {@link Sample#OTHERS} is all others
   * @param target on which the jobs are looked at; null for all
   */
  public Course(Selection selection, List<String> jobs, @Nullable String target, int steps) {
    this.selection = selection;
    this.jobs = Set.copyOf(jobs);
    this.target = target;
    this.steps = steps;
    this.known = new boolean[steps];
    jobs.forEach(name -> byJob.put(name, new Curve()));
    byJob.put(Sample.OTHERS, new Curve());
  }

  /** Takes note of a sample. */
  public void add(Sample sample) {
    for (int step = first(sample); step <= last(sample); step++) {
      known[step] = true;
    }
    // A sample is added up before it is spread over the steps: it has thousands of rows, and few
    // curves.
    Map<String, Sums> ofJobs = new HashMap<>();
    for (Sample.OfTarget on : sample.targets()) {
      Curve ofTarget = byTarget.computeIfAbsent(on.name(), _ -> new Curve());
      boolean lookedAt = target == null || target.equals(on.name());
      Sums all = new Sums();
      for (Sample.OfJob job : on.jobs()) {
        all.add(job);
        if (lookedAt && selection.includes(job)) {
          String name = jobs.contains(job.id()) ? job.id() : Sample.OTHERS;
          ofJobs.computeIfAbsent(name, _ -> new Sums()).add(job);
        }
      }
      ofTarget.add(sample, all);
      ofTarget.addQueued(sample, on.queued());
      if (on.capacityTokensPerSecond() > 0) {
        ofTarget.setCapacity(sample, on.capacityTokensPerSecond());
        spread(sample, (double) on.servedTokens() / on.capacityTokensPerSecond(), ofTarget.used);
      }
    }
    ofJobs.forEach((name, sums) -> {
      Curve curve = byJob.computeIfAbsent(name, _ -> new Curve());
      curve.add(sample, sums);
      curve.addQueued(sample, sums.queued);
    });
  }

  private double fromMillis(Sample sample) {
    return sample.endMillis() - sample.spanMillis() - selection.fromMillis();
  }

  private double toMillis(Sample sample) {
    return sample.endMillis() - selection.fromMillis();
  }

  private int first(Sample sample) {
    return (int) Math.clamp(fromMillis(sample) / stepMillis(), 0, steps - 1);
  }

  private int last(Sample sample) {
    return (int) Math.clamp(Math.ceil(toMillis(sample) / stepMillis()) - 1, 0, steps - 1);
  }

  private void spread(Sample sample, double amount, double[] into) {
    double stepMillis = stepMillis();
    double from = fromMillis(sample);
    double to = toMillis(sample);
    for (int step = first(sample); step <= last(sample); step++) {
      double overlap = Math.min(to, (step + 1) * stepMillis) - Math.max(from, step * stepMillis);
      into[step] += amount * Math.max(0, overlap) / Math.max(1, to - from);
    }
  }

  private double stepMillis() {
    return (double) (selection.toMillis() - selection.fromMillis()) / steps;
  }

  /** The middle of each step, in seconds after the beginning. */
  public double[] seconds() {
    double[] seconds = new double[steps];
    for (int i = 0; i < steps; i++) {
      seconds[i] = (i + 0.5) * stepMillis() / 1e3;
    }
    return seconds;
  }

  /** Whether anything is known of a step; of the others it is not known that nothing happened. */
  public boolean isKnown(int step) {
    return known[step];
  }

  /** What each job did. */
  public Map<String, Curve> jobs() {
    return byJob;
  }

  /** What each target did. */
  public Map<String, Curve> targets() {
    return byTarget;
  }

  private double[] rates(double[] amounts) {
    double[] rates = new double[steps];
    for (int i = 0; i < steps; i++) {
      rates[i] = amounts[i] * 1e3 / stepMillis();
    }
    return rates;
  }
}
