package dev.sluice.lustre.control;

import dev.sluice.core.model.JobId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What jobs may have here at most, by order of somebody who sees other servers, too. The policy of
 * this server decides below that; without orders it decides alone. Safe for use by many threads.
 */
public final class OrderedLimits {
  private final Map<JobId, Double> perSecond = new ConcurrentHashMap<>();

  /** A job may have so many requests a second from now on. */
  public void limit(JobId job, double requestsPerSecond) {
    perSecond.put(job, requestsPerSecond);
  }

  /** Nothing is ordered of a job any more. */
  public void free(JobId job) {
    perSecond.remove(job);
  }

  /** What a job may have; infinite where nothing was ordered. */
  public double perSecond(JobId job) {
    return perSecond.getOrDefault(job, Double.POSITIVE_INFINITY);
  }
}
