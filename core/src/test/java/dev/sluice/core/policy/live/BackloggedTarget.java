package dev.sluice.core.policy.live;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyControl;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.registry.Schedulers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A target that serves so many operations a second, one after the other, to jobs that always want
 * more, under a policy that decides once a period. In virtual time.
 */
final class BackloggedTarget {
  private final Target target;
  private final long periodNanos;

  /** What each job keeps waiting: more than it can get in a period. */
  private final long waiting;

  private final long serviceNanos;
  private final RequestScheduler scheduler;
  private final PolicyControl<?> control;
  private final JobId[] jobs;
  private final long[] nodes;
  private final Flow[] flows;

  /** Since the last decision. */
  private final long[] arrived;

  private final long[] served;
  private final long[] lastServedNanos;
  private final long[] longestWaitNanos;
  private @Nullable Work inService;
  private long inServiceUntilNanos;
  private long busyNanos;
  private long nowNanos;

  BackloggedTarget(PolicyFactory factory, long perSecond, long[] nodes, long periodNanos) {
    target = new Target("t", perSecond, TokenUnit.OPERATIONS);
    this.periodNanos = periodNanos;
    this.nodes = nodes;
    double perPeriod = (double) perSecond * periodNanos / Rate.NANOS_PER_SECOND;
    waiting = 4 + (long) (2 * perPeriod / nodes.length);
    serviceNanos = Rate.NANOS_PER_SECOND / perSecond;
    scheduler = Schedulers.create(factory.info().scheduler(), target);
    control = control(factory.create(new Settings(factory.info(), Map.of())), target);
    jobs = new JobId[nodes.length];
    flows = new Flow[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      jobs[i] = JobId.of(String.format("job%06d", i));
      flows[i] = Flow.of(jobs[i], target.name());
    }
    arrived = new long[nodes.length];
    served = new long[nodes.length];
    lastServedNanos = new long[nodes.length];
    longestWaitNanos = new long[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      for (int k = 0; k < waiting; k++) {
        send(i);
      }
    }
  }

  private static <S> PolicyControl<S> control(Policy<S> policy, Target target) {
    return PolicyControl.of(policy, Cluster.of(target));
  }

  private void send(int job) {
    arrived[job]++;
    scheduler.enqueue(new Work(flows[job], job), nowNanos);
  }

  private static final class Work extends Request {
    final int index;

    Work(Flow flow, int index) {
      super(flow, Operation.GETATTR, 1, 0);
      this.index = index;
    }
  }

  /** Serves and decides until then. */
  void run(long untilNanos) {
    while (nowNanos < untilNanos) {
      decide();
      serve(Math.min(nowNanos + periodNanos, untilNanos));
    }
    for (int i = 0; i < served.length; i++) {
      longestWaitNanos[i] = Math.max(longestWaitNanos[i], nowNanos - lastServedNanos[i]);
    }
  }

  private void decide() {
    List<JobDemand> seen = new ArrayList<>(jobs.length);
    for (int i = 0; i < jobs.length; i++) {
      seen.add(new JobDemand(jobs[i], nodes[i], arrived[i], Math.max(0, waiting - arrived[i])));
    }
    Arrays.fill(arrived, 0);
    control.decide(Observation.of(target, nowNanos, periodNanos, seen));
    scheduler.reconfigure(control.shares(target.name()), nowNanos);
  }

  private void serve(long untilNanos) {
    while (nowNanos < untilNanos) {
      Work current = inService;
      if (current != null) {
        nowNanos = Math.min(untilNanos, inServiceUntilNanos);
        if (nowNanos == inServiceUntilNanos) {
          inService = null;
          served(current);
        }
        continue;
      }
      switch (scheduler.next(nowNanos)) {
        case Request request -> {
          inService = (Work) request;
          inServiceUntilNanos = nowNanos + serviceNanos;
        }
        case Dispatch.NotBefore notBefore ->
            nowNanos = Math.min(untilNanos, Math.max(nowNanos + 1, notBefore.nanos()));
        case Dispatch.Empty _ -> nowNanos = untilNanos;
      }
    }
  }

  private void served(Work work) {
    busyNanos += serviceNanos;
    scheduler.complete(work, 1, 0, nowNanos);
    int job = work.index;
    served[job]++;
    longestWaitNanos[job] = Math.max(longestWaitNanos[job], nowNanos - lastServedNanos[job]);
    lastServedNanos[job] = nowNanos;
    send(job);
  }

  long served(int job) {
    return served[job];
  }

  long servedInAll() {
    return Arrays.stream(served).sum();
  }

  /** The longest that a job had to wait for the next of its requests to be served. */
  long longestWaitNanos(int job) {
    return longestWaitNanos[job];
  }

  /** Which part of the time it served somebody. */
  double utilisation() {
    return (double) busyNanos / nowNanos;
  }
}
