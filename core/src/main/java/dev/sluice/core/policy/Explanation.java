package dev.sluice.core.policy;

import dev.sluice.core.model.JobId;
import java.util.List;
import java.util.Map;

/**
 * Why each job got what it got, in words and numbers. Worked out when somebody asks, because most
 * decisions are never asked about.
 */
public interface Explanation {
  /** What was decided over all, in a sentence or two. */
  String summary();

  /** The reasons for every job that was decided about, in ascending order of job id. */
  List<Reason> reasons();

  /**
   * What the decision did as a whole, by name, in figures that can be added up over decisions; none
   * where a policy has none.
   */
  default Map<String, Number> amounts() {
    return Map.of();
  }

  /** How things stand as a whole after the decision, by name; nothing where a policy has none. */
  default Map<String, Number> levels() {
    return Map.of();
  }

  /**
   * Why one job got what it got.
   *
   * @param figures named numbers, in the order in which they should be shown; {@code allocated} is
   *     always among them
   */
  record Reason(JobId job, Map<String, Number> figures, String words) {
    /** The figure with this name; it must be there. */
    public Number figure(String name) {
      Number value = figures.get(name);
      if (value == null) {
        throw new IllegalArgumentException("no figure " + name + " among " + figures.keySet());
      }
      return value;
    }
  }
}
