package dev.sluice.history.report;

import dev.sluice.history.model.Sample;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs moved most, and nothing else: a week has ten million rows of a thousand jobs, and a
 * {@link Digest} of them takes four times as long. Not thread-safe.
 */
public final class Busiest {
  private final Selection selection;
  private final @Nullable String target;
  private final Map<String, Moved> jobs = new HashMap<>();

  /** What a job did. */
  private static final class Moved {
    long bytes;
    long operations;

    long bytes() {
      return bytes;
    }

    long operations() {
      return operations;
    }
  }

  private static final Comparator<Map.Entry<String, Moved>> BUSIEST_FIRST =
      Comparator.<Map.Entry<String, Moved>>comparingLong(job -> job.getValue().bytes())
          .thenComparingLong(job -> job.getValue().operations())
          .reversed()
          .thenComparing(Map.Entry::getKey);

  /**
   * @param target on which the jobs are looked at; null for all
   */
  public Busiest(Selection selection, @Nullable String target) {
    this.selection = selection;
    this.target = target;
  }

  /** Takes note of a sample. */
  public void add(Sample sample) {
    for (Sample.OfTarget on : sample.targets()) {
      if (target == null || target.equals(on.name())) {
        for (Sample.OfJob job : on.jobs()) {
          if (selection.includes(job)) {
            Moved moved = jobs.computeIfAbsent(job.id(), _ -> new Moved());
            moved.bytes += job.bytes();
            moved.operations += job.operations();
          }
        }
      }
    }
  }

  /**
   * So many of them, who moved most first and by name where that is the same. Those that were only
   * counted together are none of them.
   */
  public List<String> jobs(int most) {
    return jobs.entrySet().stream()
        .filter(job -> !job.getKey().equals(Sample.OTHERS))
        .sorted(BUSIEST_FIRST)
        .limit(most)
        .map(Map.Entry::getKey)
        .toList();
  }
}
