package dev.sluice.control.measure;

import dev.sluice.control.agent.NodeJob;
import dev.sluice.control.agent.NodeJobs;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Operation;
import dev.sluice.core.policy.guarantee.Guarantees;
import dev.sluice.stage.files.OperationUsage;
import dev.sluice.stage.limit.LimitChange;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A node with one job that does something else in every round, so that its report and its orders
 * always have something to say; or nothing, while it rests. What it may do can be asked by any
 * thread; all else is for one.
 */
public final class SimulatedNode implements NodeJobs, NodeJob {
  private static final long STEP = 7_919;
  private static final long BUSIEST = 1_000;

  private final JobId id;
  private final BooleanSupplier busy;
  private final Map<LimitKey, Long> limits = new ConcurrentHashMap<>();
  private final List<NodeJob> self = List.of(this);
  private long calls;
  private long state;

  /**
   * A node.
   *
   * @param busy whether its job does something now
   */
  public SimulatedNode(String job, long seed, BooleanSupplier busy) {
    this.id = JobId.of(job);
    this.state = seed;
    this.busy = busy;
  }

  @Override
  public List<NodeJob> all() {
    return self;
  }

  @Override
  public void limitNewcomers(Supplier<List<LimitChange>> newcomers) {
    // Its job is there from the beginning.
  }

  @Override
  public boolean keepsGuarantees() {
    return false;
  }

  @Override
  public void guarantee(Guarantees guarantees) {}

  @Override
  public JobId id() {
    return id;
  }

  @Override
  public String user() {
    return "nobody";
  }

  @Override
  public int processes() {
    return 1;
  }

  @Override
  public Map<Operation, OperationUsage> usage() {
    if (busy.getAsBoolean()) {
      state += STEP;
      calls += state % BUSIEST;
    }
    Map<Operation, OperationUsage> usage = new EnumMap<>(Operation.class);
    usage.put(Operation.GETATTR, new OperationUsage(calls, 0, 0, 0));
    usage.put(Operation.OPEN, new OperationUsage(calls / 2, 0, 0, 0));
    return usage;
  }

  @Override
  public Set<LimitKey> limited() {
    return limits.keySet();
  }

  /** What its job may do, as it was told. */
  public Map<LimitKey, Long> limits() {
    return Map.copyOf(limits);
  }

  @Override
  public void change(List<LimitChange> changes, long nowNanos) {
    for (LimitChange change : changes) {
      if (change.millionths().isPresent()) {
        limits.put(change.key(), change.millionths().getAsLong() / LimitChange.MILLIONTHS);
      } else {
        limits.remove(change.key());
      }
    }
  }
}
