package dev.sluice.lustre.control;

import dev.sluice.core.model.JobId;
import dev.sluice.lustre.stats.JobActivity;
import org.jspecify.annotations.Nullable;

/**
 * What a job did in a period, and what follows from it.
 *
 * @param user whose it is; empty where nobody knows
 * @param nodes its claim to a share
 * @param limit the name of the limit that holds for it, whatever was decided; null where none does
 * @param orderedPerSecond what a controller allows it here; infinite where it says nothing
 * @param activity what was counted that it was served
 * @param uncountedRpcs what it is taken to have been served besides
 * @param heldBack whether its rule held it back
 * @param wantedRpcs what it is taken to want in the next period
 * @param grantedRpcs what the policy gives it
 * @param rule the name of its rule, as it should be; null where it gets none
 * @param ratePerPartition the rate of that rule
 * @param partitions over how many partitions the rate was divided
 * @param leftAlone why it gets no rule; null where it gets one
 */
public record JobReport(
    JobId job,
    String user,
    long nodes,
    @Nullable String limit,
    double orderedPerSecond,
    JobActivity activity,
    long uncountedRpcs,
    boolean heldBack,
    long wantedRpcs,
    long grantedRpcs,
    @Nullable String rule,
    long ratePerPartition,
    int partitions,
    @Nullable String leftAlone) {
  /** Whether the policy gives it as much as it asks for. */
  public boolean isUnlimited() {
    return grantedRpcs == Long.MAX_VALUE;
  }

  /** What its rule lets pass on all its partitions; infinite where it has none. */
  public double allowedPerSecond() {
    return rule == null ? Double.POSITIVE_INFINITY : (double) ratePerPartition * partitions;
  }

  /** All that it was served. */
  public long servedRpcs() {
    return activity.rpcs() + uncountedRpcs;
  }
}
