package dev.sluice.core.policy.collect;

import dev.sluice.core.model.Target;
import dev.sluice.core.policy.JobDemand;
import java.util.List;
import java.util.Map;

/** What has come of a round of reports. */
public sealed interface Collected {
  /** Nobody was asked, or what came of it was told. */
  record Nothing() implements Collected {}

  /** Reports are missing, and there is time until then. */
  record Waiting(long untilNanos) implements Collected {}

  /**
   * Enough for a decision, about these targets. The others are left as they are.
   *
   * @param seen by target, with what each can serve now, the jobs that it reported
   * @param spanNanos how long that took to come together
   * @param notes in words: which targets are missing, and which reports were not used
   */
  record Ready(Map<Target, List<JobDemand>> seen, long spanNanos, List<String> notes)
      implements Collected {
    public Ready {
      notes = List.copyOf(notes);
    }
  }

  /** No decision can be taken, and everything stays as it is. */
  record Refused(String reason) implements Collected {}
}
