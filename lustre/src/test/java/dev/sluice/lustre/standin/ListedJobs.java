package dev.sluice.lustre.standin;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.JobId;
import dev.sluice.jobs.Job;
import dev.sluice.jobs.JobDirectory;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.Scenario;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A job directory that a test writes. */
public final class ListedJobs implements JobDirectory {
  private final Map<JobId, Job> jobs = new LinkedHashMap<>();
  private long version;

  /** The jobs of a scenario, with their nodes. */
  public static ListedJobs of(Scenario scenario) {
    ListedJobs listed = new ListedJobs();
    for (JobSpec job : scenario.jobs()) {
      listed.add(job.id(), job.nodes());
    }
    return listed;
  }

  public void add(JobId id, long nodes) {
    version++;
    jobs.put(
        id, new Job(id, "", "user", OptionalInt.empty(), nodes, List.of(), OptionalLong.empty()));
  }

  public void end(JobId id) {
    version++;
    jobs.remove(id);
  }

  @Override
  public @Nullable Job job(JobId id) {
    return jobs.get(id);
  }

  @Override
  public @Nullable Job behind(ClientAddress address, int uid) {
    return null;
  }

  @Override
  public boolean runsAt(JobId id, ClientAddress address) {
    return false;
  }

  @Override
  public Collection<Job> jobs() {
    return jobs.values();
  }

  @Override
  public long version() {
    return version;
  }
}
