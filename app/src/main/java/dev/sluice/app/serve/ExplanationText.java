package dev.sluice.app.serve;

import dev.sluice.command.CommandClient;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Why a job gets what it gets, as text for people. */
public final class ExplanationText {
  private static final String BARS = " ▁▂▃▄▅▆▇█";

  private ExplanationText() {}

  /**
   * The lines.
   *
   * @param answer to the command {@code explain}
   */
  public static List<String> lines(String job, String answer) {
    List<String> lines = new ArrayList<>();
    for (DocumentNode node : CommandClient.read(answer).openMap().required("explanations").list()) {
      tell(job, node.openMap(), lines);
    }
    return lines;
  }

  private static void tell(String job, DocumentMap explanation, List<String> lines) {
    lines.add(
        "job "
            + job
            + ", weight "
            + explanation.required("weight").text()
            + ": "
            + explanation.required("state").text());
    lines.add("  " + explanation.required("summary").text());
    String reason = explanation.required("reason").text();
    if (reason.equals("null")) {
      lines.add("  the last decision was not about this job");
    } else {
      lines.add("  " + reason);
      DocumentNode figures = explanation.optional("figures");
      if (figures != null) {
        figures
            .openMap()
            .entries()
            .forEach((name, value) ->
                lines.add(
                    "    "
                        + name
                        + " "
                        + (value.text().equals("null") ? "unlimited" : value.text())));
      }
    }
    for (DocumentNode limit : explanation.required("limits").list()) {
      lines.add("  " + limit.openMap().required("words").text());
    }
    List<String> elsewhere =
        explanation.required("limits_elsewhere").list().stream().map(DocumentNode::text).toList();
    if (!elsewhere.isEmpty()) {
      lines.add("  limits that match nothing it did: " + String.join(", ", elsewhere));
    }
    for (Map.Entry<String, DocumentNode> target :
        explanation.required("last_minute").openMap().entries().entrySet()) {
      lastMinute(target.getKey(), target.getValue().list(), lines);
    }
  }

  private static void lastMinute(String target, List<DocumentNode> seconds, List<String> lines) {
    if (seconds.isEmpty()) {
      return;
    }
    double[] bytes = new double[seconds.size()];
    double most = 1;
    double sum = 0;
    for (int i = 0; i < bytes.length; i++) {
      DocumentMap second = seconds.get(i).openMap();
      bytes[i] =
          StatusText.value(second, "read_bytes_per_second")
              + StatusText.value(second, "written_bytes_per_second");
      most = Math.max(most, bytes[i]);
      sum += bytes[i];
    }
    StringBuilder picture = new StringBuilder();
    for (double value : bytes) {
      picture.append(BARS.charAt((int) Math.round(value / most * (BARS.length() - 1))));
    }
    lines.add(
        "  "
            + target
            + ": busy in "
            + bytes.length
            + " of the last 60 s, "
            + Quantities.formatRate(sum / bytes.length, Counted.BYTES)
            + " on average, at most "
            + Quantities.formatRate(most, Counted.BYTES));
    lines.add("  |" + picture + "|");
  }
}
