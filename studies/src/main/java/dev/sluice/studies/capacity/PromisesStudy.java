package dev.sluice.studies.capacity;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.guarantee.Goal;
import dev.sluice.core.policy.guarantee.Goals;
import dev.sluice.core.policy.guarantee.Guarantee;
import dev.sluice.core.policy.guarantee.Guarantees;
import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.core.policy.guarantee.StepBack;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How well guarantees and goals are kept on storages in full use, in virtual time, second by
 * second. Equal seeds, equal tables.
 *
 * @param seed of all randomness
 * @param seconds how long each storage is watched
 * @param found whether what it can do is found out; else it is told
 * @param policy who keeps them; of those that keep any
 */
public record PromisesStudy(long seed, int seconds, boolean found, PolicyFactory policy) {
  private static final int LEARNT_SECONDS = CapacityStudy.LEARNT_SECONDS;

  /** From here on goals must be met: nobody steps back before the capacity is known well. */
  private static final int GOAL_SECONDS = 2 * LEARNT_SECONDS;

  /** What is guaranteed, as a part of what a storage can do, to a job of a tenth by weight. */
  private static final double GUARANTEED = 0.5;

  private static final long WEIGHT_OF_OTHER = 9;

  /**
   * A storage that delivered less in a second, or stood still for a part of it, could not. Of what
   * it can do so much may be promised.
   */
  private static final double COULD = 0.9;

  /** The goal is what a light job has while others are held to this part, and a little more. */
  private static final double HELD = 0.9;

  private static final double GOAL_SLACK = 1.3;

  /** The one thing a quantile over seconds is asked for. */
  private static final double QUANTILE = 0.99;

  /**
   * What came of one storage.
   *
   * @param couldSeconds in which the storage did what it can do
   * @param guaranteeMet the part of these in which the guarantee was met in full
   * @param guaranteeMean what the guarantee's job had on average, in parts of the guarantee
   * @param freeMillis within which a light job's requests are answered in 99 of 100 seconds
   * @param goalMillis its goal
   * @param goalMet the part of seconds in which it was met
   * @param goalCould the same while others are held to 80 % throughout, further than which nobody
   *     steps back
   * @param othersKept what the others had, in parts of what they have without a goal
   */
  public record Row(
      String name,
      int couldSeconds,
      double guaranteeMet,
      double guaranteeMean,
      double freeMillis,
      double goalMillis,
      double goalMet,
      double goalCould,
      double othersKept) {}

  public PromisesStudy {
    if (seconds <= GOAL_SECONDS) {
      throw new IllegalArgumentException(seconds + " s: expected more than " + GOAL_SECONDS + " s");
    }
  }

  /** Tries all storages. */
  public List<Row> run() {
    return StorageModels.all().stream().map(this::row).toList();
  }

  private Row row(StorageModel model) {
    double capacity = Trial.capacity(model) * (1 - model.neighbourPart() / 2);
    Target disk = new Target("disk", Math.round(capacity), Trial.UNIT);
    Guarantee one = new Guarantee(Guarantee.Who.JOB, "busy-0", 1_000_000, Quantities.Counted.BYTES);
    long bytes = (long) (GUARANTEED * capacity * one.perSecond() / one.tokensPerSecond(disk));
    Guarantee half = new Guarantee(one.who(), one.name(), bytes, one.counted());
    Trial.Seen guaranteed =
        watch(
            model,
            capacity,
            new Trial.Promised(
                new Promises(new Guarantees(List.of(half)), Goals.NONE), WEIGHT_OF_OTHER, 1));
    Trial.Seen free = watch(model, capacity, goal(Goal.LATENCY_NANOS_MAX, 1));
    Trial.Seen held = watch(model, capacity, goal(Goal.LATENCY_NANOS_MAX, HELD));
    long goalNanos =
        Math.max(
            Goal.LATENCY_NANOS_MIN,
            Math.round(GOAL_SLACK * quantile(worstMillis(held)) * StorageModel.MILLI));
    Trial.Seen kept = watch(model, capacity, goal(goalNanos, 1));
    Trial.Seen furthest = watch(model, capacity, goal(Goal.LATENCY_NANOS_MAX, StepBack.PART_MIN));

    double promised = half.tokensPerSecond(disk);
    int could = 0;
    int met = 0;
    double sum = 0;
    for (int second = LEARNT_SECONDS; second < seconds; second++) {
      double had = guaranteed.first.get(second);
      sum += had;
      if (guaranteed.served.get(second) >= COULD * capacity && !standsStill(model, second)) {
        could++;
        met += had >= promised ? 1 : 0;
      }
    }
    int watched = seconds - LEARNT_SECONDS;
    return new Row(
        model.name(),
        could,
        could == 0 ? 1 : (double) met / could,
        sum / watched / promised,
        quantile(worstMillis(free)),
        (double) goalNanos / StorageModel.MILLI,
        metPart(worstMillis(kept), goalNanos),
        metPart(worstMillis(furthest), goalNanos),
        served(kept) / served(free));
  }

