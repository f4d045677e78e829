package dev.sluice.gateway.control;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.cycle.ControlCycle;
import dev.sluice.core.policy.cycle.CycleSetting;
import dev.sluice.gateway.target.ControlledTarget;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a control cycle over the targets that a policy decides about together. A target
 * that is alone is asked directly, several are asked for reports. The policy runs on a thread of
 * its own, so that requests do not notice where it throws, loops or is slow.
 *
 * <p>Not thread-safe: one thread calls it, and only targets and the policy run on others.
 */
final class PolicyGroup {
  private final ControlCycle<?> cycle;
  private final List<ControlledTarget> targets;
  private final DecisionSetting setting;
  private final ReportingTargets reports;
  private @Nullable FutureTask<ControlCycle.Taken> pending;

  PolicyGroup(
      Policy<?> policy,
      List<ControlledTarget> targets,
      CycleSetting cycleSetting,
      DecisionSetting setting,
      long nowNanos) {
    this.targets = List.copyOf(targets);
    Cluster cluster = new Cluster(targets.stream().map(ControlledTarget::target).toList());
    this.cycle =
        new ControlCycle<>(
            setting.controls().control(policy, cluster), cluster, cycleSetting, nowNanos);
    this.setting = setting;
    this.reports = new ReportingTargets(targets, cycle, setting);
  }

  ControlCycle<?> cycle() {
    return cycle;
  }

  List<ControlledTarget> targets() {
    return targets;
  }

  /** Asks the targets what they saw; {@link #collect} has the policy decide when it is known. */
  void ask(JobClaims claims, List<JobId> ended, long nowNanos) {
    reports.ask(claims, ended, nowNanos);
  }

  /** Has the policy decide on what was seen on the targets just now. */
  void see(Map<Target, List<JobDemand>> seen, List<JobId> ended, long nowNanos) {
    start(cycle.see(seen, ended, nowNanos));
  }

  private void start(ControlCycle<?>.@Nullable Decision decision) {
    if (decision == null) {
      return;
    }
    FutureTask<ControlCycle.Taken> task =
        new FutureTask<>(decision::take) {
          @Override
          protected void done() {
            setting.whenDecided().run();
          }
        };
    pending = task;
    setting.decider().execute(task);
  }

  /**
   * Takes note of reports and of a decision that was reached, or of none.
   *
   * @return whether there is something new to put in force
   */
  boolean collect(long nowNanos) {
    reports.takeIn();
    start(cycle.next(nowNanos));
    boolean changed = false;
    if (pending != null && pending.isDone()) {
      changed = takeUp(pending, nowNanos);
      pending = null;
    }
    boolean lapsed = cycle.passTime(nowNanos);
    return changed || lapsed;
  }

  private boolean takeUp(FutureTask<ControlCycle.Taken> done, long nowNanos) {
    try {
      return cycle.takeUp(done.get(), nowNanos);
    } catch (ExecutionException e) {
      // What is not an exception of the policy's own: no memory, no class.
      cycle.giveUp("the policy failed: " + (e.getCause() == null ? e : e.getCause()));
    } catch (CancellationException e) {
      cycle.giveUp("the policy was stopped");
    } catch (InterruptedException e) {
      // Cannot be: the task is done, and nobody waits.
      Thread.currentThread().interrupt();
    }
    return false;
  }

  /** Decides nothing more. */
  void retire() {
    if (pending != null) {
      pending.cancel(true);
    }
  }
}
