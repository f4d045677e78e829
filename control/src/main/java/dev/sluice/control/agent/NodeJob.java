package dev.sluice.control.agent;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Operation;
import dev.sluice.stage.files.OperationUsage;
import dev.sluice.stage.limit.LimitChange;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A job on this node, as far as a controller has to do with it. */
public interface NodeJob {
  JobId id();

  String user();

  /** How many of its processes run here, as far as is known. */
  int processes();

  /** What it has done so far. */
  Map<Operation, OperationUsage> usage() throws IOException;

  /** What of it is limited. */
  Set<LimitKey> limited();

  void change(List<LimitChange> changes, long nowNanos);
}
