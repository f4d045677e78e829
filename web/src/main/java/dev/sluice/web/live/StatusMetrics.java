package dev.sluice.web.live;

import dev.sluice.access.Role;
import dev.sluice.command.JsonLine;
import dev.sluice.command.RequestHandler;
import dev.sluice.command.metrics.Busiest;
import dev.sluice.command.metrics.MetricsText;
import dev.sluice.command.metrics.MetricsText.MetricKind;
import dev.sluice.web.live.LiveStatus.LiveJob;
import dev.sluice.web.live.LiveStatus.LiveTarget;
import dev.sluice.web.server.HttpMethod;
import dev.sluice.web.server.RefusedException;
import dev.sluice.web.server.Routes;
import dev.sluice.web.server.WebAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * The status of a gateway or a controller in the text form that Prometheus collects. Each target
 * names its busiest jobs, and adds the others up as {@code other}: however many jobs there are, the
 * page stays of bounded size.
 */
public final class StatusMetrics {
  private static final double MILLIS_PER_SECOND = 1e3;

  private static final List<Figure<LiveTarget>> TARGET_FIGURES =
      List.of(
          new Figure<>("target_queued", "Requests that wait.", target -> (double) target.queued()),
          new Figure<>(
              "target_in_service",
              "Requests that are being served.",
              target -> (double) target.inService()),
          new Figure<>(
              "target_bytes_per_second", "Bytes in the last second.", LiveTarget::bytesPerSecond),
          new Figure<>(
              "target_operations_per_second",
              "Operations in the last second.",
              LiveTarget::operationsPerSecond),
          new Figure<>(
              "target_busy_jobs",
              "Jobs that did something in the last second.",
              target -> (double) target.busyJobs()));

  private static final List<Figure<Row>> JOB_FIGURES =
      List.of(
          new Figure<>("job_bytes_per_second", "Bytes of a job in the last second.", Row::bytes),
          new Figure<>(
              "job_operations_per_second",
              "Operations of a job in the last second.",
              Row::operations));

  private final RequestHandler commands;
  private final Consumer<MetricsText> further;

  /** What is measured, by a name and in words. */
  private record Figure<T>(String name, String help, ToDoubleFunction<T> value) {}

  /**
   * A job on a target, or all others on it.
   *
   * @param waitedSeconds how long its requests waited on average; null of all others
   */
  private record Row(
      String target, String job, double bytes, double operations, @Nullable Double waitedSeconds) {}

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

  /** The page as of now; refused where the program cannot tell its status. */
  public String page() {
    String line =
        commands
            .reply(
                JsonLine.object(json -> {
                  json.writeStringProperty("command", "status");
                  json.writeNumberProperty("jobs", Busiest.NAMED_MAX);
                }))
            .line();
    try {
      return page(StatusReader.read(line));
    } catch (NoStatusException e) {
      throw new RefusedException(503, "there is no status to make metrics of: " + e.getMessage());
    } catch (JacksonException e) {
      throw new RefusedException(
          503, "there is no status to make metrics of: " + e.getOriginalMessage());
    }
  }

  private String page(LiveStatus status) {
    MetricsText text = new MetricsText();
    text.family("up_seconds", MetricKind.GAUGE, "How long the program has run.")
        .sample(status.upSeconds());
    text.family("observe_only", MetricKind.GAUGE, "1 where nothing is enforced.")
        .sample(status.observesOnly() ? 1 : 0);
    text.family("problems", MetricKind.GAUGE, "What somebody should look into.")
        .sample(status.problems().size());
    text.family("connections", MetricKind.GAUGE, "Clients, or members, that are connected.")
        .sample((double) status.connections());
    text.family("policy_info", MetricKind.GAUGE, "Always 1; the label names the policy.")
        .sample(1, "policy", status.policy());
    for (Figure<LiveTarget> figure : TARGET_FIGURES) {
      text.family(figure.name, MetricKind.GAUGE, figure.help);
      for (LiveTarget target : status.targets()) {
        text.sample(figure.value.applyAsDouble(target), "target", target.name());
      }
    }
    List<Row> rows = new ArrayList<>();
    status.targets().forEach(target -> addRows(target, rows));
    for (Figure<Row> figure : JOB_FIGURES) {
      text.family(figure.name, MetricKind.GAUGE, figure.help);
      for (Row row : rows) {
        text.sample(figure.value.applyAsDouble(row), "target", row.target, "job", row.job);
      }
    }
    text.family(
        "job_waited_seconds", MetricKind.GAUGE, "How long a job's requests waited on average.");
    for (Row row : rows) {
      if (row.waitedSeconds != null) {
        text.sample(row.waitedSeconds, "target", row.target, "job", row.job);
      }
    }
    further.accept(text);
    return text.toString();
  }

  private static void addRows(LiveTarget target, List<Row> rows) {
    double otherBytes = target.bytesPerSecond();
    double otherOperations = target.operationsPerSecond();
    boolean hasOthers = target.busyJobs() > target.jobs().size();
    for (LiveJob job : target.jobs()) {
      String id = job.description().id();
      if (id.equals(Busiest.OTHER)) {
        hasOthers = true;
        continue;
      }
      double bytes = job.readBytesPerSecond() + job.writtenBytesPerSecond();
      otherBytes -= bytes;
      otherOperations -= job.operationsPerSecond();
      rows.add(
          new Row(
              target.name(),
              id,
              bytes,
              job.operationsPerSecond(),
              job.waitedMillis() / MILLIS_PER_SECOND));
    }
    if (hasOthers) {
      // What was rounded in each job may leave a little less than nothing.
      rows.add(
          new Row(
              target.name(),
              Busiest.OTHER,
              Math.max(0, otherBytes),
              Math.max(0, otherOperations),
              null));
    }
  }
}
