package dev.sluice.history.report;

import dev.sluice.history.model.Sample;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What would have been done in a stretch of history while nothing was enforced: whom it would have
 * slowed down. It is given samples, oldest first. Not thread-safe.
 *
 * <p>A job that its policy would have limited would have been slowed down when it used more than
 * that. Where a policy only orders requests, as fair queueing does, a job would have given way when
 * it had more than its part of what the target served while another waited that had less. What jobs
 * would have wanted then, nobody knows; so this says who, and by how much at most, not what the
 * others would have made of it.
 */
public final class LookedOn {
  /** Less than this is noise of the look. */
  private static final double SLACK = 1.05;

  private final Selection selection;
  private final Map<String, Sums> jobs = new HashMap<>();
  private long lookedOnMillis;

  /** Of one job, on all targets. */
  private static final class Sums {
    String user = "";
    long millis;
    double used;
    double allowed;
  }

  /**
   * A job that would have been slowed down.
   *
   * @param millis for how long
   * @param part what it would have had meanwhile, of what it had
   */
  public record Slowed(String job, String user, long millis, double part) {}

  LookedOn(Selection selection) {
    this.selection = selection;
  }

  void add(Sample sample) {
    if (!sample.observesOnly()) {
      return;
    }
    lookedOnMillis += sample.spanMillis();
    for (Sample.OfTarget target : sample.targets()) {
      double served = (double) target.servedTokens();
      double weights = 0;
      for (Sample.OfJob job : target.jobs()) {
        weights += job.weight();
      }
      boolean othersWaited = false;
      for (Sample.OfJob job : target.jobs()) {
        othersWaited |=
            job.heldBackMillis() > 0 && used(target, job) < served * job.weight() / weights;
      }
      for (Sample.OfJob job : target.jobs()) {
        double part = othersWaited ? served * job.weight() / weights : Double.POSITIVE_INFINITY;
        double given =
            job.allowedTokensPerSecond() == Sample.OfJob.UNLIMITED
                ? part
                : job.allowedTokensPerSecond() * (sample.spanMillis() / 1e3);
        if (selection.includes(job) && used(target, job) > SLACK * given) {
          slowed(job, sample.spanMillis(), used(target, job), given);
        }
      }
    }
  }

  private static double used(Sample.OfTarget target, Sample.OfJob job) {
    return (double) target.unit().price(job.operations(), job.bytes());
  }

  private void slowed(Sample.OfJob job, int spanMillis, double used, double given) {
    Sums sums = jobs.computeIfAbsent(job.id(), _ -> new Sums());
    sums.user = job.user();
    sums.millis += spanMillis;
    sums.used += used;
    sums.allowed += given;
  }

  /** For how long nothing was enforced. */
  public long millis() {
    return lookedOnMillis;
  }

  /** Those who would have been slowed down, the longest first. */
  public List<Slowed> slowed() {
    return jobs.entrySet().stream()
        .map(entry -> {
          Sums sums = entry.getValue();
          return new Slowed(entry.getKey(), sums.user, sums.millis, sums.allowed / sums.used);
        })
        .sorted(Comparator.comparingLong(Slowed::millis).reversed().thenComparing(Slowed::job))
        .toList();
  }
}
