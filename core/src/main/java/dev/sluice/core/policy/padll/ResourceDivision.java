package dev.sluice.core.policy.padll;

import dev.sluice.core.fair.WholeTokens;
import dev.sluice.core.model.JobId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A resource as it was divided once: a rate for each job, and the whole number that is enforced.
 * What is rounded off is carried to the next division, so that over time every job gets its rate.
 * Immutable.
 */
public final class ResourceDivision {
  /** What sums of doubles may be wrong by, as a part of them. */
  private static final double ROUNDING = 1e-12;

  private final Resource resource;
  private final List<JobUse> jobs;
  private final double[] rates;
  private final long[] wholePerSecond;
  private final double[] remainders;

  private ResourceDivision(
      Resource resource,
      List<JobUse> jobs,
      double[] rates,
      long[] wholePerSecond,
      double[] remainders) {
    this.resource = resource;
    this.jobs = jobs;
    this.rates = rates;
    this.wholePerSecond = wholePerSecond;
    this.remainders = remainders;
  }

  /** The division before the first one: nobody is there. */
  public static ResourceDivision none(Resource resource) {
    return new ResourceDivision(resource, List.of(), new double[0], new long[0], new double[0]);
  }

  /**
   * Divides a resource after this division of it.
   *
   * <p>Theorem. None of the whole numbers is negative. They add up to the maximum where the rates
   * do; where these leave some of it, then over any number of divisions to at most the sum of all
   * rates, and less than one below it. While the same jobs are there and each has a rate of at
   * least 1, what each got in whole numbers is less than one from the sum of its rates.
   *
   * @param now the resource, whose maximum may have changed
   * @param there the jobs that are there, in any order
   * @throws IllegalArgumentException if a job is there more than once
   */
  public ResourceDivision next(PadllAlgorithm algorithm, Resource now, List<JobUse> there) {
    List<JobUse> ordered = inOrder(there);
    return next(algorithm.rates(now, ordered), now, ordered);
  }

  /**
   * The same by rates that somebody else has found.
   *
   * @param rates of the jobs, in ascending order of job id; together at most the maximum
   */
  public ResourceDivision next(double[] rates, Resource now, List<JobUse> there) {
    List<JobUse> ordered = inOrder(there);
    int count = ordered.size();
    double[] real = rates.clone();
    double[] carried = new double[count];
    // Remainders add up to nothing only over all jobs that share them: with others there, the
    // part of a token that somebody is owed is written off.
    if (hasSameJobs(ordered)) {
      System.arraycopy(remainders, 0, carried, 0, count);
    }
    long[] whole = new long[count];
    if (count > 0) {
      new WholeTokens(count).round(count, real, carried, null, total(real, carried, now), whole);
    }
    return new ResourceDivision(now, ordered, real, whole, carried);
  }

  /** All of the resource where the rates use all of it; else what is due, rounded down. */
  private static long total(double[] rates, double[] carried, Resource resource) {
    double sum = 0;
    double due = 0;
    for (int i = 0; i < rates.length; i++) {
      sum += rates[i];
      due += rates[i] + carried[i];
    }
    double rounding = ROUNDING * (1 + sum);
    return sum >= resource.maximumPerSecond() - rounding
        ? resource.maximumPerSecond()
        : (long) Math.floor(due + rounding);
  }

  private boolean hasSameJobs(List<JobUse> others) {
    if (others.size() != jobs.size()) {
      return false;
    }
    for (int i = 0; i < jobs.size(); i++) {
      if (!jobs.get(i).job().equals(others.get(i).job())) {
        return false;
      }
    }
    return true;
  }

  private static List<JobUse> inOrder(List<JobUse> there) {
    List<JobUse> ordered = new ArrayList<>(there);
    ordered.sort(Comparator.comparing(JobUse::job));
    for (int i = 1; i < ordered.size(); i++) {
      if (ordered.get(i - 1).job().equals(ordered.get(i).job())) {
        throw new IllegalArgumentException(
            "job " + ordered.get(i).job() + " is there more than once");
      }
    }
    return List.copyOf(ordered);
  }

  public Resource resource() {
    return resource;
  }

  public int size() {
    return jobs.size();
  }

  /** What was known of the job at this index; jobs are in ascending order of id. */
  public JobUse use(int index) {
    return jobs.get(index);
  }

  public JobId job(int index) {
    return jobs.get(index).job();
  }

  /** The job's rate as it was computed. */
  public double rate(int index) {
    return rates[index];
  }

  /** What the job may have a second until the next division. */
  public long wholePerSecond(int index) {
    return wholePerSecond[index];
  }
}
