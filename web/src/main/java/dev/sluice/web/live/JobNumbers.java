package dev.sluice.web.live;

import dev.sluice.web.live.LiveStatus.JobDescription;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives jobs short numbers, so that what does not change is not sent every second. A number is
 * never given twice; of the jobs that were not seen for longest some are forgotten. Not
 * thread-safe.
 */
final class JobNumbers {
  private final int jobsMax;
  private final LinkedHashMap<String, Numbered> jobs = new LinkedHashMap<>(16, 0.75f, true);
  private final List<Numbered> news = new ArrayList<>();
  private long last;

  JobNumbers(int jobsMax) {
    this.jobsMax = jobsMax;
  }

  record Numbered(long number, JobDescription job) {}

  /** The number of a job; if it or something about it is new, it will be among the news. */
  long number(JobDescription job) {
    Numbered known = jobs.get(job.id());
    if (known != null && known.job.equals(job)) {
      return known.number;
    }
    Numbered changed = new Numbered(known == null ? ++last : known.number, job);
    jobs.put(job.id(), changed);
    news.add(changed);
    if (jobs.size() > jobsMax) {
      Map.Entry<String, Numbered> oldest = jobs.firstEntry();
      jobs.remove(oldest.getKey());
    }
    return changed.number;
  }

  /** What is new since it was last asked for. */
  List<Numbered> takeNews() {
    List<Numbered> taken = List.copyOf(news);
    news.clear();
    return taken;
  }

  /** All jobs that have a number. */
  List<Numbered> all() {
    return List.copyOf(jobs.values());
  }
}
