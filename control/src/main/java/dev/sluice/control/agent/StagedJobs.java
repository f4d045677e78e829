package dev.sluice.control.agent;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Operation;
import dev.sluice.core.policy.guarantee.Guarantees;
import dev.sluice.gateway.identify.UserNames;
import dev.sluice.stage.agent.StageAgent;
import dev.sluice.stage.agent.StagedJob;
import dev.sluice.stage.files.OperationUsage;
import dev.sluice.stage.limit.LimitChange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The jobs that run under the stage on this node. */
public final class StagedJobs implements NodeJobs {
  private final StageAgent agent;
  private final UserNames users;

  public StagedJobs(StageAgent agent) {
    this.agent = agent;
    this.users = UserNames.ofThisMachine();
  }

  @Override
  public List<NodeJob> all() {
    List<NodeJob> all = new ArrayList<>();
    for (StagedJob job : agent.jobs()) {
      all.add(new Staged(job, users));
    }
    return all;
  }

  @Override
  public void limitNewcomers(Supplier<List<LimitChange>> limits) {
    agent.limitNewcomers(limits);
  }

  /** A stage holds its own jobs back; it cannot serve them sooner. */
  @Override
  public boolean keepsGuarantees() {
    return false;
  }

  @Override
  public void guarantee(Guarantees guarantees) {}

  private record Staged(StagedJob job, UserNames users) implements NodeJob {
    @Override
    public JobId id() {
      return job.id();
    }

    @Override
    public String user() {
      return users.user(job.user());
    }

    @Override
    public int processes() {
      return job.processes();
    }

    @Override
    public Map<Operation, OperationUsage> usage() throws IOException {
      return job.usage();
    }

    @Override
    public Set<LimitKey> limited() {
      return job.limits().keySet();
    }

    @Override
    public void change(List<LimitChange> changes, long nowNanos) {
      job.change(changes, nowNanos);
    }
  }
}
