package dev.sluice.core.policy;

import dev.sluice.core.model.JobId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wrote of some jobs in a parameter; {@code slow-*} are all jobs whose ids begin so.
 *
 * @param <V> what is known of a job
 */
public final class PerJob<V> {
  private final Map<String, V> exact = new LinkedHashMap<>();
  private final Map<String, V> byBeginning = new LinkedHashMap<>();

  private PerJob() {}

  /**
   * Reads a list that is separated by commas, of jobs and what they have after a sign of equality.
   *
   * @param expected what should have been written where that is not so
   * @param value reads what a job has; throws {@link IllegalArgumentException} where it cannot
   */
  public static <V> PerJob<V> parse(
      String parameter, String text, String expected, Function<String, V> value) {
    PerJob<V> read = new PerJob<>();
    for (String entry : text.isBlank() ? new String[0] : text.split(",", -1)) {
      int equals = entry.lastIndexOf('=');
      String job = equals < 0 ? "" : entry.substring(0, equals).strip();
      if (job.isEmpty()) {
        throw new IllegalArgumentException(parameter + ": \"" + entry.strip() + "\": " + expected);
      }
      V known;
      try {
        known = value.apply(entry.substring(equals + 1));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            parameter + ": " + entry.strip() + ": " + e.getMessage(), e);
      }
      if (job.endsWith("*")) {
        read.byBeginning.put(job.substring(0, job.length() - 1), known);
      } else {
        read.exact.put(job, known);
      }
    }
    return read;
  }

  /** Whether nothing is known of any job. */
  public boolean isEmpty() {
    return exact.isEmpty() && byBeginning.isEmpty();
  }

  /** What is known of a job; null where nothing is. */
  public @Nullable V of(JobId job) {
    String id = job.toString();
    V known = exact.get(id);
    if (known != null) {
      return known;
    }
    for (Map.Entry<String, V> beginning : byBeginning.entrySet()) {
      if (id.startsWith(beginning.getKey())) {
        return beginning.getValue();
      }
    }
    return null;
  }
}
