package dev.sluice.gateway.control;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.collect.TargetReport;
import dev.sluice.core.policy.cycle.ControlCycle;
import dev.sluice.gateway.target.ControlledTarget;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Targets that are asked, each on a thread that it may hold up, what they saw. Not thread-safe, but
 * for the reports, which come from those threads.
 */
final class ReportingTargets {
  private final List<ControlledTarget> targets;
  private final DecisionSetting setting;
  private final ControlCycle<?> cycle;

  /** Who was asked and has not answered: not asked again, or a stuck one would gather threads. */
  private final Set<String> asked = ConcurrentHashMap.newKeySet();

  /** What came and was not looked at; at most one of each target. */
  private final Queue<TargetReport> inbox = new ConcurrentLinkedQueue<>();

  ReportingTargets(List<ControlledTarget> targets, ControlCycle<?> cycle, DecisionSetting setting) {
    this.targets = List.copyOf(targets);
    this.cycle = cycle;
    this.setting = setting;
  }

  /** Asks all of them. */
  void ask(JobClaims claims, List<JobId> ended, long nowNanos) {
    takeIn();
    long round = cycle.ask(ended, nowNanos);
    for (ControlledTarget target : targets) {
      String name = target.target().name();
      if (asked.add(name)) {
        setting.decider().execute(() -> answer(target, name, round, claims, nowNanos));
      }
    }
  }

  private void answer(
      ControlledTarget target, String name, long round, JobClaims claims, long nowNanos) {
    try {
      List<JobDemand> seen = target.endPeriod(claims::weight, nowNanos);
      inbox.add(
          new TargetReport(target.target(), round, seen.stream().map(claims::described).toList()));
    } finally {
      asked.remove(name);
      setting.whenDecided().run();
    }
  }

  /** Tells the cycle what has come. */
  void takeIn() {
    for (TargetReport report = inbox.poll(); report != null; report = inbox.poll()) {
      cycle.report(report);
    }
  }
}
