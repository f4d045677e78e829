package dev.sluice.load.play;

import dev.sluice.nfs.rpc.Credential;
import dev.sluice.sim.scenario.Connections;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.Scenario;
import java.util.HashMap;
import java.util.Map;

/**
 * Who the calls of each job are from. Jobs that share nodes are told apart on a connection by their
 * users alone, so each user of such jobs has a number: the first the caller's own, the others those
 * that follow it. All other jobs are the caller's.
 */
final class JobUsers {
  private final Credential.Sys caller;
  private final Map<String, Credential.Sys> byUser = new HashMap<>();

  JobUsers(Credential.Sys caller, Scenario scenario) {
    this.caller = caller;
    if (scenario.connections().sharing() == Connections.Sharing.PER_NODE) {
      for (JobSpec job : scenario.jobs()) {
        if (!job.place().isEmpty() && !byUser.containsKey(job.user())) {
          int uid = caller.uid() + byUser.size();
          byUser.put(job.user(), new Credential.Sys(caller.machine(), uid, caller.gid()));
        }
      }
    }
  }

  Credential.Sys of(JobSpec job) {
    return job.place().isEmpty() ? caller : byUser.getOrDefault(job.user(), caller);
  }

  /** Whether files will not all be one user's. */
  boolean severalUsers() {
    return byUser.size() > 1;
  }
}
