package dev.sluice.control.wire;

import dev.sluice.control.v1.PromisedTo;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.policy.guarantee.Goal;
import dev.sluice.core.policy.guarantee.Goals;
import dev.sluice.core.policy.guarantee.Guarantee;
import dev.sluice.core.policy.guarantee.Guarantees;
import dev.sluice.core.policy.guarantee.Promises;
import java.util.ArrayList;
import java.util.List;

/** Minimums and latencies that somebody was promised, as they are told to those who keep them. */
public final class PromiseMessages {
  private PromiseMessages() {}

  public static dev.sluice.control.v1.Promises write(Promises promises) {
    dev.sluice.control.v1.Promises.Builder written = dev.sluice.control.v1.Promises.newBuilder();
    for (Guarantee guarantee : promises.guarantees().all()) {
      written.addGuarantees(
          dev.sluice.control.v1.Guarantee.newBuilder()
              .setTo(to(guarantee.who()))
              .setName(guarantee.name())
              .setPerSecond(guarantee.perSecond())
              .setBytes(guarantee.counted() == Quantities.Counted.BYTES));
    }
    for (Goal goal : promises.goals().all()) {
      written.addGoals(
          dev.sluice.control.v1.Goal.newBuilder()
              .setTo(to(goal.who()))
              .setName(goal.name())
              .setLatencyNanos(goal.latencyNanos()));
    }
    return written.build();
  }

  public static Promises read(dev.sluice.control.v1.Promises written) throws RefusedException {
    try {
      List<Guarantee> guarantees = new ArrayList<>(written.getGuaranteesCount());
      for (dev.sluice.control.v1.Guarantee each : written.getGuaranteesList()) {
        guarantees.add(
            new Guarantee(
                who(each.getTo()),
                each.getName(),
                each.getPerSecond(),
                each.getBytes() ? Quantities.Counted.BYTES : Quantities.Counted.OPERATIONS));
      }
      List<Goal> goals = new ArrayList<>(written.getGoalsCount());
      for (dev.sluice.control.v1.Goal each : written.getGoalsList()) {
        goals.add(new Goal(who(each.getTo()), each.getName(), each.getLatencyNanos()));
      }
      return new Promises(new Guarantees(guarantees), new Goals(goals));
    } catch (IllegalArgumentException e) {
      throw RefusedException.badMessage(String.valueOf(e.getMessage()));
    }
  }

  private static PromisedTo to(Guarantee.Who who) {
    return switch (who) {
      case JOB -> PromisedTo.PROMISED_TO_JOB;
      case USER -> PromisedTo.PROMISED_TO_USER;
      case GROUP -> PromisedTo.PROMISED_TO_GROUP;
      case ACCOUNT -> PromisedTo.PROMISED_TO_ACCOUNT;
    };
  }

  private static Guarantee.Who who(PromisedTo to) {
    return switch (to) {
      case PROMISED_TO_JOB -> Guarantee.Who.JOB;
      case PROMISED_TO_USER -> Guarantee.Who.USER;
      case PROMISED_TO_GROUP -> Guarantee.Who.GROUP;
      case PROMISED_TO_ACCOUNT -> Guarantee.Who.ACCOUNT;
      default -> throw new IllegalArgumentException("a promise to " + to);
    };
  }
}
