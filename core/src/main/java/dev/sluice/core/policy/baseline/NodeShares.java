package dev.sluice.core.policy.baseline;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import java.util.List;

/** The jobs that are there, idle ones too, and their nodes, in columns. */
final class NodeShares {
  final JobId[] jobs;
  final long[] nodes;
  final long nodesSum;

  NodeShares(Observation seen) {
    List<JobDemand> demands = seen.jobs();
    jobs = new JobId[demands.size()];
    nodes = new long[jobs.length];
    long sum = 0;
    for (int i = 0; i < jobs.length; i++) {
      jobs[i] = demands.get(i).job();
      nodes[i] = demands.get(i).nodes();
      sum += nodes[i];
    }
    nodesSum = sum;
  }

  /** The part of {@code whole} that the job's nodes entitle it to. */
  double entitled(int job, double whole) {
    return whole * nodes[job] / nodesSum;
  }
}
