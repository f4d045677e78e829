package dev.sluice.control.gateways;

import dev.sluice.control.lies.Habit;
import dev.sluice.control.lies.Lies;
import dev.sluice.control.v1.Hello;
import dev.sluice.control.v1.JobActivity;
import dev.sluice.control.v1.JobDemand;
import dev.sluice.control.v1.Rhythm;
import dev.sluice.control.v1.TargetActivity;
import dev.sluice.control.v1.TargetDemand;
import dev.sluice.control.v1.TargetsReport;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/** It has a valid key, and nothing that it says is so. */
final class LyingGate extends Gate {
  private final RandomGenerator random;
  private final Lies lies;
  private final boolean silent;
  private final Map<String, Habit> wants = new LinkedHashMap<>();
  private final Habit serves;
  private int shown;

  /** In which periods it was let in, with how many of its disks. */
  final Map<Integer, Integer> cameIn = new LinkedHashMap<>();

  /** What it was heard to say, by period. */
  final Map<Integer, TargetsReport> heard = new LinkedHashMap<>();

  /** When it was sent away. */
  final Set<Integer> ended = new HashSet<>();

  LyingGate(String name, List<String> disks, List<String> jobs, RandomGenerator random) {
    super(name, disks, jobs, Pauses.NONE);
    this.random = random;
    this.lies = new Lies(random);
    this.silent = random.nextInt(4) == 0;
    this.serves = Habit.any(random);
    for (int disk = 0; disk < disks.size(); disk++) {
      for (String job : jobs) {
        wants.put(disk + job, Habit.any(random));
      }
    }
  }

  @Override
  boolean isToCall(boolean isConnected, int period) {
    return !isConnected || lies.isReckless();
  }

  @Override
  Hello hello(int period) {
    Hello.Builder hello = super.hello(period).toBuilder();
    hello
        .getTargetsBuilderList()
        .forEach(disk -> disk.setCapacityPerSecond(1 + lies.upTo(1L << 40)));
    while (hello.getTargetsCount() > 1 && random.nextInt(3) == 0) {
      hello.removeTargets(hello.getTargetsCount() - 1);
    }
    return hello.build();
  }

  @Override
  void cameIn(Hello as, int period) {
    shown = as.getTargetsCount();
    cameIn.put(period, shown);
  }

  @Override
  void wasHeard(TargetsReport report, int period) {
    heard.put(period, report);
  }

  @Override
  void wasSentAway(int period) {
    ended.add(period);
  }

  @Override
  boolean reports(int period) {
    return !silent || random.nextInt(4) == 0;
  }

  @Override
  TargetsReport report(int period) {
    TargetsReport.Builder report =
        TargetsReport.newBuilder()
            .setSequence(++sequence + (lies.isReckless() ? 1 : 0))
            .setRound(orders.getRound() + (lies.isReckless() ? lies.upTo(7) : 0));
    for (int i = 0; i < shown - (lies.isReckless() ? 1 : 0); i++) {
      TargetDemand.Builder target =
          TargetDemand.newBuilder()
              .setTarget(lies.isReckless() ? random.nextInt() : i)
              .setCapacityPerSecond(lies.upTo(1L << 40));
      // A job that is claimed is one of its jobs; what waits may be anything, nothing too.
      for (String job : jobs) {
        target.addJobs(demand(i, job, period));
        if (lies.isReckless()) {
          target.addJobs(demand(i, job, period));
        }
      }
      target.setActivity(
          TargetActivity.newBuilder()
              .setSpanMicros(lies.upTo(1L << 40))
              .setQueued(random.nextInt())
              .addJobs(
                  JobActivity.newBuilder()
                      .setJob("job1")
                      .setUser("nobody")
                      .setReadBytes(lies.upTo(1L << 61))));
      if (random.nextInt(10) != 0) {
        target.clearActivity();
      }
      report.addTargets(target);
    }
    return report.build();
  }

  @Override
  JobDemand.Builder demand(int disk, String job, int period) {
    Habit wanted = wants.getOrDefault(disk + job, Habit.ANYTHING);
    JobDemand.Builder told =
        JobDemand.newBuilder()
            .setJob(job)
            .setNodes(1 + lies.upTo(lies.isReckless() ? -2 >>> 1 : 9_999_999))
            .setWeight(1 + lies.upTo(999_999))
            .setProcesses(1 + lies.upTo(9_999_999))
            .setArrivedTokens(wanted.lie(1L << 49, random))
            .setBacklogTokens(wanted.lie(1L << 49, random))
            .setReservedPerSecond(lies.upTo(1L << 40))
            .setServedTokens(serves.lie(1L << 50, random))
            .setOldestWaitNanos(lies.upTo(1L << 60))
            .setLatencyNanos(lies.upTo(1L << 60))
            .setPhaseTokens(lies.upTo(1L << 50))
            .setPhaseRestTokens(lies.upTo(1L << 50))
            .setApplication(random.nextBoolean() ? "" : "job" + random.nextInt(5));
    switch (random.nextInt(4)) {
      case 0 ->
          told.setEvery(Rhythm.newBuilder().setNanos(1 + lies.upTo(1L << 50)).setConfidence(1));
      case 1 -> told.setAtLeastNanos(1 + lies.upTo(1L << 50));
      case 2 -> told.setPriority(1.0 + random.nextInt(1_000));
      default -> {}
    }
    return told;
  }
}
