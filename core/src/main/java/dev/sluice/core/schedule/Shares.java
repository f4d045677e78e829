package dev.sluice.core.schedule;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Rate;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What each job may have of one target, as a policy decided it: a weight, and a number of tokens
 * per period or no limit. Kept in columns ordered by job id, because a decision over a hundred
 * thousand jobs is taken ten times a second.
 *
 * <p>A job that is not listed has no limit of its own and the weight 1.
 */
public final class Shares {
  /** The token column's word for a job without a limit. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  /** Nobody is listed. */
  public static final Shares NONE =
      new Shares(new JobId[0], new long[0], new long[0], null, 1, Turns.DEFAULT);

  private final JobId[] jobs;
  private final long[] tokens;
  private final long[] weights;

  /** Null where nobody has borrowed. */
  private final long @Nullable [] borrowed;

  private final long periodNanos;
  private final Turns turns;

  private Shares(
      JobId[] jobs,
      long[] tokens,
      long[] weights,
      long @Nullable [] borrowed,
      long periodNanos,
      Turns turns) {
    this.jobs = jobs;
    this.tokens = tokens;
    this.weights = weights;
    this.borrowed = borrowed;
    this.periodNanos = periodNanos;
    this.turns = turns;
  }

  /**
   * Shares over columns that the caller gives up: {@code jobs} in ascending order without
   * repetition, the tokens per period of each ({@link #UNLIMITED} for no limit), the weight of
   * each.
   */
  public static Shares ofColumns(JobId[] jobs, long[] tokens, long[] weights, long periodNanos) {
    if (jobs.length != tokens.length || jobs.length != weights.length) {
      throw new IllegalArgumentException("the columns differ in length");
    }
    for (int i = 0; i < jobs.length; i++) {
      if (i > 0 && jobs[i - 1].compareTo(jobs[i]) >= 0) {
        throw new IllegalArgumentException(
            "jobs must ascend without repetition: " + jobs[i - 1] + ", " + jobs[i]);
      }
      if (tokens[i] < 0) {
        throw new IllegalArgumentException("job " + jobs[i] + " has " + tokens[i] + " tokens");
      }
      if (weights[i] < 1) {
        throw new IllegalArgumentException("job " + jobs[i] + " has the weight " + weights[i]);
      }
    }
    return new Shares(jobs, tokens, weights, null, periodNanos, Turns.DEFAULT);
  }

  /**
   * The same, with how many of each job's tokens are borrowed from other targets, in a column that
   * the caller gives up.
   */
  public Shares withBorrowed(long[] tokensBorrowed) {
    if (tokensBorrowed.length != jobs.length) {
      throw new IllegalArgumentException("the columns differ in length");
    }
    for (int i = 0; i < jobs.length; i++) {
      if (tokensBorrowed[i] < 0 || tokensBorrowed[i] > tokens[i]) {
        throw new IllegalArgumentException(
            "job " + jobs[i] + " borrowed " + tokensBorrowed[i] + " of its " + tokens[i]);
      }
    }
    return new Shares(jobs, tokens, weights, tokensBorrowed, periodNanos, turns);
  }

  /** The same, for schedulers that serve one job at a time: whose turn it is. */
  public Shares withTurns(Turns rule) {
    return new Shares(jobs, tokens, weights, borrowed, periodNanos, rule);
  }

  public int size() {
    return jobs.length;
  }

  public JobId job(int index) {
    return jobs[index];
  }

  /** Tokens per period of the job at this index, or {@link #UNLIMITED}. */
  public long tokens(int index) {
    return tokens[index];
  }

  public long weight(int index) {
    return weights[index];
  }

  /** How many of its tokens per period the job at this index has borrowed from other targets. */
  public long borrowed(int index) {
    return borrowed == null ? 0 : borrowed[index];
  }

  /** Whose turn it is among jobs that are served one at a time. */
  public Turns turns() {
    return turns;
  }

  public long periodNanos() {
    return periodNanos;
  }

  public Rate rate(int index) {
    return tokens[index] == UNLIMITED ? Rate.UNLIMITED : Rate.of(tokens[index], periodNanos);
  }

  /** Where the job is listed; negative when it is not. */
  public int indexOf(JobId job) {
    return Arrays.binarySearch(jobs, job);
  }
}
