package dev.sluice.gateway.control;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a control loop and its targets are.
 *
 * @param settings what was set of the policy's parameters
 * @param overridden the jobs for which somebody set a weight or a limit
 */
public record ControlStatus(
    String policy,
    long periodNanos,
    Map<String, String> settings,
    boolean observesOnly,
    List<JobId> overridden,
    List<TargetStatus> targets) {

  /**
   * How a target is.
   *
   * @param trouble in words, when the policy does not decide as it should; else null
   * @param jobs those that were busy in the last second, the busiest first
   */
  public record TargetStatus(
      Target target,
      long decisions,
      @Nullable String trouble,
      QueueFigures queue,
      List<JobStatus> jobs) {}

  /** What was there at the last look. */
  public record QueueFigures(int queued, int inService) {}

  /**
   * How a job is on a target.
   *
   * @param allowedTokensPerSecond what the policy last gave it; infinite where it is not limited
   */
  public record JobStatus(JobFigures figures, long weight, double allowedTokensPerSecond) {}
}