  /** Whether it stands still for a part of a second, the last part of every so many. */
  private static boolean standsStill(StorageModel model, int second) {
    if (model.stallEveryNanos() == 0) {
      return false;
    }
    long worksNanos = model.stallEveryNanos() - model.stallNanos();
    long fromNanos = second * Trial.SECOND % model.stallEveryNanos();
    return fromNanos + Trial.SECOND > worksNanos;
  }

  private static Trial.Promised goal(long latencyNanos, double heldPart) {
    Goal light = new Goal(Guarantee.Who.JOB, "light", latencyNanos);
    return new Trial.Promised(
        new Promises(Guarantees.NONE, new Goals(List.of(light))), 1, heldPart);
  }

  private Trial.Seen watch(StorageModel model, double capacity, Trial.Promised promises) {
    Trial trial = new Trial(policy, model, new SimulatedStorage(model, _ -> 1, seed), seed + 1);
    Trial.Seen seen =
        found
            ? trial.findsOut(0, promises)
            : trial.told(Math.round(capacity), Math.max(8, 2 * model.channels()), promises);
    trial.run(seconds * Trial.SECOND);
    return seen;
  }

  /** Of what is served nearly all is the busy jobs'. */
  private static double served(Trial.Seen seen) {
    return seen.served.stream().skip(LEARNT_SECONDS).mapToDouble(Double::doubleValue).sum();
  }

  /**
   * By second, the longest that a request of the light job took. It has a dozen a second: so 99 of
   * 100 are all of them.
   */
  private double[] worstMillis(Trial.Seen seen) {
    double[] worst = new double[seconds];
    for (long[] each : seen.light) {
      int second = (int) (each[0] / Trial.SECOND);
      if (second < seconds) {
        worst[second] = Math.max(worst[second], (double) each[1] / StorageModel.MILLI);
      }
    }
    return Arrays.copyOfRange(worst, GOAL_SECONDS, seconds);
  }

  private static double metPart(double[] worstMillis, long goalNanos) {
    return (double)
            Arrays.stream(worstMillis)
                .filter(worst -> worst * StorageModel.MILLI <= goalNanos)
                .count()
        / worstMillis.length;
  }

  private static double quantile(double[] of) {
    double[] sorted = of.clone();
    Arrays.sort(sorted);
    return sorted[(int) (sorted.length * QUANTILE)];
  }

  /** The table for people. */
  public static String text(List<Row> rows) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%-38s %9s %6s %9s %9s %6s %6s %7s%n",
            "storage",
            "guarantee",
            "mean",
            "free ms",
            "goal ms",
            "met",
            "could",
            "others"));
    for (Row row : rows) {
      text.append(
          String.format(
              Locale.ROOT,
              "%-38s %9.3f %6.3f %9.1f %9.1f %6.3f %6.3f %7.3f%n",
              row.name,
              row.guaranteeMet,
              row.guaranteeMean,
              row.freeMillis,
              row.goalMillis,
              row.goalMet,
              row.goalCould,
              row.othersKept));
    }
    return text.toString();
  }
}
