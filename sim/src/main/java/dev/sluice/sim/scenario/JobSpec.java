package dev.sluice.sim.scenario;

import dev.sluice.core.model.JobId;
import dev.sluice.core.schedule.JobOwner;
import java.util.List;

/**
 * A job: processes that run together.
 *
 * @param nodes its compute nodes, and so its priority
 * @param submitNanos when it is submitted; it starts then unless it has to wait for nodes
 * @param estimateNanos how long its owner says it will run at most, for backfilling; 0 where there
 *     is no queue
 * @param application what it is a run of: the same for all that one entry of a scenario repeats
 * @param place the name of the nodes that it runs on, from the first on; jobs with the same one
 *     share these. Empty for nodes of its own
 * @param account who pays for it; empty where nobody said
 * @param group its user's group; empty where nobody said
 */
public record JobSpec(
    JobId id,
    String user,
    long nodes,
    long submitNanos,
    long estimateNanos,
    List<ProcessGroup> processes,
    JobId application,
    String place,
    String account,
    String group) {
  public JobSpec {
    processes = List.copyOf(processes);
  }

  /** Of no account and no group that anybody knows. */
  public JobSpec(
      JobId id,
      String user,
      long nodes,
      long submitNanos,
      long estimateNanos,
      List<ProcessGroup> processes,
      JobId application,
      String place) {
    this(id, user, nodes, submitNanos, estimateNanos, processes, application, place, "", "");
  }

  /** On nodes of its own. */
  public JobSpec(
      JobId id,
      String user,
      long nodes,
      long submitNanos,
      long estimateNanos,
      List<ProcessGroup> processes,
      JobId application) {
    this(id, user, nodes, submitNanos, estimateNanos, processes, application, "");
  }

  /** The only run of its application, on nodes of its own. */
  public JobSpec(
      JobId id,
      String user,
      long nodes,
      long submitNanos,
      long estimateNanos,
      List<ProcessGroup> processes) {
    this(id, user, nodes, submitNanos, estimateNanos, processes, id);
  }

  /** Whose it is. */
  public JobOwner owner() {
    return new JobOwner(account, user, group);
  }
}
