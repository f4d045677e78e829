package dev.sluice.lustre.control;

import dev.sluice.core.model.JobId;
import dev.sluice.lustre.stats.JobActivity;
import org.jspecify.annotations.Nullable;

/**
 * What a job did in a period, and what follows from it.
 *
 * @param nodes its claim to a share
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
    long nodes,
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

  /** All that it was served. */
  public long servedRpcs() {
    return activity.rpcs() + uncountedRpcs;
  }
}
