package dev.sluice.sim.report;

import dev.sluice.core.model.JobId;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.result.Summary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One scenario under several policies, ready to be written. Holds nothing of the machine or the
 * clock on the wall: equal runs give equal bytes.
 */
public final class Report {
  private final Origin origin;
  private final List<Run> runs;
  private final ShownJobs shown;

  /**
   * Where the figures come from.
   *
   * @param command what to type to get them again
   * @param scenarioHash by which to know the scenario's file again
   */
  public record Origin(
      String name, String description, String command, long seed, String scenarioHash) {}

  /** The outcome under one policy, with its measures. */
  record Run(RunResult result, Summary summary, Map<JobId, JobResult> jobs) {
    Run(RunResult result) {
      this(result, Summary.of(result), byId(result));
    }

    private static Map<JobId, JobResult> byId(RunResult result) {
      Map<JobId, JobResult> jobs = HashMap.newHashMap(result.jobs().size());
      result.jobs().forEach(job -> jobs.put(job.id(), job));
      return jobs;
    }

    String policy() {
      return result.policy();
    }

    @Nullable JobResult job(JobId id) {
      return jobs.get(id);
    }
  }

  /** The first run is the one that the others are compared with. */
  public Report(Origin origin, List<RunResult> results) {
    if (results.isEmpty()) {
      throw new IllegalArgumentException("a report needs at least one run");
    }
    this.origin = origin;
    this.runs = results.stream().map(Run::new).toList();
    this.shown = ShownJobs.of(results);
  }

  public Origin origin() {
    return origin;
  }

  List<Run> runs() {
    return runs;
  }

  Run first() {
    return runs.getFirst();
  }

  ShownJobs shown() {
    return shown;
  }

  /** Whether throughput is bytes; where no job moved any, it is operations. */
  boolean countsBytes() {
    return runs.stream().anyMatch(run -> run.summary().total().bytes() > 0);
  }
}
