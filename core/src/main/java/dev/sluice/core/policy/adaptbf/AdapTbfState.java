package dev.sluice.core.policy.adaptbf;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import java.util.Arrays;

/**
 * What AdapTBF remembers about one target. Immutable: the arrays are never written after the
 * constructor has them.
 *
 * <p>Jobs that were active in the last period stand in columns ordered by job id, so that the next
 * decision finds them by walking along; of all others only a record that is not zero is kept.
 */
public final class AdapTbfState {
  final Target target;

  /** Part of a token that the target could have served and nobody was given yet, in billionths. */
  final long carriedNanotokens;

  final JobId[] jobs;
  final long[] records;
  final long[] allocated;
  final double[] remainders;

  final Dormant dormant;

  /** Sum of the records of jobs that are forgotten; all records and this add up to zero. */
  final long writtenOffTokens;

  AdapTbfState(
      Target target,
      long carriedNanotokens,
      JobId[] jobs,
      long[] records,
      long[] allocated,
      double[] remainders,
      Dormant dormant,
      long writtenOffTokens) {
    this.target = target;
    this.carriedNanotokens = carriedNanotokens;
    this.jobs = jobs;
    this.records = records;
    this.allocated = allocated;
    this.remainders = remainders;
    this.dormant = dormant;
    this.writtenOffTokens = writtenOffTokens;
  }

  static AdapTbfState initial(Target target) {
    return new AdapTbfState(
        target, 0, new JobId[0], new long[0], new long[0], new double[0], Dormant.NONE, 0);
  }

  /** The same on a target that can serve another amount; on another one nobody is known. */
  AdapTbfState on(Target changed) {
    if (changed.equals(target)) {
      return this;
    }
    return changed.name().equals(target.name()) && changed.unit().equals(target.unit())
        ? new AdapTbfState(
            changed,
            carriedNanotokens,
            jobs,
            records,
            allocated,
            remainders,
            dormant,
            writtenOffTokens)
        : initial(changed);
  }

  /** The record of a job: positive when it has lent, negative when it has borrowed. */
  public long record(JobId job) {
    int active = Arrays.binarySearch(jobs, job);
    if (active >= 0) {
      return records[active];
    }
    return dormant.record(job);
  }

  /** What forgotten jobs had lent (positive) or borrowed (negative). */
  public long writtenOffTokens() {
    return writtenOffTokens;
  }

  /** The largest amount by which rounding has a job ahead of or behind its ideal, in tokens. */
  double remainderMax() {
    double largest = 0;
    for (double remainder : remainders) {
      largest = Math.max(largest, Math.abs(remainder));
    }
    return largest;
  }

  /** Re-adds all records; throws where they do not cancel out or a remainder ran away. */
  public void checkInvariants() {
    long sum = writtenOffTokens;
    for (long record : records) {
      sum += record;
    }
    for (long record : dormant.records) {
      sum += record;
    }
    if (sum != 0) {
      throw new IllegalStateException("the records add up to " + sum + " instead of 0");
    }
    for (int i = 0; i < jobs.length; i++) {
      if (allocated[i] < 0 || Math.abs(remainders[i]) >= 2) {
        throw new IllegalStateException(
            "job " + jobs[i] + ": " + allocated[i] + " tokens, remainder " + remainders[i]);
      }
    }
  }

  /** Idle jobs whose record is not zero, ordered by job id. */
  static final class Dormant {
    static final Dormant NONE = new Dormant(new JobId[0], new long[0], new long[0]);

    final JobId[] jobs;
    final long[] records;
    final long[] idleSinceNanos;

    /** Since when the one that has been idle longest is; the first to be forgotten. */
    final long oldestIdleSinceNanos;

    Dormant(JobId[] jobs, long[] records, long[] idleSinceNanos) {
      this.jobs = jobs;
      this.records = records;
      this.idleSinceNanos = idleSinceNanos;
      long oldest = Long.MAX_VALUE;
      for (long since : idleSinceNanos) {
        oldest = Math.min(oldest, since);
      }
      this.oldestIdleSinceNanos = oldest;
    }

    int indexOf(JobId job) {
      return Arrays.binarySearch(jobs, job);
    }

    long record(JobId job) {
      int index = indexOf(job);
      return index >= 0 ? records[index] : 0;
    }
  }
}
