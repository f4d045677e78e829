package dev.sluice.control.gateways;

import dev.sluice.core.model.Rate;
import dev.sluice.gateway.control.ServiceTotals;
import dev.sluice.gateway.target.TargetStatistics.JobStatistics;
import dev.sluice.history.sample.Totals;
import java.util.ArrayList;
import java.util.List;

/** A gateway's counters, as history takes them. */
public final class GatewayTotals {
  private GatewayTotals() {}

  public static Totals of(ServiceTotals seen, long nowMillis) {
    List<Totals.OfTarget> targets = new ArrayList<>(seen.targets().size());
    for (ServiceTotals.TargetTotals target : seen.targets()) {
      List<Totals.OfJob> jobs = new ArrayList<>(target.jobs().size());
      for (ServiceTotals.JobTotals job : target.jobs()) {
        JobStatistics served = job.served();
        jobs.add(
            new Totals.OfJob(
                served.job().toString(),
                served.user(),
                job.weight(),
                served.operations(),
                served.readBytes(),
                served.writtenBytes(),
                served.waitedSoFarNanos(),
                served.queued(),
                job.allowedTokensPerSecond()));
      }
      // The most that can be said is what a target is told to have of which nobody knows better.
      boolean known = target.target().tokensPerSecond() < Rate.TOKENS_PER_SECOND_MAX;
      targets.add(new Totals.OfTarget(target.target(), known, target.queued(), jobs));
    }
    return new Totals(seen.nowNanos(), nowMillis, seen.policy(), seen.observesOnly(), targets);
  }
}
