package dev.sluice.jobs.slurm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The jobs that have nodes, by two accounts of them: what Slurm answered last, complete but of some
 * time ago, and what its hooks told since, at once but only about starts and ends. Not thread-safe.
 *
 * <p>Told of an end, a job is over even if an answer that was asked for earlier still has it. Told
 * of a start, a job runs even if such an answer does not have it yet; but if an answer that was
 * asked for well afterwards does not have it either, its end went unheard.
 */
final class SlurmRoster {
  /**
   * How much later an answer must have been asked for to be believed against a hook: a job is
   * announced before Slurm counts it as running, and is over before Slurm has tidied up.
   */
  static final long GRACE_NANOS = 60_000_000_000L;

  /** A bound on ends that no answer has confirmed yet, as while Slurm does not answer for days. */
  private static final int ENDS_MAX = SlurmJob.JOBS_MAX;

  private Map<Long, SlurmJob> asked = Map.of();
  private long askedNanos;
  private boolean everAsked;
  private final Map<Long, Told> told = new HashMap<>();

  /** When jobs that some answer may still have were said to be over, the oldest first. */
  private final LinkedHashMap<Long, Long> ends = new LinkedHashMap<>();

  /** What a hook said, and since when we know. */
  private record Told(SlurmJob job, long sinceNanos) {}

  /**
   * Takes in an answer.
   *
   * @param askedAtNanos when it was asked for
   */
  void answered(List<SlurmJob> jobs, long askedAtNanos) {
    Map<Long, SlurmJob> byId = LinkedHashMap.newLinkedHashMap(jobs.size());
    jobs.forEach(job -> byId.put(job.id(), job));
    asked = byId;
    askedNanos = askedAtNanos;
    everAsked = true;
    ends.entrySet()
        .removeIf(end -> {
          SlurmJob job = byId.get(end.getKey());
          boolean mayStillCome = end.getValue() >= askedAtNanos;
          boolean runsAnew =
              job != null && !job.ending() && askedAtNanos - end.getValue() > GRACE_NANOS;
          return runsAnew || (job == null && !mayStillCome);
        });
  }

  /** Takes in what hooks have said up to now: the jobs that have begun and not ended. */
  void told(Map<Long, SlurmJob> jobs, long nowNanos) {
    told.entrySet()
        .removeIf(before -> {
          boolean over = !jobs.containsKey(before.getKey());
          if (over) {
            ends.putLast(before.getKey(), nowNanos);
          }
          return over;
        });
    jobs.forEach((id, job) -> {
      Told before = told.get(id);
      if (before == null || !before.job.equals(job)) {
        told.put(id, new Told(job, nowNanos));
        ends.remove(id);
      }
    });
    while (ends.size() > ENDS_MAX) {
      ends.pollFirstEntry();
    }
  }

  /** The jobs that have nodes, as far as is known. */
  List<SlurmJob> jobs() {
    List<SlurmJob> jobs = new ArrayList<>();
    for (SlurmJob job : asked.values()) {
      if (!ends.containsKey(job.id())) {
        Told hook = told.get(job.id());
        jobs.add(hook == null ? job : job.completedBy(hook.job));
      }
    }
    for (Told hook : told.values()) {
      if (!asked.containsKey(hook.job.id()) && !isStale(hook)) {
        jobs.add(hook.job);
      }
    }
    return jobs;
  }

  private boolean isStale(Told hook) {
    return everAsked && askedNanos - hook.sinceNanos > GRACE_NANOS;
  }

  /** How many jobs were announced whose end went unheard. */
  int stale() {
    int count = 0;
    for (Told hook : told.values()) {
      if (!asked.containsKey(hook.job.id()) && isStale(hook)) {
        count++;
      }
    }
    return count;
  }

  /** Throws when its books are not in order. */
  void checkInvariants() {
    if (ends.size() > ENDS_MAX) {
      throw new IllegalStateException("more ends than are kept");
    }
    for (Long id : told.keySet()) {
      if (ends.containsKey(id)) {
        throw new IllegalStateException("job " + id + " has begun and is over");
      }
    }
    long distinct = jobs().stream().mapToLong(SlurmJob::id).distinct().count();
    if (distinct != jobs().size()) {
      throw new IllegalStateException("a job is there twice");
    }
  }
}
