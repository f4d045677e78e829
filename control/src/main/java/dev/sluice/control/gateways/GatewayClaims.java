package dev.sluice.control.gateways;

import dev.sluice.control.stage.JobCheck;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.JobClaim;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.JobService;
import dev.sluice.store.keys.Mandate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is believed of what a gateway says of its jobs. What a job did on its targets nobody else
 * can know; what the job is somebody does, or the gateway's key bounds it.
 *
 * <p>Theorem. The nodes, the weight and the application that are believed of a job depend on the
 * directory of jobs and on the gateway's key alone wherever the directory knows the job, or the key
 * speaks for no node: so two gateways with such keys never contradict each other about a job.
 */
final class GatewayClaims {
  private final String gateway;
  private final long most;

  /** Bounds what this gateway says by its key. */
  GatewayClaims(String gateway, Mandate mandate) {
    this.gateway = gateway;
    this.most = Math.max(1, mandate.nodesMax());
  }

  /**
   * What came of looking.
   *
   * @param objection what is not believed, in words; null where all is
   */
  record Believed(JobDemand demand, @Nullable String objection) {}

  /** Looks at what it says of a job on one of its targets. */
  Believed look(JobDemand said, JobCheck check) {
    return switch (check.known(said.job())) {
      case JobCheck.Known.Running(var nodes, var weight, var application) ->
          bounded(said, nodes, weight, application, "");
      case JobCheck.Known.Absent _ -> bounded(said, 1, 1, said.job(), ", as far as is known");
      case JobCheck.Known.Nothing _ ->
          bounded(
              said,
              Math.min(said.nodes(), most),
              Math.min(said.weight(), most),
              most == 1 ? said.job() : said.application(),
              ", as its key has it: no directory of jobs says otherwise");
    };
  }

  private Believed bounded(
      JobDemand said, long nodes, long weight, JobId application, String because) {
    long processes = Math.min(said.processes(), most);
    // Reserves and sizes of phases are given on a gateway for what it decides by itself. Nothing
    // that is decided here needs them; so nobody else's share can ever depend on them.
    JobDemand believed =
        said.withClaim(new JobClaim(nodes, weight, JobClaim.NOT_RESERVED, application, processes));
    List<String> more = new ArrayList<>();
    object(more, "nodes", said.nodes(), nodes);
    object(more, "weight", said.weight(), weight);
    object(more, "processes", said.processes(), processes);
    return new Believed(
        believed,
        more.isEmpty() ? null : "job " + said.job() + " with " + String.join(", ", more) + because);
  }

  /**
   * What jobs were served on a target, of which no more can have been than it serves in the time.
   *
   * <p>Theorem. All that is believed to be served is at most {@code mostTokens} together. Where
   * that is so of what was said, it is believed as it is; else the same part of everybody's is.
   * Nothing but what was served is changed.
   */
  static List<JobDemand> servable(List<JobDemand> said, double mostTokens) {
    double sum = 0;
    for (JobDemand demand : said) {
      sum += demand.service().servedTokens();
    }
    if (sum <= mostTokens) {
      return said;
    }
    double part = mostTokens / sum;
    List<JobDemand> believed = new ArrayList<>(said.size());
    for (JobDemand demand : said) {
      JobService service = demand.service();
      believed.add(
          demand.withService(
              new JobService(
                  (long) (service.servedTokens() * part),
                  service.oldestWaitNanos(),
                  service.latencyNanos(),
                  service.largestTokens())));
    }
    return believed;
  }

  private void object(List<String> more, String what, long said, long believed) {
    if (said > believed) {
      more.add(what + " " + believed + ", not " + said + " as " + gateway + " says");
    }
  }
}
