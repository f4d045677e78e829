package dev.sluice.core.policy.iosets;

import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.schedule.MaxWait;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.Turns;
import java.util.List;
import java.util.Set;

/** Registers {@link IoSets}. */
public final class IoSetsFactory implements PolicyFactory {
  static final String NAME = "iosets";

  private static final String BASE = "base";
  private static final String MARGIN = "margin";
  private static final String CONFIDENCE = "confidence";
  private static final String PERIODS = "periods";
  private static final String ORDER = "order";
  private static final String MAX_WAIT = "max-wait";
  private static final String VARIANT = "variant";
  private static final String ERROR = "error";

  @Override
  public PolicyInfo info() {
    return new PolicyInfo(
        NAME,
        "jobs with similar periods take turns, and those with short periods come first",
        "Boito, Pallez, Teylo and Vidal, IO-Sets: Simple and Efficient Approaches for I/O Bandwidth"
            + " Management (IEEE TPDS 2023); Boito, Pallez and others, on BeeGFS",
        "Jobs whose I/O comes at periods of the same order of magnitude are a set. Within a set one"
            + " job is served at a time; sets share the target by priority, the higher the shorter"
            + " the period. Periods are found by watching the requests, or given. Nobody is"
            + " limited, and no target talks to another.",
        PolicyInfo.Scope.EACH_TARGET_ALONE,
        1_000_000_000L,
        SchedulerKind.IOSETS,
        Set.of(PolicyInfo.Need.CADENCE),
        List.of(
            new PolicyInfo.Parameter(
                BASE, "10", "the set of a period of w seconds is round(log w), to this base"),
            new PolicyInfo.Parameter(
                MARGIN,
                "0.05",
                "how far beyond its set's bounds, in parts of a set, a period must be for the job"
                    + " to leave"),
            new PolicyInfo.Parameter(
                CONFIDENCE, "0.5", "a period that is found with less confidence counts as unknown"),
            new PolicyInfo.Parameter(
                PERIODS,
                "",
                "periods that are known, before any that is found: fast=19.2 s, slow-*=384 s"),
            new PolicyInfo.Parameter(
                ORDER,
                "arrival",
                "whose turn it is in a set: arrival for who has waited for longest, or id as in the"
                    + " paper"),
            new PolicyInfo.Parameter(
                MAX_WAIT,
                "auto",
                "how long a job of a set may go unserved behind others of it: a duration; auto for"
                    + " twice a typical phase and at least 1 s; off as in the paper"),
            new PolicyInfo.Parameter(
                VARIANT,
                "full",
                "for comparison: equal for sets without priorities, alone for priorities without"
                    + " sets, one for a single set"),
            new PolicyInfo.Parameter(
                ERROR,
                "0",
                "for comparison: by which part every period that is found is falsified, up or"
                    + " down")));
  }

  @Override
  public Policy<?> create(Settings settings) {
    return new IoSets(
        new SetMapping(settings.number(BASE, 1.5, 1_000), settings.number(MARGIN, 0, 0.5)),
        settings.number(CONFIDENCE, 0, 1),
        settings.number(ERROR, 0, 0.9),
        KnownPeriods.parse(PERIODS, settings.text(PERIODS)),
        new Turns(settings.choice(ORDER, Turns.Order.class), maxWait(settings)),
        settings.choice(VARIANT, Variant.class));
  }

  private static MaxWait maxWait(Settings settings) {
    return switch (settings.text(MAX_WAIT)) {
      case "auto" -> MaxWait.AUTOMATIC;
      case "off" -> MaxWait.UNBOUNDED;
      default -> {
        long nanos = settings.durationNanos(MAX_WAIT);
        if (nanos < 1) {
          throw new IllegalArgumentException(MAX_WAIT + "=0 s: expected auto, off or a duration");
        }
        yield new MaxWait.Bounded(nanos);
      }
    };
  }
}
