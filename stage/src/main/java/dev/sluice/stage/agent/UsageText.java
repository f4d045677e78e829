package dev.sluice.stage.agent;

import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.stage.files.OperationUsage;
import dev.sluice.stage.limit.LimitKey;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** What an agent's jobs do, in the text form that Prometheus collects. */
final class UsageText {
  private static final double NANOS_PER_SECOND = 1e9;

  private record Family(
      String name, String help, ToLongFunction<OperationUsage> value, double divisor) {}

  private static final List<Family> FAMILIES =
      List.of(
          new Family("calls_total", "Calls that were made.", OperationUsage::calls, 1),
          new Family("bytes_total", "Bytes that were moved.", OperationUsage::bytes, 1),
          new Family("waits_total", "Calls that had to wait.", OperationUsage::waits, 1),
          new Family(
              "waited_seconds_total",
              "Time that calls have waited.",
              OperationUsage::waitedNanos,
              NANOS_PER_SECOND));

  private UsageText() {}

  static String of(List<StagedJob> jobs) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Family family : FAMILIES) {
      head(text, family.name, family.help, "counter");
      for (StagedJob job : jobs) {
        for (Map.Entry<Operation, OperationUsage> entry : job.usage().entrySet()) {
          long value = family.value.applyAsLong(entry.getValue());
          if (value != 0) {
            text.append("sluice_stage_").append(family.name);
            text.append("{job=\"").append(escaped(job.id().toString()));
            text.append("\",operation=\"").append(entry.getKey().text()).append("\"} ");
            text.append(family.divisor == 1 ? String.valueOf(value) : value / family.divisor);
            text.append('\n');
          }
        }
      }
    }
    head(text, "limit_per_second", "Operations or bytes a second that are allowed.", "gauge");
    for (StagedJob job : jobs) {
      for (Map.Entry<LimitKey, Long> limit : job.limits().entrySet()) {
        LimitKey key = limit.getKey();
        text.append("sluice_stage_limit_per_second{job=\"").append(escaped(job.id().toString()));
        text.append("\",scope=\"").append(key.scope()).append("\",counted=\"");
        text.append(key.counted() == Counted.BYTES ? "bytes" : "operations").append("\"} ");
        text.append(limit.getValue()).append('\n');
      }
    }
    return text.toString();
  }

  private static void head(StringBuilder text, String name, String help, String type) {
    text.append("# HELP sluice_stage_").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE sluice_stage_").append(name).append(' ').append(type).append('\n');
  }

  private static String escaped(String label) {
    return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
