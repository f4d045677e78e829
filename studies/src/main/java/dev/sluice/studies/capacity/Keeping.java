package dev.sluice.studies.capacity;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.DemandMeter;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.PolicyControl;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.guarantee.Goal;
import dev.sluice.core.policy.guarantee.GoalKeeping;
import dev.sluice.core.policy.guarantee.GoalLook;
import dev.sluice.core.policy.guarantee.GoalMeter;
import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.core.schedule.JobOwner;
import dev.sluice.core.schedule.RequestScheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what was promised on one target in virtual time, as a gateway does: a policy decides ten
 * times a second, with what is reserved by then. A job's user has the job's name.
 */
final class Keeping {
  static final long PERIOD_NANOS = GoalKeeping.LOOK_NANOS;

  private final PolicyFactory factory;
  private final Trial.Promised promised;
  private final Promises promises;
  private final RequestScheduler scheduler;
  private final Map<JobId, OfJob> jobs = new TreeMap<>();
  private final GoalKeeping goals;
  private @Nullable PolicyControl<?> policy;
  private long period;
  private long deliveredTokens;

  private static final class OfJob {
    final DemandMeter demand = new DemandMeter();
    final ArrayDeque<Trial.Ask> waiting = new ArrayDeque<>();
    final @Nullable GoalMeter goal;

    OfJob(@Nullable Goal goal) {
      this.goal = goal == null ? null : new GoalMeter(goal);
    }
  }

  Keeping(PolicyFactory factory, Trial.Promised promised, RequestScheduler scheduler) {
    this.factory = factory;
    this.promised = promised;
    this.promises = promised.promises();
    this.scheduler = scheduler;
    this.goals = new GoalKeeping(promises.goals(), 0);
  }

  private static JobOwner owner(JobId job) {
    return new JobOwner("", job.toString(), "");
  }

  private OfJob of(Trial.Ask ask) {
    return jobs.computeIfAbsent(
        ask.flow().job(), job -> new OfJob(promises.goals().of(job, owner(job))));
  }

  private static long price(Trial.Ask ask) {
    return Trial.UNIT.price(1, ask.bytes());
  }

  void arrived(Trial.Ask ask) {
    ask.period = period;
    of(ask).demand.arrived(price(ask));
    of(ask).waiting.addLast(ask);
  }

  void dispatched(Trial.Ask ask) {
    of(ask).demand.dispatched(price(ask), ask.period == period);
    of(ask).waiting.removeFirst();
  }

  void completed(Trial.Ask ask, long nowNanos) {
    long tookNanos = nowNanos - ask.arrivedNanos;
    OfJob job = of(ask);
    job.demand.served(price(ask), tookNanos);
    if (job.goal != null) {
      job.goal.served(price(ask), tookNanos);
    }
    deliveredTokens += price(ask);
  }

  /**
   * Ends a period: to how many tokens a second the target is to be held.
   *
   * @param found whether its capacity is found out
   * @param known whether anybody knows that
   */
  long decide(Target target, boolean found, boolean known, long nowNanos) {
    List<JobDemand> seen = new ArrayList<>();
    GoalLook look = new GoalLook(promises.goals());
    for (Map.Entry<JobId, OfJob> entry : jobs.entrySet()) {
      OfJob job = entry.getValue();
      Trial.Ask oldest = job.waiting.peekFirst();
      long waitNanos = oldest == null ? 0 : nowNanos - oldest.arrivedNanos;
      long weight = entry.getKey().toString().equals("busy-1") ? promised.weightOfSecond() : 1;
      seen.add(job.demand.demand(entry.getKey(), weight, waitNanos));
      look.job(job.goal, oldest != null, waitNanos);
      job.demand.beginPeriod();
    }
    period++;
    reserve(target, seen, nowNanos);
    double capacity = known ? (double) target.tokensPerSecond() : Double.POSITIVE_INFINITY;
    long heldTo = goals.look(look, capacity, found, deliveredTokens, nowNanos);
    deliveredTokens = 0;
    return known && promised.heldPart() < 1 ? Math.round(promised.heldPart() * capacity) : heldTo;
  }

  private void reserve(Target target, List<JobDemand> seen, long nowNanos) {
    PolicyControl<?> decides = policy;
    if (decides == null) {
      decides =
          PolicyControl.of(
              factory.create(new Settings(factory.info(), Map.of())), Cluster.of(target));
      policy = decides;
    }
    List<JobDemand> reserved = promises.reserve(target, seen, Keeping::owner, PERIOD_NANOS);
    decides.decide(Observation.of(target, nowNanos, PERIOD_NANOS, reserved));
    scheduler.reconfigure(decides.shares(target.name()), nowNanos);
  }
}
