package dev.sluice.core.policy.adaptbf;

import dev.sluice.core.fair.WaterFilling;
import dev.sluice.core.fair.WholeTokens;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Allocation;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.StateCodec;
import dev.sluice.core.policy.Step;
import dev.sluice.core.schedule.Shares;
import java.util.List;
import java.util.Map;

/**
 * AdapTBF (Rashid and Dai): adaptive token borrowing on each storage target alone.
 *
 * <p>Every period the target's tokens are divided among the active jobs in three steps, each in
 * whole tokens that add up to all there are:
 *
 * <ol>
 *   <li>{@link Decision#byPriority}, equations 1 and 2: in proportion to compute nodes.
 *   <li>{@link Decision#redistribute}, equations 3 to 8: what a job will not use is lent to the
 *       others, more of it to those that used all they had.
 *   <li>{@link Decision#recompense}, equations 9 to 20: jobs that have lent get back from those
 *       that have borrowed, as far as the lenders now need it.
 * </ol>
 *
 * Equations 21 to 25, the carrying of remainders, are {@link WholeTokens}.
 *
 * <p>Where the paper is silent or cannot be meant as printed, this is decided (reasons in
 * docs/policies/adaptbf.md): demand is what arrived plus what still waits; a job without a previous
 * allocation is measured against this period's; borrowers keep at least one token and pay back at
 * most what they owe; lenders get at most what they lent; remainders accumulate; excess tokens are
 * taken from the smallest remainder; ties go by job id; the record of an idle job is kept until the
 * job ends or for a set time.
 */
public final class AdapTbf implements Policy<AdapTbfState> {
  private final long recordRetentionNanos;

  public AdapTbf(long recordRetentionNanos) {
    this.recordRetentionNanos = recordRetentionNanos;
  }

  @Override
  public AdapTbfState initialState(Cluster cluster) {
    return AdapTbfState.initial(cluster.only());
  }

  @Override
  public StateCodec<AdapTbfState> codec() {
    return AdapTbfCodec.INSTANCE;
  }

  /**
   * One decision.
   *
   * <p>Theorem. Over any history: after each of the three steps the allocations are whole, not
   * negative, and add up to {@code ⌊T·Δt + carried fraction⌋} if any job is active; the records of
   * all jobs and what was written off add up to zero; while all jobs are busy and inputs do not
   * change, each job's granted total stays within one token of its ideal.
   */
  @Override
  public Step<AdapTbfState> decide(AdapTbfState before, Observation seen) {
    AdapTbfState state = before.on(seen.target());
    Decision decision = new Decision(state, seen);
    decision.byPriority();
    decision.redistribute();
    decision.recompense();

    RecordKeeping kept = RecordKeeping.of(state, seen, decision, recordRetentionNanos);
    AdapTbfState next =
        new AdapTbfState(
            state.target,
            decision.carriedNanotokens,
            decision.jobs,
            decision.records,
            decision.allocated,
            decision.remainders,
            kept.dormant(),
            state.writtenOffTokens + kept.writtenOffTokens());
    Shares shares =
        Shares.ofColumns(decision.jobs, decision.allocated, decision.nodes, seen.periodNanos());
    return new Step<>(
        next,
        new Allocation(Map.of(state.target.name(), shares)),
        new AdapTbfExplanation(decision, seen.periodNanos(), next));
  }

  /** The working of one decision, in columns over the active jobs in ascending order of id. */
  static final class Decision {
    final JobId[] jobs;
    final long[] nodes;
    final long[] wanted;

    /** Last period's final allocation; zero where there was none. */
    final long[] previous;

    final long[] recordsBefore;
    final long[] priority;
    final long[] redistributed;
    final long[] allocated;
    final long[] records;
    final double[] remainders;

    /**
     * The whole tokens to hand out, and the real number that the jobs' ideals are computed from.
     */
    final long totalTokens;

    final double idealTokens;
    final long carriedNanotokens;

    /** Whether a job came back of which only the record was remembered. */
    final boolean returned;

    final long nodesSum;

