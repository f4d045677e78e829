package dev.sluice.lustre.config;

import dev.sluice.core.classify.FlowMatch;
import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.lustre.tbf.RequestMatch;
import org.jspecify.annotations.Nullable;

/**
 * What each job that it matches may have at most, whatever the policy decides; or, where it is not
 * about jobs, what each user, group, project or whatever it names may.
 *
 * @param requests what it says to the server's filter; null where it is about jobs
 */
public record JobLimit(
    String name, FlowMatch match, long perSecond, @Nullable RequestMatch requests) {
  /**
   * Whether it holds for a job.
   *
   * @param user whose job it is; empty where nobody knows
   */
  public boolean holdsFor(JobId job, String user, String service) {
    if (requests != null) {
      return false;
    }
    Flow flow = new Flow(job, user, "", ClientAddress.LOCAL, "", service);
    // Which operation it is does not matter: no condition is about that.
    return match.matches(flow, Operation.READ);
  }
}
