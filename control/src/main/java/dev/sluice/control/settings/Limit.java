package dev.sluice.control.settings;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;

/**
 * What one job, or all jobs of one user together, may do a second on all nodes together.
 *
 * @param firmness whether it holds always, or only while there is too little for all
 * @param burstNanos how long a time of it may be saved up while less is used, and used above it
 */
public record Limit(
    Subject subject, LimitKey key, long perSecond, Firmness firmness, long burstNanos) {
  public Limit {
    if (!LimitKey.ALL.contains(key)) {
      throw new IllegalArgumentException("nothing can be limited by " + key);
    }
    if (perSecond < 0) {
      throw new IllegalArgumentException("a limit is 0 a second or more, not " + perSecond);
    }
    if (burstNanos < 0) {
      throw new IllegalArgumentException("what is saved is 0 ns or more, not " + burstNanos);
    }
  }

  /** Of which nothing is saved. */
  public Limit(Subject subject, LimitKey key, long perSecond, Firmness firmness) {
    this(subject, key, perSecond, firmness, 0);
  }

  /** Who is limited. */
  public sealed interface Subject {}

  /** One job, on all its nodes. */
  public record OfJob(JobId job) implements Subject {}

  /** A user, in all of his jobs. */
  public record OfUser(String user) implements Subject {}

  /** When a limit holds. */
  public enum Firmness {
    /** Always. */
    HARD,
    /**
     * While the resource that its operations belong to is used up to nine tenths; always where they
     * belong to none.
     */
    SOFT
  }
}
