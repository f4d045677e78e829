package dev.sluice.web.live;

import dev.sluice.web.live.LiveStatus.LiveJob;
import dev.sluice.web.live.LiveStatus.LiveTarget;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is told of a status where there are more rows, one for each job on each of its targets, than
 * a page can use every second.
 */
final class BusiestRows {
  private BusiestRows() {}

  /** What a job does on all its targets, and on how many. */
  private static final class Sum {
    final String id;
    double bytes;
    double operations;
    int rows;

    Sum(String id) {
      this.id = id;
    }

    double bytes() {
      return bytes;
    }

    double operations() {
      return operations;
    }
  }

  private static final Comparator<Sum> BUSIEST_FIRST =
      Comparator.comparingDouble(Sum::bytes)
          .thenComparingDouble(Sum::operations)
          .reversed()
          .thenComparing(sum -> sum.id);

  /**
   * The same status with fewer rows, in the order that they had.
   *
   * <p>Theorem. There are at most {@code rowsMax} rows, and {@code firstOfTarget} of each target
   * more. A job that is told of on all its targets is one that no job is busier than that is not,
   * unless that one has more rows than were left; and of each target its first rows are told. Where
   * there are no more than {@code rowsMax} rows, all are.
   *
   * @param firstOfTarget how many jobs of each target are told of, whatever they do elsewhere
   */
  static LiveStatus of(LiveStatus status, int rowsMax, int firstOfTarget) {
    int rows = status.targets().stream().mapToInt(target -> target.jobs().size()).sum();
    if (rows <= rowsMax) {
      return status;
    }
    Set<String> busiest = busiest(status, rowsMax);
    List<LiveTarget> targets = new ArrayList<>();
    for (LiveTarget target : status.targets()) {
      List<LiveJob> told = new ArrayList<>();
      for (int i = 0; i < target.jobs().size(); i++) {
        LiveJob job = target.jobs().get(i);
        if (i < firstOfTarget || busiest.contains(job.description().id())) {
          told.add(job);
        }
      }
      targets.add(target.withJobs(told));
    }
    return status.withTargets(targets);
  }

  private static Set<String> busiest(LiveStatus status, int rowsMax) {
    Map<String, Sum> sums = new HashMap<>();
    for (LiveTarget target : status.targets()) {
      for (LiveJob job : target.jobs()) {
        Sum sum = sums.computeIfAbsent(job.description().id(), Sum::new);
        sum.bytes += job.readBytesPerSecond() + job.writtenBytesPerSecond();
        sum.operations += job.operationsPerSecond();
        sum.rows++;
      }
    }
    List<Sum> ordered = new ArrayList<>(sums.values());
    ordered.sort(BUSIEST_FIRST);
    Set<String> busiest = new HashSet<>();
    int left = rowsMax;
    for (Sum sum : ordered) {
      if (sum.rows <= left) {
        left -= sum.rows;
        busiest.add(sum.id);
      }
    }
    return busiest;
  }
}
