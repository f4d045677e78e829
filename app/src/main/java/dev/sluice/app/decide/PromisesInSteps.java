package dev.sluice.app.decide;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.guarantee.Goal;
import dev.sluice.core.policy.guarantee.GoalKeeping;
import dev.sluice.core.policy.guarantee.GoalLook;
import dev.sluice.core.policy.guarantee.GoalMeter;
import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.core.policy.guarantee.WithGoals;
import dev.sluice.core.schedule.JobOwner;
import java.util.function.Function;

/** What was promised, and how it is kept step by step, on the only target there is. */
final class PromisesInSteps {
  /** Requests of a step, of which 99 of 100 took what the document says. */
  private static final int REQUESTS = 100;

  private final Promises promises;
  private final GoalKeeping goals;

  PromisesInSteps(Promises promises) {
    this.promises = promises;
    this.goals = new GoalKeeping(promises.goals(), 0);
  }

  /** What was seen, with what promises reserve. */
  Observation reserved(Observation seen, Function<JobId, JobOwner> owners) {
    return promises.isEmpty()
        ? seen
        : Observation.of(
            seen.target(),
            seen.nowNanos(),
            seen.periodNanos(),
            promises.reserve(seen.target(), seen.jobs(), owners, seen.periodNanos()),
            seen.ended());
  }

  /** A decision with what is done for goals from then on. */
  Explanation kept(Explanation decision, Observation seen, Function<JobId, JobOwner> owners) {
    if (promises.goals().isEmpty()) {
      return decision;
    }
    Target target = seen.target();
    GoalLook look = new GoalLook(promises.goals());
    double wanted = 0;
    for (JobDemand job : seen.jobs()) {
      wanted += job.wantedTokens();
      Goal goal = promises.goals().of(job.job(), owners.apply(job.job()));
      look.job(goal == null ? null : meter(goal, job), job.wantedTokens() > 0, 0);
    }
    double capacity = (double) target.tokensPerSecond();
    double most = capacity * seen.periodNanos() / Rate.NANOS_PER_SECOND;
    goals.look(look, capacity, false, (long) Math.min(wanted, most), seen.nowNanos());
    return WithGoals.of(
        decision, goals.stepBacks(), job -> promises.goals().of(job, owners.apply(job)));
  }

  private static GoalMeter meter(Goal goal, JobDemand job) {
    GoalMeter meter = new GoalMeter(goal);
    long latencyNanos = job.service().latencyNanos();
    if (latencyNanos >= 0) {
      for (int i = 0; i < REQUESTS; i++) {
        meter.served(job.wantedTokens() / REQUESTS, latencyNanos);
      }
    }
    return meter;
  }
}
