package dev.sluice.core.policy.sojourn;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.policy.PerJob;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.ShareTree;
import java.util.List;
import java.util.Set;

/** Registers {@link Sojourn}. */
public final class SojournFactory implements PolicyFactory {
  static final String NAME = "sojourn";

  private static final String PHASES = "phases";
  private static final String ERROR = "error";
  private static final String WEIGHTS = "weights";
  private static final String RATES = "rates";

  @Override
  public PolicyInfo info() {
    return new PolicyInfo(
        NAME,
        "phases of I/O one after another, by the dates of fair sharing",
        "ours; after Friedman and Henderson, Fairness and Efficiency in Web Server Protocols"
            + " (SIGMETRICS 2003), and Dell'Amico, Carra and Michiardi, PSBS (IEEE TC 2016)",
        "Fair sharing is a good promise and a bad schedule. A virtual schedule shares the target by"
            + " nodes and so gives every phase of I/O a date; really phases are served one after"
            + " another, so that each is done by its date, no job is stretched more than it must"
            + " be, and the short ones go first where that harms nobody. How large a phase is"
            + " follows from the job's last ones. Where that is not known, jobs share by weight."
            + " What is reserved for a job comes first."
            + " Nobody is limited, and no target talks to another.",
        PolicyInfo.Scope.EACH_TARGET_ALONE,
        1_000_000_000L,
        SchedulerKind.SOJOURN,
        Set.of(PolicyInfo.Need.NODES, PolicyInfo.Need.CAPACITY),
        List.of(
            new PolicyInfo.Parameter(
                PHASES,
                "",
                "how large a job's phases are, before what is seen of them: fast=128 MiB,"
                    + " slow-*=2560 MiB; operations where the target counts these"),
            new PolicyInfo.Parameter(
                WEIGHTS,
                "",
                "what a job weighs, before what it has in nodes: climate=40, test-*=1"),
            new PolicyInfo.Parameter(
                RATES,
                "",
                "what a job is to have on all its targets together: climate=2 GB/s, test-*=50 MB/s;"
                    + " as much of it is reserved on each as it wants there"),
            new PolicyInfo.Parameter(
                ERROR,
                "0",
                "for comparison: by which part what phases says is falsified, up or down")));
  }

  @Override
  public Policy<?> create(Settings settings) {
    return new Sojourn(
        PerJob.parse(
            PHASES,
            settings.text(PHASES),
            "expected job=size, such as fast=128 MiB, slow-*=2560 MiB",
            Quantities::parseBytes),
        PerJob.parse(
            WEIGHTS,
            settings.text(WEIGHTS),
            "expected job=weight, such as climate=40, test-*=1",
            SojournFactory::weight),
        PerJob.parse(
            RATES,
            settings.text(RATES),
            "expected job=rate, such as climate=2 GB/s, test-*=50 MB/s",
            Quantities::parseRate),
        settings.number(ERROR, 0, 0.9));
  }

  private static long weight(String text) {
    long weight;
    try {
      weight = Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "expected a whole number from 1 to " + ShareTree.WEIGHT_MAX, e);
    }
    if (weight < 1 || weight > ShareTree.WEIGHT_MAX) {
      throw new IllegalArgumentException(
          "expected a whole number from 1 to " + ShareTree.WEIGHT_MAX);
    }
    return weight;
  }
}
