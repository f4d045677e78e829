package dev.sluice.lustre.control;

import dev.sluice.jobs.Job;
import dev.sluice.jobs.JobDirectory;
import dev.sluice.lustre.LustreJobId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Where requests are counted for nobody, each job that runs may be the one that sends them: with a
 * rule of its own, the server shows whether it sends any. Not thread-safe.
 */
final class Suspects {
  /** So many jobs are tried at once. */
  private static final int AT_ONCE_MAX = 1_000;

  /** After so many periods all jobs may be tried again. */
  private static final int AGAIN_PERIODS = 60;

  private final JobDirectory directory;
  private final Set<LustreJobId> tried = new HashSet<>();
  private int periods;

  Suspects(JobDirectory directory) {
    this.directory = directory;
  }

  /**
   * Those to be tried from now on.
   *
   * @param isSeen whether a job is known to do something
   */
  List<LustreJobId> next(Predicate<LustreJobId> isSeen) {
    if (++periods >= AGAIN_PERIODS) {
      periods = 0;
      tried.clear();
    }
    List<LustreJobId> next = new ArrayList<>();
    for (Job job : directory.jobs()) {
      byte[] bytes = job.id().toString().getBytes(StandardCharsets.UTF_8);
      if (next.size() == AT_ONCE_MAX || bytes.length > LustreJobId.LENGTH_MAX) {
        continue;
      }
      LustreJobId id = new LustreJobId(new String(bytes, StandardCharsets.ISO_8859_1));
      if (tried.add(id) && !isSeen.test(id)) {
        next.add(id);
      }
    }
    return next;
  }
}
