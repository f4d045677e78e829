package dev.sluice.history.report;

import dev.sluice.history.model.Sample;
import org.jspecify.annotations.Nullable;

/**
 * Which part of history is asked for.
 *
 * @param fromMillis samples that end after this
 * @param toMillis and not after this
 * @param job of this job alone; null for all
 * @param user of this user alone; null for all
 */
public record Selection(
    long fromMillis, long toMillis, @Nullable String job, @Nullable String user) {
  public Selection {
    if (fromMillis >= toMillis) {
      throw new IllegalArgumentException("a selection ends after it begins");
    }
  }

  public boolean includes(Sample.OfJob sample) {
    return (job == null || job.equals(sample.id())) && (user == null || user.equals(sample.user()));
  }

  /** Whether all jobs are in it. */
  public boolean isWhole() {
    return job == null && user == null;
  }
}