    private final int count;
    private final double[] utilisation;
    private final double[] factors;
    private final double[] real;
    private final WholeTokens wholeTokens;

    Decision(AdapTbfState state, Observation seen) {
      List<JobDemand> demands = seen.jobs();
      int active = 0;
      for (int i = 0; i < demands.size(); i++) {
        if (demands.get(i).wantedTokens() > 0) {
          active++;
        }
      }
      count = active;
      jobs = new JobId[count];
      nodes = new long[count];
      wanted = new long[count];
      previous = new long[count];
      recordsBefore = new long[count];
      remainders = new double[count];
      priority = new long[count];
      redistributed = new long[count];
      allocated = new long[count];
      records = new long[count];
      utilisation = new double[count];
      factors = new double[count];
      real = new double[count];
      wholeTokens = new WholeTokens(count);

      long sum = 0;
      int at = 0;
      int known = 0;
      boolean anyReturned = false;
      for (int i = 0; i < demands.size(); i++) {
        JobDemand demand = demands.get(i);
        if (demand.wantedTokens() == 0) {
          continue;
        }
        JobId job = demand.job();
        jobs[at] = job;
        nodes[at] = demand.nodes();
        wanted[at] = demand.wantedTokens();
        sum += demand.nodes();
        int order = -1;
        while (known < state.jobs.length && (order = state.jobs[known].compareTo(job)) < 0) {
          known++;
        }
        if (order == 0) {
          previous[at] = state.allocated[known];
          remainders[at] = state.remainders[known];
          recordsBefore[at] = state.records[known];
        } else {
          recordsBefore[at] = state.dormant.record(job);
          anyReturned |= recordsBefore[at] != 0;
        }
        at++;
      }
      returned = anyReturned;
      nodesSum = sum;

      Budget budget = Budget.of(state.target, seen.periodNanos(), state.carriedNanotokens);
      idealTokens = budget.idealTokens();
      totalTokens = count == 0 ? 0 : budget.wholeTokens();
      // With nobody there to serve, what could have been served is gone and not saved up.
      carriedNanotokens = count == 0 ? state.carriedNanotokens : budget.carriedNanotokens();
    }

    private double share(int job) {
      return (double) nodes[job] / nodesSum;
    }

    /** Equations 1 and 2. */
    void byPriority() {
      for (int i = 0; i < count; i++) {
        real[i] = idealTokens * nodes[i] / nodesSum;
      }
      if (count > 0) {
        wholeTokens.round(count, real, remainders, null, totalTokens, priority);
      }
    }

    /**
     * Equations 3 to 8. Where nobody has more than it wants nothing moves, not even a token between
     * two remainders.
     */
    void redistribute() {
      long surplus = 0;
      double factorsSum = 0;
      for (int i = 0; i < count; i++) {
        surplus += surplus(i);
        long before = previous[i] > 0 ? previous[i] : priority[i];
        utilisation[i] = before > 0 ? (double) wanted[i] / before : wanted[i];
        double share = share(i);
        factors[i] = utilisation[i] > 1 ? utilisation[i] * (1 + share) : utilisation[i] * share;
        factorsSum += factors[i];
      }
      if (surplus == 0) {
        System.arraycopy(priority, 0, redistributed, 0, count);
        System.arraycopy(recordsBefore, 0, records, 0, count);
        return;
      }
      for (int i = 0; i < count; i++) {
        real[i] = priority[i] - surplus(i) + surplus * (factors[i] / factorsSum);
      }
      wholeTokens.round(count, real, remainders, null, totalTokens, redistributed);
      for (int i = 0; i < count; i++) {
        records[i] = recordsBefore[i] + priority[i] - redistributed[i];
      }
    }

    private long surplus(int job) {
      return Math.max(0, priority[job] - wanted[job]);
    }

