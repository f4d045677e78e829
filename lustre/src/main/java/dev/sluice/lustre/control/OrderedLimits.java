package dev.sluice.lustre.control;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.guarantee.Guarantees;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What jobs may have here at most, and what they are guaranteed, by order of somebody who sees
 * other servers, too. The policy of this server decides within that; without orders it decides
 * alone. Safe for use by many threads.
 */
public final class OrderedLimits {
  private final Map<JobId, Double> perSecond = new ConcurrentHashMap<>();
  private volatile Guarantees guarantees = Guarantees.NONE;

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

  /** These are to be kept from now on, before those of the configuration. */
  public void guarantee(Guarantees ordered) {
    guarantees = ordered;
  }

  /** What is to be kept by order. */
  public Guarantees guarantees() {
    return guarantees;
  }
}
