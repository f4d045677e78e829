package dev.sluice.core.schedule;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Rate;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What each job may have of one target, as a policy decided it: a weight, a number of tokens per
 * period or no limit, how many of them are reserved for it, and whose turn it is. Kept in columns
 * ordered by job id, because a decision over a hundred thousand jobs is taken ten times a second.
 *
 * <p>Tokens are counted in parts, because a job's share of a period may be less than one token: of
 * a hundred tokens a second, 150 jobs have two thirds of one each.
 *
 * <p>A job that is not listed has no limit of its own and the weight 1.
 */
public final class Shares {
  /** The column's word for a job without a limit. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  /** Nobody is listed. */
  public static final Shares NONE =
      new Shares(new JobId[0], new long[0], new long[0], null, null, null, 1, 1, Turns.DEFAULT);

  /** So finely a target is divided where its tokens are few, in parts of all of it. */
  private static final double PARTS_OF_TARGET_MIN = 1e9;

  private final JobId[] jobs;

  /** By job, what it may have in a period, in parts of a token. */
  private final long[] limitParts;

  private final long[] weights;

  /** In the same parts; null where nothing is reserved for anybody. */
  private final long @Nullable [] reservedParts;

  /** In the same parts; null where nobody has borrowed. */
  private final long @Nullable [] borrowedParts;

  /** In tokens, 0 where nobody knows; null where nobody said anything of any job's phases. */
  private final long @Nullable [] phaseTokens;

  private final long partsPerToken;
  private final long periodNanos;
  private final Turns turns;

  private Shares(
      JobId[] jobs,
      long[] limitParts,
      long[] weights,
      long @Nullable [] reservedParts,
      long @Nullable [] borrowedParts,
      long @Nullable [] phaseTokens,
      long partsPerToken,
      long periodNanos,
      Turns turns) {
    this.jobs = jobs;
    this.limitParts = limitParts;
    this.weights = weights;
    this.reservedParts = reservedParts;
    this.borrowedParts = borrowedParts;
    this.phaseTokens = phaseTokens;
    this.partsPerToken = partsPerToken;
    this.periodNanos = periodNanos;
    this.turns = turns;
  }

  /**
   * Shares over columns that the caller gives up: {@code jobs} in ascending order without
   * repetition, the tokens per period of each ({@link #UNLIMITED} for no limit), the weight of
   * each.
   */
  public static Shares ofColumns(JobId[] jobs, long[] tokens, long[] weights, long periodNanos) {
    return ofParts(jobs, tokens, weights, 1, periodNanos);
  }

  /** The same with limits in parts of a token. */
  public static Shares ofParts(
      JobId[] jobs, long[] limitParts, long[] weights, long partsPerToken, long periodNanos) {
    if (jobs.length != limitParts.length || jobs.length != weights.length) {
      throw new IllegalArgumentException("the columns differ in length");
    }
    if (partsPerToken < 1 || partsPerToken > Rate.PERIOD_NANOS_MAX / periodNanos) {
      throw new IllegalArgumentException(
          partsPerToken + " parts of a token and a period of " + periodNanos + " ns");
    }
    double limitPartsMax = partsMax(partsPerToken, periodNanos);
    for (int i = 0; i < jobs.length; i++) {
      if (i > 0 && jobs[i - 1].compareTo(jobs[i]) >= 0) {
        throw new IllegalArgumentException(
            "jobs must ascend without repetition: " + jobs[i - 1] + ", " + jobs[i]);
      }
      if (limitParts[i] < 0) {
        throw new IllegalArgumentException("job " + jobs[i] + " has " + limitParts[i] + " tokens");
      }
      if (limitParts[i] != UNLIMITED && limitParts[i] > limitPartsMax) {
        throw new IllegalArgumentException(
            "job "
                + jobs[i]
                + " may have more than "
                + Rate.TOKENS_PER_SECOND_MAX
                + " tokens/s: "
                + limitParts[i]
                + " in "
                + periodNanos
                + " ns");
      }
      if (weights[i] < 1) {
        throw new IllegalArgumentException("job " + jobs[i] + " has the weight " + weights[i]);
      }
    }
    return new Shares(
        jobs, limitParts, weights, null, null, null, partsPerToken, periodNanos, Turns.DEFAULT);
  }

