package dev.sluice.web.metrics;

import dev.sluice.command.JsonLine;
import dev.sluice.command.RequestHandler;
import dev.sluice.command.metrics.Busiest;
import dev.sluice.command.metrics.MetricsText;
import dev.sluice.command.metrics.MetricsText.MetricKind;
import dev.sluice.document.DocumentException;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import dev.sluice.web.server.HttpMethod;
import dev.sluice.web.server.RefusedException;
import dev.sluice.web.server.Role;
import dev.sluice.web.server.Routes;
import dev.sluice.web.server.WebAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The status of a gateway or a controller as metrics. Each target names its busiest jobs, and adds
 * the others up as {@code other}: however many jobs there are, the page stays of bounded size.
 */
public final class StatusMetrics {
  private static final String JOB = "job";
  private static final String TARGET = "target";

  private final RequestHandler commands;
  private final Consumer<MetricsText> further;

  public StatusMetrics(RequestHandler commands) {
    this(commands, _ -> {});
  }

  /**
   * Metrics of a status, and more.
   *
   * @param further adds families of its own to the page
   */
  public StatusMetrics(RequestHandler commands, Consumer<MetricsText> further) {
    this.commands = commands;
    this.further = further;
  }

  /** Answers at {@code /metrics}. */
  public void addTo(Routes routes) {
    routes.add(
        HttpMethod.GET,
        "/metrics",
        Role.READ,
        _ -> WebAnswer.text(200, MetricsText.CONTENT_TYPE, page()));
  }

  /** The page as of now. */
  public String page() {
    String status =
        commands
            .reply(
                JsonLine.object(json -> {
                  json.writeStringProperty("command", "status");
                  json.writeNumberProperty("jobs", Busiest.NAMED_MAX);
                }))
            .line();
    try {
      return page(Documents.parse("status", status).openMap());
    } catch (DocumentException e) {
      throw new RefusedException(503, "there is no status to make metrics of: " + e.getMessage());
    }
  }

  /** What is said of a job on a target, and of all others together. */
  private record Row(String target, String job, double bytes, double operations, double waitedMs) {}

  private String page(DocumentMap status) {
    MetricsText text = new MetricsText();
    text.family("up_seconds", MetricKind.GAUGE, "How long the program has run.")
        .sample(number(status.optional("up_s")));
    text.family("observe_only", MetricKind.GAUGE, "1 where nothing is enforced.")
        .sample(status.required("observe_only").bool() ? 1 : 0);
    text.family("problems", MetricKind.GAUGE, "What somebody should look into.")
        .sample(status.required("problems").list().size());
    text.family("policy_info", MetricKind.GAUGE, "Always 1; the label names the policy.")
        .sample(1, "policy", status.required("policy").text());
    List<DocumentMap> targets =
        status.required("targets").list().stream().map(DocumentNode::openMap).toList();
    figures(text, targets);
    List<Row> rows = new ArrayList<>();
    targets.forEach(target -> rows(target, rows));
    jobs(text, rows);
    further.accept(text);
    return text.toString();
  }

  private static void figures(MetricsText text, List<DocumentMap> targets) {
    for (Figure figure : FIGURES) {
      text.family("target_" + figure.name, MetricKind.GAUGE, figure.help);
      for (DocumentMap target : targets) {
        text.sample(number(target.optional(figure.key)), TARGET, target.required("name").text());
      }
    }
  }

  /** A number that a status has of each target. */
  private record Figure(String name, String key, String help) {}

  private static final List<Figure> FIGURES =
      List.of(
          new Figure("queued", "queued", "Requests that wait."),
          new Figure("in_service", "in_service", "Requests that are being served."),
          new Figure("bytes_per_second", "bytes_per_second", "Bytes in the last second."),
          new Figure(
              "operations_per_second", "operations_per_second", "Operations in the last second."),
          new Figure("busy_jobs", "busy_jobs", "Jobs that did something in the last second."));

  private static void rows(DocumentMap target, List<Row> rows) {
    String name = target.required("name").text();
    double bytes = number(target.optional("bytes_per_second"));
    double operations = number(target.optional("operations_per_second"));
    double otherOperations = 0;
    double otherBytes = 0;
    List<DocumentNode> jobs = target.required("jobs").list();
    for (DocumentNode node : jobs) {
      DocumentMap job = node.openMap();
      Row row =
          new Row(
              name,
              job.required(JOB).text(),
              number(job.optional("read_bytes_per_second"))
                  + number(job.optional("written_bytes_per_second")),
              number(job.optional("operations_per_second")),
              number(job.optional("waited_ms")));
      bytes -= row.bytes;
      operations -= row.operations;
      if (row.job.equals(Busiest.OTHER)) {
        otherBytes += row.bytes;
        otherOperations += row.operations;
      } else {
        rows.add(row);
      }
    }
    // What is rounded in each job may leave a little less than nothing.
    otherBytes += Math.max(0, bytes);
    otherOperations += Math.max(0, operations);
    if (number(target.optional("busy_jobs")) > jobs.size() || otherOperations > 0) {
      rows.add(new Row(name, Busiest.OTHER, otherBytes, otherOperations, Double.NaN));
    }
  }

  private static void jobs(MetricsText text, List<Row> rows) {
    text.family("job_bytes_per_second", MetricKind.GAUGE, "Bytes of a job in the last second.");
    rows.forEach(row -> text.sample(row.bytes, TARGET, row.target, JOB, row.job));
    text.family("job_operations_per_second", MetricKind.GAUGE, "Operations of a job, last second.");
    rows.forEach(row -> text.sample(row.operations, TARGET, row.target, JOB, row.job));
    text.family("job_waited_seconds", MetricKind.GAUGE, "How long its requests waited on average.");
    for (Row row : rows) {
      if (!Double.isNaN(row.waitedMs)) {
        text.sample(row.waitedMs / 1e3, TARGET, row.target, JOB, row.job);
      }
    }
  }

  /** What a status does not say, or says is unlimited, counts as nothing. */
  private static double number(@Nullable DocumentNode node) {
    if (node == null) {
      return 0;
    }
    try {
      return Double.parseDouble(node.text());
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
