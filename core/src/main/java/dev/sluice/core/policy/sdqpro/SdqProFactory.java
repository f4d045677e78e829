package dev.sluice.core.policy.sdqpro;

import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.schedule.SchedulerKind;
import java.util.List;
import java.util.Set;

/** Registers {@link SdqPro}. */
public final class SdqProFactory implements PolicyFactory {
  static final String NAME = "sdqpro";

  private static final String LINES = "lines";
  private static final String VIOLATION = "violation";
  private static final String DELAY = "delay";
  private static final String SEED = "seed";
  private static final long DELAY_NANOS_MIN = 1_000_000;

  @Override
  public PolicyInfo info() {
    return new PolicyInfo(
        NAME,
        "a bandwidth for each application over all targets, wherever its requests go",
        "Tavakoli and Chen, A Software-Defined QoS Provisioning Framework for HPC"
            + " Applications",
        "Each application has the tokens of the bandwidth it desires, spread evenly over the"
            + " targets. Where it requires more on one target than on others, it borrows its own"
            + " tokens from there. Among those with tokens the most urgent queue is served first."
            + " Policy lines give applications rates and say who may borrow.",
        PolicyInfo.Scope.ALL_TARGETS,
        100_000_000L,
        SchedulerKind.MLWDF,
        Set.of(PolicyInfo.Need.CAPACITY, PolicyInfo.Need.DEMAND),
        List.of(
            new PolicyInfo.Parameter(
                LINES,
                "",
                "policy lines: <app-1, rate=100 MB/s>; <app-2, borrow=FALSE>; <app-3, borrow=TRUE,"
                    + " thres=0.8>; * is everybody else"),
            new PolicyInfo.Parameter(
                VIOLATION, "0.01", "how often a request may wait for longer than the delay"),
            new PolicyInfo.Parameter(DELAY, "1 s", "how long a request should wait at most"),
            new PolicyInfo.Parameter(SEED, "1", "what the random choice of lenders follows from")));
  }

  @Override
  public Policy<?> create(Settings settings) {
    PolicyLines lines;
    try {
      lines = PolicyLines.parse(settings.text(LINES));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(LINES + ": " + e.getMessage(), e);
    }
    long delayNanos = settings.durationNanos(DELAY);
    if (delayNanos < DELAY_NANOS_MIN) {
      throw new IllegalArgumentException(
          DELAY + "=" + settings.text(DELAY) + ": expected a duration of at least 1 ms");
    }
    return new SdqPro(
        lines,
        settings.number(VIOLATION, 1e-9, 0.999),
        delayNanos / 1e9,
        settings.whole(SEED, Long.MIN_VALUE, Long.MAX_VALUE));
  }
}
