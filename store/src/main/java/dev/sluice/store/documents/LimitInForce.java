package dev.sluice.store.documents;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;

/**
 * What one job, or one user, may do a second at an instant.
 *
 * @param burstNanos how long a time of it may be saved up while less is used
 * @param from the name of the limit that says so
 */
public record LimitInForce(
    Holder holder,
    LimitKey key,
    long perSecond,
    LimitEntry.Firmness firmness,
    long burstNanos,
    String from) {
  /** Who is limited. */
  public sealed interface Holder extends Comparable<Holder> {
    /** A job, on all its nodes together. */
    record Job(JobId job) implements Holder {
      @Override
      public String toString() {
        return "job " + job;
      }
    }

    /** A user, in all of his jobs together. */
    record User(String user) implements Holder {
      @Override
      public String toString() {
        return "user " + user;
      }
    }

    @Override
    default int compareTo(Holder other) {
      return toString().compareTo(other.toString());
    }
  }
}
