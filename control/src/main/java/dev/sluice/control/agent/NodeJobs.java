package dev.sluice.control.agent;

import dev.sluice.stage.limit.LimitChange;
import java.util.List;
import java.util.function.Supplier;

/** The jobs of a node. */
public interface NodeJobs {
  List<NodeJob> all();

  /** Puts these limits on every job that comes from now on, before its first process runs. */
  void limitNewcomers(Supplier<List<LimitChange>> limits);
}
