package dev.sluice.app.stage;

import dev.sluice.app.LiveScreen;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.stage.files.OperationUsage;
import dev.sluice.stage.limit.LimitKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a job did in the last moment.
 *
 * @param seconds how long that was
 */
record RatePicture(Map<LimitKey, Long> limits, Map<Operation, OperationUsage> usage, double seconds)
    implements LiveScreen.Picture {
  @Override
  public List<String> lines() {
    List<String> lines = new ArrayList<>(UsageTable.rates(usage, seconds));
    lines.addFirst(UsageTable.limits(limits));
    return lines;
  }

  @Override
  public String line() {
    long calls = usage.values().stream().mapToLong(OperationUsage::calls).sum();
    long bytes = usage.values().stream().mapToLong(OperationUsage::bytes).sum();
    return Quantities.formatRate(calls / seconds, Counted.OPERATIONS)
        + ", "
        + Quantities.formatRate(bytes / seconds, Counted.BYTES)
        + "; "
        + UsageTable.limits(limits);
  }
}