    /** Equations 9 to 20. */
    void recompense() {
      System.arraycopy(redistributed, 0, allocated, 0, count);
      int lenders = 0;
      int borrowers = 0;
      double coefficient = 0;
      for (int i = 0; i < count; i++) {
        if (hasLent(i)) {
          lenders++;
          double future =
              redistributed[i] > 0
                  ? (double) wanted[i] / redistributed[i]
                  : Double.POSITIVE_INFINITY;
          coefficient += share(i) * (Math.max(1, utilisation[i]) + Math.max(0, 1 - future)) / 2;
        } else if (hasBorrowed(i)) {
          borrowers++;
        }
      }
      if (lenders > 0 && borrowers > 0) {
        settle(lenders, borrowers, coefficient);
      }
    }

    /** Positive before and after redistribution (equation 9). */
    private boolean hasLent(int job) {
      return recordsBefore[job] > 0 && records[job] > 0;
    }

    /** Negative before and after redistribution (equation 10). */
    private boolean hasBorrowed(int job) {
      return recordsBefore[job] < 0 && records[job] < 0;
    }

    /** Takes from the borrowers and gives to the lenders (equations 14 to 20). */
    private void settle(int lenders, int borrowers, double coefficient) {
      int[] lender = new int[lenders];
      int[] borrower = new int[borrowers];
      long[] owed = new long[lenders];
      long[] reclaimable = new long[borrowers];
      double[] weights = new double[lenders];
      long owedSum = 0;
      long reclaimableSum = 0;
      int l = 0;
      int b = 0;
      for (int i = 0; i < count; i++) {
        if (hasLent(i)) {
          lender[l] = i;
          owed[l] = records[i];
          owedSum += records[i];
          weights[l++] = factors[i];
        } else if (hasBorrowed(i)) {
          borrower[b] = i;
          reclaimable[b] = reclaimable(i, coefficient);
          reclaimableSum += reclaimable[b++];
        }
      }
      long moved = Math.min(reclaimableSum, owedSum);
      if (moved == 0) {
        return;
      }
      double[] parts = new double[Math.max(lenders, borrowers)];
      long[] whole = new long[parts.length];

      if (moved < reclaimableSum) {
        for (int k = 0; k < borrowers; k++) {
          parts[k] = (double) reclaimable[k] * moved / reclaimableSum;
        }
        wholeTokens.round(borrowers, parts, new double[borrowers], reclaimable, moved, whole);
        System.arraycopy(whole, 0, reclaimable, 0, borrowers);
      }
      for (int k = 0; k < borrowers; k++) {
        allocated[borrower[k]] -= reclaimable[k];
        records[borrower[k]] += reclaimable[k];
      }

      WaterFilling.divide(lenders, weights, owed, (double) moved, parts);
      double[] carried = new double[lenders];
      for (int k = 0; k < lenders; k++) {
        carried[k] = remainders[lender[k]];
      }
      wholeTokens.round(lenders, parts, carried, owed, moved, whole);
      for (int k = 0; k < lenders; k++) {
        allocated[lender[k]] += whole[k];
        records[lender[k]] -= whole[k];
        remainders[lender[k]] = carried[k];
      }
    }

    /** Equation 14, bounded so that nobody pays more than it owes or is left without a token. */
    private long reclaimable(int job, double coefficient) {
      long owes = Math.min(-recordsBefore[job], -records[job]);
      long affordable = Math.max(0, redistributed[job] - 1);
      return Math.min(Math.min(owes, affordable), (long) (coefficient * redistributed[job]));
    }
  }

  /**
   * The tokens of one period.
   *
   * @param idealTokens {@code T·Δt}
   * @param wholeTokens {@code ⌊T·Δt + carried⌋}
   * @param carriedNanotokens what is left of that, in billionths of a token
   */
  record Budget(double idealTokens, long wholeTokens, long carriedNanotokens) {
    static Budget of(Target target, long periodNanos, long carriedNanotokens) {
      long second = Rate.NANOS_PER_SECOND;
      long rate = target.tokensPerSecond();
      // T·Δt in billionths, split so that no product leaves 63 bits.
      long wholeSeconds = rate * (periodNanos / second);
      long part = periodNanos % second;
      long high = rate / second * part;
      long low = rate % second * part + carriedNanotokens;
      return new Budget(
          (double) rate * periodNanos / second, wholeSeconds + high + low / second, low % second);
    }
  }
}
