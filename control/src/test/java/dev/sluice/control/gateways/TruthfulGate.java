package dev.sluice.control.gateways;

import dev.sluice.control.v1.Hello;
import dev.sluice.control.v1.JobDemand;
import dev.sluice.control.v1.TargetDemand;
import dev.sluice.control.v1.TargetsReport;
import java.util.Objects;

/**
 * An honest gateway for which what a liar was heard to say would be so, as far as anything can be:
 * it is there and away when the liar was, its jobs want what the liar said, and no more than all
 * they can have, and are served what the liar said, and no more than a disk can.
 */
final class TruthfulGate extends Gate {
  private final LyingGate liar;
  private long heardNanos;

  TruthfulGate(LyingGate liar) {
    super(liar.name, liar.disks, liar.jobs, Pauses.NONE);
    this.liar = liar;
  }

  @Override
  boolean isToCall(boolean isConnected, int period) {
    return liar.cameIn.containsKey(period);
  }

  @Override
  Hello hello(int period) {
    Hello.Builder hello = super.hello(period).toBuilder();
    while (hello.getTargetsCount() > liar.cameIn.getOrDefault(period, 0)) {
      hello.removeTargets(hello.getTargetsCount() - 1);
    }
    return hello.build();
  }

  @Override
  void cameIn(Hello as, int period) {
    heardNanos = nowNanos;
  }

  @Override
  boolean reports(int period) {
    return liar.heard.containsKey(period);
  }

  @Override
  boolean hangsUp(int period) {
    return liar.ended.contains(period);
  }

  @Override
  TargetsReport report(int period) {
    TargetsReport said = Objects.requireNonNull(liar.heard.get(period));
    double servable = CAPACITY * ((nowNanos - heardNanos) / 1e9);
    heardNanos = nowNanos;
    TargetsReport.Builder report =
        TargetsReport.newBuilder().setSequence(++sequence).setRound(said.getRound());
    for (TargetDemand target : said.getTargetsList()) {
      TargetDemand.Builder told =
          TargetDemand.newBuilder().setTarget(target.getTarget()).setCapacityPerSecond(CAPACITY);
      double served = target.getJobsList().stream().mapToDouble(JobDemand::getServedTokens).sum();
      double servedPart = Math.min(1, servable / served);
      for (JobDemand job : target.getJobsList()) {
        told.addJobs(
            told(
                job.getJob(),
                Math.min(job.getArrivedTokens(), CAPACITY),
                Math.min(job.getBacklogTokens(), BACKLOG),
                served == 0 ? 0 : (long) (job.getServedTokens() * servedPart)));
      }
      report.addTargets(told);
    }
    return report.build();
  }
}
