package dev.sluice.history.report;

import dev.sluice.history.model.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How something went over time, in so many steps of equal length. Not thread-safe.
 *
 * <p>A sample that is longer than a step is spread over the steps that it covers, so that the
 * curve's area is the amount.
 */
public final class Course {
  private final Selection selection;
  private final List<String> jobs;
  private final int steps;
  private final Map<String, double[]> bytesByJob = new LinkedHashMap<>();
  private final Map<String, double[]> bytesByTarget = new LinkedHashMap<>();
  private final Map<String, double[]> usedByTarget = new LinkedHashMap<>();

  /**
   * @param jobs those that have curves of their own; {@link Sample#OTHERS} is all others
   */
  public Course(Selection selection, List<String> jobs, int steps) {
    this.selection = selection;
    this.jobs = List.copyOf(jobs);
    this.steps = steps;
    List<String> names = new ArrayList<>(jobs);
    names.add(Sample.OTHERS);
    names.forEach(name -> bytesByJob.put(name, new double[steps]));
  }

  /** Takes note of a sample. */
  public void add(Sample sample) {
    for (Sample.OfTarget target : sample.targets()) {
      double[] ofTarget = bytesByTarget.computeIfAbsent(target.name(), _ -> new double[steps]);
      double[] used = usedByTarget.computeIfAbsent(target.name(), _ -> new double[steps]);
      for (Sample.OfJob job : target.jobs()) {
        spread(sample, (double) job.bytes(), ofTarget);
        if (selection.includes(job)) {
          String name = jobs.contains(job.id()) ? job.id() : Sample.OTHERS;
          spread(
              sample,
              (double) job.bytes(),
              bytesByJob.computeIfAbsent(name, _ -> new double[steps]));
        }
      }
      if (target.capacityTokensPerSecond() > 0) {
        spread(sample, (double) target.servedTokens() / target.capacityTokensPerSecond(), used);
      }
    }
  }

  private void spread(Sample sample, double amount, double[] into) {
    double stepMillis = stepMillis();
    double from = sample.endMillis() - sample.spanMillis() - selection.fromMillis();
    double to = sample.endMillis() - selection.fromMillis();
    int first = (int) Math.clamp(from / stepMillis, 0, steps - 1);
    int last = (int) Math.clamp(Math.ceil(to / stepMillis) - 1, 0, steps - 1);
    for (int step = first; step <= last; step++) {
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

  /** What each job moved, in bytes a second. */
  public Map<String, double[]> bytesPerSecondByJob() {
    return rates(bytesByJob);
  }

  /** What each target moved, in bytes a second. */
  public Map<String, double[]> bytesPerSecondByTarget() {
    return rates(bytesByTarget);
  }

  /** Which part of its capacity each target used. */
  public Map<String, double[]> utilisationByTarget() {
    return rates(usedByTarget);
  }

  private Map<String, double[]> rates(Map<String, double[]> amounts) {
    Map<String, double[]> rates = new LinkedHashMap<>();
    amounts.forEach((name, values) -> {
      double[] rate = new double[steps];
      for (int i = 0; i < steps; i++) {
        rate[i] = values[i] * 1e3 / stepMillis();
      }
      rates.put(name, rate);
    });
    return rates;
  }
}