  /** What no scheduler could carry out is not decided in the first place. */
  private static double partsMax(long partsPerToken, long periodNanos) {
    return (double) Rate.TOKENS_PER_SECOND_MAX
        * periodNanos
        / Rate.NANOS_PER_SECOND
        * partsPerToken;
  }

  /**
   * Shares from real numbers of tokens.
   *
   * <p>Theorem. The limits add up to at most {@code budgetTokens}. Each is at most what was given,
   * and where these fit the budget, less than {@code n / 10^9} of the budget in all is lost to
   * rounding among {@code n} jobs.
   *
   * @param tokens what each job may have in a period; the caller gives it up
   * @param budgetTokens what all of them may have together
   */
  public static Shares dividing(
      double budgetTokens, JobId[] jobs, double[] tokens, long[] weights, long periodNanos) {
    long partsPerToken = partsPerToken(budgetTokens, periodNanos);
    long left = (long) (budgetTokens * partsPerToken);
    long[] parts = new long[tokens.length];
    for (int i = 0; i < tokens.length; i++) {
      // The last ones pay where the rounding of doubles has made the sum a little too large.
      parts[i] = Math.min(left, (long) (tokens[i] * partsPerToken));
      left -= parts[i];
    }
    return ofParts(jobs, parts, weights, partsPerToken, periodNanos);
  }

  /** Into how many parts a token is cut where so many of them are divided in a period. */
  public static long partsPerToken(double budgetTokens, long periodNanos) {
    long parts = 1;
    while (budgetTokens * parts < PARTS_OF_TARGET_MIN
        && parts <= Rate.PERIOD_NANOS_MAX / 10 / periodNanos) {
      parts *= 10;
    }
    return parts;
  }

  /**
   * The same, with how many of each job's tokens are reserved for it: what it gets before others
   * get more than that of theirs. In a column of parts that the caller gives up.
   */
  public Shares withReserves(long[] reserved) {
    if (reserved.length != jobs.length) {
      throw new IllegalArgumentException("the columns differ in length");
    }
    double reservedMax = partsMax(partsPerToken, periodNanos);
    for (int i = 0; i < jobs.length; i++) {
      if (reserved[i] < 0 || reserved[i] > limitParts[i] || reserved[i] > reservedMax) {
        throw new IllegalArgumentException(
            "for job "
                + jobs[i]
                + " "
                + reserved[i]
                + " parts are reserved of its "
                + limitParts[i]);
      }
    }
    return new Shares(
        jobs,
        limitParts,
        weights,
        reserved,
        borrowedParts,
        phaseTokens,
        partsPerToken,
        periodNanos,
        turns);
  }

  /**
   * The same, with how many of each job's tokens are borrowed from other targets, in a column of
   * parts that the caller gives up.
   */
  public Shares withBorrowed(long[] borrowed) {
    if (borrowed.length != jobs.length) {
      throw new IllegalArgumentException("the columns differ in length");
    }
    for (int i = 0; i < jobs.length; i++) {
      if (borrowed[i] < 0 || borrowed[i] > limitParts[i]) {
        throw new IllegalArgumentException(
            "job " + jobs[i] + " borrowed " + borrowed[i] + " parts of its " + limitParts[i]);
      }
    }
    return new Shares(
        jobs,
        limitParts,
        weights,
        reservedParts,
        borrowed,
        phaseTokens,
        partsPerToken,
        periodNanos,
        turns);
  }

  /**
   * The same, with how many tokens a phase of I/O of each job comes to, as somebody told; 0 where
   * nobody did. In a column that the caller gives up.
   */
  public Shares withPhases(long[] tokens) {
    if (tokens.length != jobs.length) {
      throw new IllegalArgumentException("the columns differ in length");
    }
    for (int i = 0; i < jobs.length; i++) {
      if (tokens[i] < 0) {
        throw new IllegalArgumentException(
            "a phase of job " + jobs[i] + " has " + tokens[i] + " tokens");
      }
    }
    return new Shares(
        jobs,
        limitParts,
        weights,
        reservedParts,
        borrowedParts,
        tokens,
        partsPerToken,
        periodNanos,
        turns);
  }

