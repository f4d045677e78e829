package dev.sluice.web.live;

import dev.sluice.web.live.LiveStatus.LiveJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What one second looked like.
 *
 * @param number one more than that of the second before
 * @param lastChange the number of the last change in the audit trail
 * @param numbers of the jobs of each target, in the status's order
 */
record LiveFrame(
    long number, long atMillis, long lastChange, LiveStatus status, List<List<Long>> numbers) {
  /** The same with no more than so many rows, and the first of each target. */
  LiveFrame busiest(int rowsMax) {
    LiveStatus fewer = BusiestRows.of(status, rowsMax, 1);
    if (fewer.equals(status)) {
      return this;
    }
    Map<String, Long> known = new HashMap<>();
    for (int i = 0; i < numbers.size(); i++) {
      List<LiveJob> jobs = status.targets().get(i).jobs();
      for (int j = 0; j < jobs.size(); j++) {
        known.put(jobs.get(j).description().id(), numbers.get(i).get(j));
      }
    }
    List<List<Long>> kept = new ArrayList<>();
    for (LiveStatus.LiveTarget target : fewer.targets()) {
      List<Long> numbered = new ArrayList<>();
      for (LiveJob job : target.jobs()) {
        numbered.add(Objects.requireNonNull(known.get(job.description().id())));
      }
      kept.add(numbered);
    }
    return new LiveFrame(number, atMillis, lastChange, fewer, kept);
  }

  /** The first jobs of each target, with their numbers. */
  List<JobNumbers.Numbered> named(int jobsMax) {
    List<JobNumbers.Numbered> named = new ArrayList<>();
    for (int i = 0; i < numbers.size(); i++) {
      List<LiveJob> jobs = status.targets().get(i).jobs();
      for (int j = 0; j < Math.min(jobsMax, jobs.size()); j++) {
        named.add(new JobNumbers.Numbered(numbers.get(i).get(j), jobs.get(j).description()));
      }
    }
    return named;
  }
}
