package dev.sluice.app.stage;

import dev.sluice.app.Table;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.stage.files.OperationUsage;
import dev.sluice.stage.limit.LimitKey;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a job has done, for people. */
final class UsageTable {
  private UsageTable() {}

  /** All that was done, a line for each operation; what was never done is left out. */
  static List<String> totals(Map<Operation, OperationUsage> usage) {
    Table table = new Table(List.of("operation", "calls", "bytes", "waited", "time waited"));
    for (Map.Entry<Operation, OperationUsage> entry : usage.entrySet()) {
      OperationUsage done = entry.getValue();
      if (done.calls() > 0) {
        table.row(
            List.of(
                entry.getKey().text(),
                String.valueOf(done.calls()),
                done.bytes() == 0 ? "" : Quantities.formatBytes((double) done.bytes()),
                done.waits() == 0 ? "" : String.valueOf(done.waits()),
                done.waits() == 0 ? "" : Quantities.formatDuration(done.waitedNanos())));
      }
    }
    return table.lines();
  }

  /** What was done in a time, in rates. */
  static List<String> rates(Map<Operation, OperationUsage> usage, double seconds) {
    Table table = new Table(List.of("operation", "calls", "bytes", "time waited"));
    for (Map.Entry<Operation, OperationUsage> entry : usage.entrySet()) {
      OperationUsage done = entry.getValue();
      if (done.calls() > 0 || done.waits() > 0) {
        table.row(
            List.of(
                entry.getKey().text(),
                Quantities.formatRate(done.calls() / seconds, Counted.OPERATIONS),
                done.bytes() == 0
                    ? ""
                    : Quantities.formatRate(done.bytes() / seconds, Counted.BYTES),
                Quantities.formatDuration(done.waitedNanos())));
      }
    }
    return table.lines();
  }

  static String limits(Map<LimitKey, Long> limits) {
    return limits.isEmpty()
        ? "nothing is limited"
        : limits.entrySet().stream()
            .map(limit -> limit.getKey().scope() + " " + rate(limit.getKey(), limit.getValue()))
            .collect(Collectors.joining(", "));
  }

  private static String rate(LimitKey key, long perSecond) {
    return Quantities.formatRate((double) perSecond, key.counted());
  }

  static Map<Operation, OperationUsage> difference(
      Map<Operation, OperationUsage> now, Map<Operation, OperationUsage> before) {
    return now.entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey,
                entry ->
                    entry
                        .getValue()
                        .minus(before.getOrDefault(entry.getKey(), OperationUsage.NOTHING)),
                (one, other) -> one,
                () -> new EnumMap<>(Operation.class)));
  }
}
