package dev.sluice.core.policy.rivals;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.progress.JobsOnTargets;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** In how many decisions each application did I/O. Immutable. */
final class Appearances {
  static final Appearances NONE = new Appearances(Map.of());

  /** More than this many applications are not told apart from new ones. */
  private static final int APPLICATIONS_MAX = 100_000;

  private final Map<JobId, Long> counts;

  private Appearances(Map<JobId, Long> counts) {
    this.counts = counts;
  }

  /** So often each of these. */
  static Appearances of(Map<JobId, Long> counts) {
    return new Appearances(Map.copyOf(counts));
  }

  /** How often, in ascending order of application. */
  SortedMap<JobId, Long> counts() {
    return new TreeMap<>(counts);
  }

  long of(JobId application) {
    return counts.getOrDefault(application, 0L);
  }

  /** With those who do I/O now counted once more. */
  Appearances with(JobsOnTargets on) {
    Map<JobId, Long> next = new HashMap<>(counts);
    for (int i = 0; i < on.jobs(); i++) {
      next.merge(on.application(i), 1L, Long::sum);
    }
    // Old news counts half when it becomes too much; who appeared once is forgotten.
    while (next.size() > APPLICATIONS_MAX) {
      next.replaceAll((application, count) -> count / 2);
      next.values().removeIf(count -> count == 0);
    }
    return new Appearances(next);
  }
}
