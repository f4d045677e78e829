package dev.sluice.gateway.admin;

import dev.sluice.command.metrics.Busiest;
import dev.sluice.core.model.JobId;
import dev.sluice.gateway.target.ServiceTally;
import dev.sluice.gateway.target.TargetTally;
import dev.sluice.gateway.target.TargetTally.JobTally;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one target by job, as many as are to be named, and one for all others.
 *
 * <p>Whoever looks, however often, and whatever jobs come, go and come again in between:
 *
 * <ol>
 *   <li>the sum over all series is exactly what the target has served, so that it never goes back;
 *   <li>a series begins at nothing and never goes back while it is there;
 *   <li>the one of all others is always there, and never goes back;
 *   <li>there are never more named ones than was said.
 * </ol>
 *
 * <p>Because a job that is no longer named, or was forgotten by the target, leaves what it was
 * counted with to the others; and what it did before it was named stays with them. Not thread-safe.
 */
final class JobSeries {
  /** So often, at most, a job takes the place of one that is less busy. */
  static final long RANKED_NANOS = 10_000_000_000L;

  /** Somebody must be so much busier to take a place, or two that are alike would take turns. */
  private static final int BUSIER = 2;

  private final int namedMax;
  private final Map<JobId, ServiceTally> named = new TreeMap<>();
  private Map<JobId, JobTally> seen = Map.of();
  private Map<JobId, JobTally> ranked = Map.of();
  private long rankedNanos;
  private boolean everRanked;

  JobSeries(int namedMax) {
    this.namedMax = namedMax;
  }

  /** The series at an instant; {@link Busiest#OTHER} is the last. */
  record Series(String job, ServiceTally served) {}

  /** A job and how much it did of late. */
  private record Busy(JobId job, long weight) {}

  /** Looks at what the target has served until now. */
  List<Series> look(TargetTally now, long nowNanos) {
    Map<JobId, JobTally> jobs = HashMap.newHashMap(now.jobs().size());
    now.jobs().forEach(job -> jobs.put(job.job(), job));
    named.keySet().retainAll(jobs.keySet());
    named.replaceAll((job, served) -> served.plus(since(seen.get(job), jobs.get(job))));
    nameOthers(jobs, nowNanos);
    seen = jobs;
    List<Series> series = new ArrayList<>();
    ServiceTally others = now.all();
    for (Map.Entry<JobId, ServiceTally> one : named.entrySet()) {
      series.add(new Series(one.getKey().toString(), one.getValue()));
      others = others.minus(one.getValue());
    }
    series.add(new Series(Busiest.OTHER, others));
    return series;
  }

  /** What a job did since it was looked at; all it did where it was forgotten in between. */
  private static ServiceTally since(@Nullable JobTally before, @Nullable JobTally now) {
    if (now == null) {
      return new ServiceTally();
    }
    return before == null || before.account() != now.account()
        ? now.served()
        : now.served().minus(before.served());
  }

  private void nameOthers(Map<JobId, JobTally> jobs, long nowNanos) {
    boolean ranks = !everRanked || nowNanos - rankedNanos >= RANKED_NANOS;
    if (!ranks && named.size() >= namedMax) {
      return;
    }
    List<Busy> unnamed = new ArrayList<>();
    List<Busy> holders = new ArrayList<>();
    for (JobTally job : jobs.values()) {
      Busy busy = new Busy(job.job(), since(ranked.get(job.job()), job).weight());
      if (named.containsKey(job.job())) {
        holders.add(busy);
      } else if (!job.job().toString().equals(Busiest.OTHER)) {
        unnamed.add(busy);
      }
    }
    unnamed.sort(Comparator.comparingLong(Busy::weight).reversed().thenComparing(Busy::job));
    int next = 0;
    while (next < unnamed.size() && named.size() < namedMax) {
      named.put(unnamed.get(next++).job, new ServiceTally());
    }
    if (ranks) {
      holders.sort(Comparator.comparingLong(Busy::weight).thenComparing(Busy::job));
      for (Busy holder : holders) {
        if (next == unnamed.size() || unnamed.get(next).weight <= BUSIER * holder.weight) {
          break;
        }
        named.remove(holder.job);
        named.put(unnamed.get(next++).job, new ServiceTally());
      }
      ranked = jobs;
      rankedNanos = nowNanos;
      everRanked = true;
    }
  }
}