  /** The same, for schedulers that serve one job at a time: whose turn it is. */
  public Shares withTurns(Turns rule) {
    return new Shares(
        jobs,
        limitParts,
        weights,
        reservedParts,
        borrowedParts,
        phaseTokens,
        partsPerToken,
        periodNanos,
        rule);
  }

  public int size() {
    return jobs.length;
  }

  public JobId job(int index) {
    return jobs[index];
  }

  /** Whether the job at this index may not have as much as it asks for. */
  public boolean isLimited(int index) {
    return limitParts[index] != UNLIMITED;
  }

  /** Tokens per period of the job at this index; infinitely many where it has no limit. */
  public double tokens(int index) {
    return isLimited(index) ? (double) limitParts[index] / partsPerToken : Double.POSITIVE_INFINITY;
  }

  /** Tokens a second of the job at this index; infinitely many where it has no limit. */
  public double tokensPerSecond(int index) {
    return tokens(index) * Rate.NANOS_PER_SECOND / periodNanos;
  }

  /** The same as {@link #tokens}, in parts of a token; or {@link #UNLIMITED}. */
  public long limitParts(int index) {
    return limitParts[index];
  }

  public long partsPerToken() {
    return partsPerToken;
  }

  public long weight(int index) {
    return weights[index];
  }

  /** How many tokens per period are reserved for the job at this index; 0 where none are. */
  public double reserved(int index) {
    return (double) reservedParts(index) / partsPerToken;
  }

  /** The same in parts of a token. */
  public long reservedParts(int index) {
    return reservedParts == null ? 0 : reservedParts[index];
  }

  /** How many of its tokens per period the job at this index has borrowed from other targets. */
  public double borrowed(int index) {
    return borrowedParts == null ? 0 : (double) borrowedParts[index] / partsPerToken;
  }

  /** The same in parts of a token. */
  public long borrowedParts(int index) {
    return borrowedParts == null ? 0 : borrowedParts[index];
  }

  /** How many tokens a phase of the job at this index comes to, as told; 0 where nobody did. */
  public long phaseTokens(int index) {
    return phaseTokens == null ? 0 : phaseTokens[index];
  }

  /** Whose turn it is among jobs that are served one at a time. */
  public Turns turns() {
    return turns;
  }

  public long periodNanos() {
    return periodNanos;
  }

  public Rate rate(int index) {
    return isLimited(index)
        ? new Rate(limitParts[index], periodNanos * partsPerToken)
        : Rate.UNLIMITED;
  }

  /** How fast tokens come in that are reserved for the job at this index. */
  public Rate reserveRate(int index) {
    return new Rate(reservedParts(index), periodNanos * partsPerToken);
  }

  /** Where the job is listed; negative when it is not. */
  public int indexOf(JobId job) {
    return Arrays.binarySearch(jobs, job);
  }

  /**
   * How many jobs have something else by the other shares, or are listed in only one of them. Both
   * are in ascending order, so one walk along both finds it.
   */
  public long differences(Shares other) {
    long count = 0;
    int here = 0;
    int there = 0;
    while (here < size() && there < other.size()) {
      int order = jobs[here].compareTo(other.jobs[there]);
      if (order == 0) {
        count += isSame(here, other, there) ? 0 : 1;
        here++;
        there++;
      } else {
        count++;
        if (order < 0) {
          here++;
        } else {
          there++;
        }
      }
    }
    return count + (size() - here) + (other.size() - there);
  }

  private boolean isSame(int index, Shares other, int at) {
    return rate(index).equals(other.rate(at))
        && weights[index] == other.weights[at]
        && reserveRate(index).equals(other.reserveRate(at))
        && borrowed(index) == other.borrowed(at)
        && phaseTokens(index) == other.phaseTokens(at)
        && turns.equals(other.turns);
  }
}
