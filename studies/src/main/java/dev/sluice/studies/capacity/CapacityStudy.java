package dev.sluice.studies.capacity;

import dev.sluice.core.policy.PolicyFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongToDoubleFunction;
import java.util.function.Predicate;

/**
 * How well what storages can do is found out, in virtual time. Equal seeds, equal tables.
 *
 * @param seed of all randomness
 * @param steadySeconds how long a storage that does not change is watched
 * @param policy whose scheduler says who is next
 */
public record CapacityStudy(long seed, int steadySeconds, PolicyFactory policy) {
  /** From here on what is believed must be right. */
  static final int LEARNT_SECONDS = 30;

  private static final int HALVED_AT = 60;
  private static final int WHOLE_AT = 120;
  private static final int CHANGE_SECONDS = 190;

  /**
   * What came of one storage. What is believed is told in parts of what it can do.
   *
   * @param requestsPerSecond that it can serve
   * @param leastBelieved of all seconds after the first thirty
   * @param mostBelieved the same
   * @param rightPart in what part of these seconds it was within a tenth of what it can do
   * @param used the part of what it can do that was used
   * @param usedWhenTold the same with the capacity typed in
   * @param lightMillis the 99th percentile of what a light job's requests took
   * @param lightMillisWhenTold the same with the capacity typed in
   * @param depth how many requests it was given at once in the end
   * @param afterHalving believed ten seconds after it halved, in parts of what it can do then
   * @param afterDoubling believed a minute after it was as fast again
   */
  public record Row(
      String name,
      double requestsPerSecond,
      double leastBelieved,
      double mostBelieved,
      double rightPart,
      double used,
      double usedWhenTold,
      double lightMillis,
      double lightMillisWhenTold,
      double depth,
      double afterHalving,
      double afterDoubling) {
    /** How much longer a light job's requests take than with the capacity typed in. */
    public double lightRatio() {
      return lightMillis / lightMillisWhenTold;
    }
  }

  public CapacityStudy {
    if (steadySeconds <= LEARNT_SECONDS) {
      throw new IllegalArgumentException(
          steadySeconds + " s: expected more than " + LEARNT_SECONDS + " s");
    }
  }

  /** Tries all storages. */
  public List<Row> run() {
    return run(_ -> true);
  }

  /** Tries some of them. */
  List<Row> run(Predicate<StorageModel> which) {
    return StorageModels.all().stream().filter(which).map(this::row).toList();
  }

  private Row row(StorageModel model) {
    double mean = 1 - model.neighbourPart() / 2;
    double capacity = Trial.capacity(model) * mean;
    Trial.Seen found = watch(model, steadySeconds, _ -> 1);
    Trial told = trial(model, _ -> 1);
    Trial.Seen typed = told.told(Math.round(capacity), Math.max(8, 2 * model.channels()));
    told.run(steadySeconds * Trial.SECOND);
    List<Double> believed = found.believed.subList(LEARNT_SECONDS, steadySeconds);
    Trial.Seen changing =
        watch(
            model,
            CHANGE_SECONDS,
            now -> now >= HALVED_AT * Trial.SECOND && now < WHOLE_AT * Trial.SECOND ? 0.5 : 1);
    return new Row(
        model.name(),
        model.requestsPerSecond(),
        believed.stream().mapToDouble(b -> b / capacity).min().orElse(0),
        believed.stream().mapToDouble(b -> b / capacity).max().orElse(0),
        believed.stream().filter(b -> Math.abs(b / capacity - 1) <= 0.1).count()
            / (double) believed.size(),
        used(found, capacity),
        used(typed, capacity),
        percentile99(found),
        percentile99(typed),
        found.depth.getLast(),
        changing.believed.get(HALVED_AT + 10) / capacity / 0.5,
        changing.believed.get(WHOLE_AT + 60) / capacity);
  }

  private Trial trial(StorageModel model, LongToDoubleFunction speed) {
    return new Trial(policy, model, new SimulatedStorage(model, speed, seed), seed + 1);
  }

  private Trial.Seen watch(StorageModel model, int seconds, LongToDoubleFunction speed) {
    Trial trial = trial(model, speed);
    Trial.Seen seen = trial.findsOut(0);
    trial.run(seconds * Trial.SECOND);
    return seen;
  }

  private static double used(Trial.Seen seen, double capacity) {
    return seen.served.stream()
        .skip(LEARNT_SECONDS)
        .mapToDouble(s -> s / capacity)
        .average()
        .orElse(0);
  }

  private static double percentile99(Trial.Seen seen) {
    long[] nanos =
        seen.light.stream()
            .filter(each -> each[0] >= LEARNT_SECONDS * Trial.SECOND)
            .mapToLong(each -> each[1])
            .sorted()
            .toArray();
    return nanos.length == 0 ? 0 : nanos[(int) (nanos.length * 0.99)] / 1e6;
  }

  /**
   * How two gateways on one storage share it that do not talk: what the first had, as a part of
   * both, in the last half of the time.
   *
   * @param laterSeconds when the second comes
   */
  public List<Double> shared(int laterSeconds, int seconds) {
    List<Double> parts = new ArrayList<>();
    for (StorageModel model : StorageModels.all()) {
      Trial trial = trial(model, _ -> 1);
      Trial.Seen first = trial.findsOut(0);
      Trial.Seen second = trial.findsOut(laterSeconds * Trial.SECOND);
      trial.run(seconds * Trial.SECOND);
      double one = sum(first, seconds / 2);
      parts.add(one / (one + sum(second, seconds / 2)));
    }
    return parts;
  }

  private static double sum(Trial.Seen seen, int fromSecond) {
    return seen.served.stream().skip(fromSecond).mapToDouble(Double::doubleValue).sum();
  }

  /** The table for people. */
  public static String text(List<Row> rows) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%-38s %9s %11s %6s %6s %9s %9s %6s %6s %7s %7s%n",
            "storage",
            "ops/s",
            "believed",
            "used",
            "typed",
            "light ms",
            "typed ms",
            "ratio",
            "depth",
            "halved",
            "doubled"));
    for (Row row : rows) {
      text.append(
          String.format(
              Locale.ROOT,
              "%-38s %9.0f %5.2f-%5.2f %6.3f %6.3f %9.1f %9.1f %6.2f %6.1f %7.2f %7.2f%n",
              row.name,
              row.requestsPerSecond,
              row.leastBelieved,
              row.mostBelieved,
              row.used,
              row.usedWhenTold,
              row.lightMillis,
              row.lightMillisWhenTold,
              row.lightRatio(),
              row.depth,
              row.afterHalving,
              row.afterDoubling));
    }
    return text.toString();
  }
}
