package dev.sluice.gateway.control;

import dev.sluice.core.model.Target;
import dev.sluice.gateway.target.TargetStatistics.JobStatistics;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was served so far, and what holds: whoever looks twice knows exactly what happened in
 * between, however far apart the two looks are.
 *
 * @param nowNanos when, on the machine's own clock
 */
public record ServiceTotals(
    String policy,
    Map<String, String> settings,
    boolean observesOnly,
    long nowNanos,
    List<TargetTotals> targets) {

  /**
   * What a target served.
   *
   * @param trouble in words, when the policy does not decide as it should; else null
   * @param limitsLapsed whether nobody is limited because no decision came for too long
   * @param jobs every job that was here lately, in ascending order
   */
  public record TargetTotals(
      Target target,
      @Nullable String trouble,
      boolean limitsLapsed,
      int queued,
      int inService,
      List<JobTotals> jobs) {}

  /**
   * What a job was served.
   *
   * @param allowedTokensPerSecond what the policy last gave it; infinite where it is not limited
   */
  public record JobTotals(JobStatistics served, long weight, double allowedTokensPerSecond) {}
}
