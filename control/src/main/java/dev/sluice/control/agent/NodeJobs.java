package dev.sluice.control.agent;

import dev.sluice.core.policy.guarantee.Guarantees;
import dev.sluice.stage.limit.LimitChange;
import java.util.List;
import java.util.function.Supplier;

/** The jobs of a node. */
public interface NodeJobs {
  List<NodeJob> all();

  /** Puts these limits on every job that comes from now on, before its first process runs. */
  void limitNewcomers(Supplier<List<LimitChange>> limits);

  /** Whether some jobs can be served before others here, so that guarantees can be kept. */
  boolean keepsGuarantees();

  /** Has these kept from now on, and no others that were ordered; only where they can be. */
  void guarantee(Guarantees guarantees);
}
