package dev.sluice.control.gateways;

import dev.sluice.control.lies.OthersRates;
import dev.sluice.control.server.MemberLine;
import dev.sluice.control.v1.ControllerMessage;
import dev.sluice.control.v1.Hello;
import dev.sluice.control.v1.JobDemand;
import dev.sluice.control.v1.MemberKind;
import dev.sluice.control.v1.Target;
import dev.sluice.control.v1.TargetDemand;
import dev.sluice.control.v1.TargetShares;
import dev.sluice.control.v1.TargetsOrders;
import dev.sluice.control.v1.TargetsReport;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.core.model.JobId;
import dev.sluice.core.schedule.Shares;
import dev.sluice.store.keys.Mandate;
import dev.sluice.store.keys.TargetNames;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A gateway with some targets and the same jobs on all of them, as it really is. */
class Gate implements MemberLine {
  static final long PERIOD_NANOS = 1_000_000_000L;
  static final long CAPACITY = 1_000_000;

  /** What a job would have waiting that cannot have enough. */
  static final long BACKLOG = 100 * CAPACITY;

  final String name;
  final List<String> disks;
  final List<String> jobs;
  final Pauses pauses;
  final Map<Integer, Shares> shares = new LinkedHashMap<>();
  TargetsOrders orders = TargetsOrders.getDefaultInstance();
  boolean ordered;
  boolean hungUp;
  long sequence;
  long nowNanos;

  /** When jobs do no I/O: each for some of so many periods, one after the other. */
  record Pauses(int every, int lasting) {
    static final Pauses NONE = new Pauses(1, 0);

    boolean isBusy(String job, int period) {
      return Math.floorMod(period + 2 * job.hashCode(), every) >= lasting;
    }
  }

  Gate(String name, List<String> disks, List<String> jobs, Pauses pauses) {
    this.name = name;
    this.disks = disks;
    this.jobs = jobs;
    this.pauses = pauses;
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void send(ControllerMessage message) {
    orders = message.getTargets();
    ordered = true;
    for (TargetShares told : orders.getTargetsList()) {
      try {
        shares.put(told.getTarget(), TargetMessages.read(told));
      } catch (RefusedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Override
  public void refuse(RefusedException why) {
    hungUp = true;
  }

  Hello hello(int period) {
    sequence = 0;
    Hello.Builder hello =
        Hello.newBuilder().setMember(name).setHost("test").setKind(MemberKind.MEMBER_KIND_GATEWAY);
    for (String disk : disks) {
      hello.addTargets(
          Target.newBuilder().setName(disk).setCapacityPerSecond(CAPACITY).setBytes(true));
    }
    return hello.build();
  }

  Mandate mandate() {
    return Mandate.gatewayWith(
        TargetNames.parse(
            String.join(",", disks.stream().map(disk -> disk + "=" + CAPACITY).toList())));
  }

  /** Whether it calls now. */
  boolean isToCall(boolean isConnected, int period) {
    return !isConnected;
  }

  /** Whether it reports now. */
  boolean reports(int period) {
    return true;
  }

  TargetsReport report(int period) {
    TargetsReport.Builder report =
        TargetsReport.newBuilder().setSequence(++sequence).setRound(orders.getRound());
    for (int i = 0; i < disks.size(); i++) {
      TargetDemand.Builder target =
          TargetDemand.newBuilder().setTarget(i).setCapacityPerSecond(CAPACITY);
      for (String job : jobs) {
        target.addJobs(demand(i, job, period));
      }
      report.addTargets(target);
    }
    return report.build();
  }

  JobDemand.Builder demand(int disk, String job, int period) {
    return pauses.isBusy(job, period)
        ? told(job, CAPACITY, BACKLOG, (long) Math.min(CAPACITY, perSecond(disk, job)))
        : told(job, 0, 0, 0);
  }

  JobDemand.Builder told(String job, long arrived, long backlog, long served) {
    return JobDemand.newBuilder()
        .setJob(job)
        .setNodes(1)
        .setWeight(1)
        .setProcesses(1)
        .setArrivedTokens(arrived)
        .setBacklogTokens(backlog)
        .setServedTokens(served)
        .setOldestWaitNanos(PERIOD_NANOS)
        .setLatencyNanos(PERIOD_NANOS + 1);
  }

  /** Whether it hangs up now, instead of a report. */
  boolean hangsUp(int period) {
    return false;
  }

  /** It is let in. */
  void cameIn(Hello as, int period) {}

  /** What it said was refused, and its call is over. */
  void wasSentAway(int period) {}

  /** Its report was taken. */
  void wasHeard(TargetsReport report, int period) {}

  /** Notes down what each of its jobs may have in a period in which it is busy. */
  void addRates(OthersRates had, int period) {
    for (int disk = 0; disk < disks.size(); disk++) {
      for (String job : jobs) {
        if (pauses.isBusy(job, period)) {
          had.add(name + " " + disks.get(disk) + " " + job, perSecond(disk, job));
        }
      }
    }
  }

  /** What a job may have on a disk; what the disk can serve where it is not limited. */
  double perSecond(int disk, String job) {
    Shares told = shares.getOrDefault(disk, Shares.NONE);
    int at = told.indexOf(JobId.of(job));
    return at < 0 || !told.isLimited(at) ? CAPACITY : told.tokensPerSecond(at);
  }
}
