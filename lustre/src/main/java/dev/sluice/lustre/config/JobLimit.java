package dev.sluice.lustre.config;

import dev.sluice.core.classify.FlowMatch;
import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;

/** What each job that it matches may have at most, whatever the policy decides. */
public record JobLimit(String name, FlowMatch match, long perSecond) {
  /**
   * Whether it holds for a job.
   *
   * @param user whose job it is; empty where nobody knows
   */
  public boolean holdsFor(JobId job, String user, String service) {
    Flow flow = new Flow(job, user, "", ClientAddress.LOCAL, "", service);
    // Which operation it is does not matter: no condition is about that.
    return match.matches(flow, Operation.READ);
  }
}
