package dev.sluice.command.metrics;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Who is shown by name on a page of metrics, and who only as one of the others. A label whose
 * values nobody bounds would let a site with many jobs fill the memory of whoever collects them.
 *
 * @param named at most so many as were asked for, the busiest first
 * @param others everybody else
 */
public record Busiest<T>(List<T> named, List<T> others) {
  /** How many jobs are named unless there is a reason for another number. */
  public static final int NAMED_MAX = 50;

  /** The label of all who are not named. A job of this very name is among them. */
  public static final String OTHER = "other";

  /** Divides jobs; those that are equally busy are taken in the order of their names. */
  public static <T> Busiest<T> of(
      Collection<T> jobs, ToDoubleFunction<T> busy, Function<T, String> name, int namedMax) {
    List<T> sorted =
        jobs.stream()
            .sorted(
                Comparator.<T>comparingInt(job -> name.apply(job).equals(OTHER) ? 1 : 0)
                    .thenComparing(Comparator.comparingDouble(busy).reversed())
                    .thenComparing(name))
            .toList();
    int count = Math.min(sorted.size(), namedMax);
    while (count > 0 && name.apply(sorted.get(count - 1)).equals(OTHER)) {
      count--;
    }
    return new Busiest<>(sorted.subList(0, count), sorted.subList(count, sorted.size()));
  }
}
