package dev.sluice.studies.capacity;

import java.util.List;
import java.util.Locale;
import java.util.function.LongToDoubleFunction;

/**
 * How well what storages can do is found out behind a filter that knows nothing but rates, from
 * sums that are shown once a period. Equal seeds, equal tables.
 *
 * @param seed of all randomness
 * @param steadySeconds how long a storage that does not change is watched
 */
public record ServiceStudy(long seed, int steadySeconds) {
  /** How many requests the service serves at once, at most. */
  private static final int THREADS = 128;

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
   * @param inService how many requests it had at once, in the mean
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
      double inService,
      double afterHalving,
      double afterDoubling) {}

  public ServiceStudy {
    if (steadySeconds <= CapacityStudy.LEARNT_SECONDS) {
      throw new IllegalArgumentException(
          steadySeconds + " s: expected more than " + CapacityStudy.LEARNT_SECONDS + " s");
    }
  }

  /** Tries all storages. */
  public List<Row> run() {
    return StorageModels.all().stream().map(this::row).toList();
  }

  private Row row(StorageModel model) {
    double capacity = model.requestsPerSecond() * (1 - model.neighbourPart() / 2);
    ServiceTrial.Seen steady = watch(model, steadySeconds, _ -> 1);
    ServiceTrial.Seen changing =
        watch(
            model,
            CHANGE_SECONDS,
            now ->
                now >= HALVED_AT * ServiceTrial.SECOND && now < WHOLE_AT * ServiceTrial.SECOND
                    ? 0.5
                    : 1);
    double[] believed =
        learnt(steady.believed()).stream().mapToDouble(b -> b / capacity).sorted().toArray();
    long right = 0;
    for (double each : believed) {
      right += Math.abs(each - 1) <= 0.1 ? 1 : 0;
    }
    return new Row(
        model.name(),
        capacity,
        believed[0],
        believed[believed.length - 1],
        (double) right / believed.length,
        mean(learnt(steady.served())) / capacity,
        mean(learnt(steady.inService())),
        changing.believed().get(HALVED_AT + 10) / capacity / 0.5,
        changing.believed().get(WHOLE_AT + 60) / capacity);
  }

  private ServiceTrial.Seen watch(StorageModel model, int seconds, LongToDoubleFunction speed) {
    return new ServiceTrial(
            model,
            new SimulatedStorage(model, speed, seed),
            new ServiceTrial.Setting(THREADS, ServiceTrial.SECOND),
            seed + 1)
        .run(seconds);
  }

  private static List<Double> learnt(List<Double> seconds) {
    return seconds.subList(CapacityStudy.LEARNT_SECONDS, seconds.size());
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
  }

  /** The table for people. */
  public static String text(List<Row> rows) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%-38s %9s %11s %6s %6s %8s %7s %7s%n",
            "storage",
            "ops/s",
            "believed",
            "right",
            "used",
            "at once",
            "halved",
            "doubled"));
    for (Row row : rows) {
      text.append(
          String.format(
              Locale.ROOT,
              "%-38s %9.0f %5.2f-%5.2f %6.3f %6.3f %8.1f %7.2f %7.2f%n",
              row.name,
              row.requestsPerSecond,
              row.leastBelieved,
              row.mostBelieved,
              row.rightPart,
              row.used,
              row.inService,
              row.afterHalving,
              row.afterDoubling));
    }
    return text.toString();
  }
}
