package dev.sluice.app.history;

import dev.sluice.command.JsonLine;
import dev.sluice.history.model.Event;
import dev.sluice.history.report.Course;
import dev.sluice.history.report.Selection;
import dev.sluice.history.store.HistoryFiles;
import dev.sluice.history.store.Resolution;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** History as JSON, for the dashboard; docs/history.md describes it. */
public final class HistoryJson {
  private static final int STEPS = 240;
  private static final int STEPS_MAX = 1_000;

  /** The newest so many events are told. */
  private static final int EVENTS_MAX = 200;

  private HistoryJson() {}

  /**
   * What is asked for.
   *
   * @param query the parameters of docs/history.md
   * @throws IllegalArgumentException when one of them is wrong; the message says which
   */
  public static String answer(HistoryFiles files, Map<String, String> query, long nowMillis)
      throws IOException {
    long fromMillis = nowMillis - Durations.millis("since", query.getOrDefault("since", "1h"));
    String until = query.get("until");
    long toMillis = nowMillis - (until == null ? 0 : Durations.millis("until", until));
    if (fromMillis >= toMillis) {
      throw new IllegalArgumentException("since: expected more than until");
    }
    Selection selection =
        new Selection(fromMillis, toMillis, given(query, "job"), given(query, "user"));
    int steps = steps(query);
    Resolution resolution =
        Resolution.stepping((toMillis - fromMillis) / steps, nowMillis - fromMillis);
    HistoryReport report = HistoryReport.read(files, selection, resolution, ZoneOffset.UTC, steps);
    return JsonLine.object(json -> write(report, json));
  }

  private static @Nullable String given(Map<String, String> query, String name) {
    String value = query.get(name);
    return value == null || value.isEmpty() ? null : value;
  }

  private static int steps(Map<String, String> query) {
    String text = query.getOrDefault("steps", Integer.toString(STEPS));
    if (!text.matches("\\d{1,4}") || Integer.parseInt(text) < 1) {
      throw new IllegalArgumentException("steps " + text + ": expected 1 to " + STEPS_MAX);
    }
    return Math.min(STEPS_MAX, Integer.parseInt(text));
  }

  private static void write(HistoryReport report, JsonGenerator json) {
    json.writeNumberProperty("from_ms", report.selection().fromMillis());
    json.writeNumberProperty("to_ms", report.selection().toMillis());
    json.writeNumberProperty("resolution_s", report.resolution().spanMillis() / 1_000);
    Course course = report.course();
    values("seconds", course.seconds(), 1, json);
    json.writeArrayPropertyStart("jobs");
    course
        .bytesPerSecondByJob()
        .forEach((job, rates) -> {
          json.writeStartObject();
          json.writeStringProperty("name", job);
          values("bytes_per_second", rates, 1, json);
          json.writeEndObject();
        });
    json.writeEndArray();
    json.writeArrayPropertyStart("targets");
    Map<String, double[]> used = course.utilisationByTarget();
    course
        .bytesPerSecondByTarget()
        .forEach((target, rates) -> {
          json.writeStartObject();
          json.writeStringProperty("name", target);
          values("bytes_per_second", rates, 1, json);
          values("utilisation", used.getOrDefault(target, new double[0]), 1e4, json);
          json.writeEndObject();
        });
    json.writeEndArray();
    events(report.events(), json);
  }

  private static void events(List<Event> events, JsonGenerator json) {
    json.writeArrayPropertyStart("events");
    for (Event event : events.subList(Math.max(0, events.size() - EVENTS_MAX), events.size())) {
      json.writeStartObject();
      json.writeNumberProperty("at_ms", event.atMillis());
      json.writeStringProperty("kind", event.kind().text());
      json.writeStringProperty("who", event.who());
      json.writeStringProperty("about", event.subject());
      json.writeStringProperty("what", event.words());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Numbers as coarse as a picture needs them. */
  private static void values(String name, double[] values, double parts, JsonGenerator json) {
    json.writeArrayPropertyStart(name);
    for (double value : values) {
      double rounded = Math.round(value * parts) / parts;
      if (rounded == Math.rint(rounded)) {
        json.writeNumber((long) rounded);
      } else {
        json.writeNumber(rounded);
      }
    }
    json.writeEndArray();
  }
}
