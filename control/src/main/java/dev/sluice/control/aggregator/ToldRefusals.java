package dev.sluice.control.aggregator;

import dev.sluice.control.stage.JobCheck;
import dev.sluice.control.v1.NodeRefusal;
import dev.sluice.core.model.JobId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Where jobs are not counted, as the one above us has said in this call. Not thread-safe. */
final class ToldRefusals implements JobCheck {
  private final Map<JobId, Map<String, String>> reasons = new HashMap<>();
  private long version;

  /** Of one job, all that is refused from now on. */
  void told(JobId job, List<NodeRefusal> nodes) {
    version++;
    if (nodes.isEmpty()) {
      reasons.remove(job);
      return;
    }
    Map<String, String> ofNodes = HashMap.newHashMap(nodes.size());
    nodes.forEach(node -> ofNodes.put(node.getNode(), node.getReason()));
    reasons.put(job, ofNodes);
  }

  /** A job that the one above us hears of no more. */
  void forget(JobId job) {
    if (reasons.remove(job) != null) {
      version++;
    }
  }

  /** Nothing was said yet. */
  void clear() {
    reasons.clear();
    version++;
  }

  @Override
  public Verdict look(JobId job, String user, String node) {
    String reason = reasons.getOrDefault(job, Map.of()).get(node);
    return reason == null ? new Verdict.Believed(user) : new Verdict.Refused(reason);
  }

  @Override
  public long version() {
    return version;
  }
}
