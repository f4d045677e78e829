package dev.sluice.core.policy.sojourn;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.policy.PerJob;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import java.util.List;
import java.util.Map;

/**
 * What can be set of {@code sojourn-all} where it divides a resource among stages.
 *
 * @param slack who would be done alone in this part of the time that it has, has time to spare
 * @param keep the part of its fair rate that who has time to spare keeps
 * @param phases how large phases are, as somebody told
 */
public record SojournSetting(double slack, double keep, PerJob<Long> phases) {
  private static final String SLACK = "slack";
  private static final String KEEP = "keep";
  private static final String PHASES = "phases";

  /** As it is called in a document. */
  public static final String NAME = SojournAllFactory.NAME;

  /**
   * Reads what somebody set; the rest has its defaults.
   *
   * @throws IllegalArgumentException if there is no such setting, or its value is bad
   */
  public static SojournSetting of(Map<String, String> given) {
    PolicyInfo onTargets = new SojournAllFactory().info();
    Settings settings =
        new Settings(
            new PolicyInfo(
                NAME,
                onTargets.summary(),
                onTargets.source(),
                onTargets.description(),
                onTargets.scope(),
                onTargets.periodNanos(),
                onTargets.scheduler(),
                onTargets.needs(),
                PARAMETERS),
            given);
    return new SojournSetting(
        settings.number(SLACK, 0, 1),
        settings.number(KEEP, 0.01, 1),
        PerJob.parse(
            PHASES,
            settings.text(PHASES),
            "expected job=size, such as climate=200 GB, test-*=50000",
            Quantities::parseBytes));
  }

  /** On one resource nobody's date is in danger where who has least time goes first: all may. */
  private static final List<PolicyInfo.Parameter> PARAMETERS =
      List.of(
          new PolicyInfo.Parameter(
              SLACK,
              "1",
              "who would be done alone in this part of the time that it has, has time to spare"),
          new PolicyInfo.Parameter(
              KEEP, "0.5", "the part of its fair rate that who has time to spare keeps"),
          new PolicyInfo.Parameter(
              PHASES,
              "",
              "how large a job's phases are, before what is seen of them: climate=200 GB,"
                  + " test-*=50000; operations where the resource counts these"));

  double phaseTokens(JobId job) {
    Long told = phases.of(job);
    return told == null ? 0 : (double) told;
  }
}
