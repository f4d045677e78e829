package dev.sluice.history.api;

import dev.sluice.command.JsonLine;
import dev.sluice.history.model.Event;
import dev.sluice.history.model.Sample;
import dev.sluice.history.report.Busiest;
import dev.sluice.history.report.Course;
import dev.sluice.history.report.Moment;
import dev.sluice.history.report.Selection;
import dev.sluice.history.store.HistoryFiles;
import dev.sluice.history.store.Resolution;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** History as JSON, for the dashboard; docs/history.md describes it. */
public final class HistoryJson {
  private static final int STEPS = 240;
  private static final int STEPS_MAX = 1_000;

  /** Jobs with curves of their own: as many as the dashboard has colours for. */
  private static final int CURVES_MAX = 8;

  /** The newest so many events are told. */
  private static final int EVENTS_MAX = 200;

  /** Jobs that are told of a moment: the busiest. */
  private static final int JOBS_MAX = 1_000;

  private static final Comparator<Moment.Row> BUSIEST_FIRST =
      Comparator.<Moment.Row>comparingLong(row -> row.did().bytes())
          .thenComparingLong(row -> row.did().operations())
          .reversed();

  private HistoryJson() {}

  /**
   * How it went over time.
   *
   * @param query the parameters of docs/history.md
   * @throws IllegalArgumentException when one of them is wrong; the message says which
   */
  public static String curves(HistoryFiles files, Map<String, String> query, long nowMillis)
      throws IOException {
    long fromMillis = nowMillis - Durations.millis("since", query.getOrDefault("since", "1h"));
    String until = query.get("until");
    long toMillis = nowMillis - (until == null ? 0 : Durations.millis("until", until));
    if (fromMillis >= toMillis) {
      throw new IllegalArgumentException("since: expected more than until");
    }
    Selection selection =
        new Selection(fromMillis, toMillis, given(query, "job"), given(query, "user"));
    String target = given(query, "target");
    int steps = steps(query);
    Resolution resolution =
        Resolution.stepping((toMillis - fromMillis) / steps, nowMillis - fromMillis);
    Busiest busiest = new Busiest(selection, target);
    read(files, resolution, selection, busiest::add);
    Course course = new Course(selection, busiest.jobs(CURVES_MAX), target, steps);
    read(files, resolution, selection, course::add);
    List<Event> events = files.events(fromMillis, toMillis);
    return JsonLine.object(json -> {
      stretch(selection, resolution, json);
      json.writeArrayPropertyStart("seconds");
      for (double second : course.seconds()) {
        number(second, 1, json);
      }
      json.writeEndArray();
      json.writeArrayPropertyStart("jobs");
      course.jobs().forEach((job, curve) -> curve(job, curve, course, false, json));
      json.writeEndArray();
      json.writeArrayPropertyStart("targets");
      course.targets().forEach((name, curve) -> curve(name, curve, course, true, json));
      json.writeEndArray();
      events(events, json);
    });
  }

  /**
   * Who did what in a short stretch.
   *
   * @param query the parameters of docs/history.md
   * @throws IllegalArgumentException when one of them is wrong; the message says which
   */
  public static String jobs(HistoryFiles files, Map<String, String> query, long nowMillis)
      throws IOException {
    long fromMillis = instant(query, "from_ms");
    long toMillis = instant(query, "to_ms");
    if (fromMillis >= toMillis) {
      throw new IllegalArgumentException("from_ms: expected less than to_ms");
    }
    Selection selection = new Selection(fromMillis, toMillis, null, null);
    Resolution resolution =
        Resolution.stepping(toMillis - fromMillis, Math.max(0, nowMillis - fromMillis));
    String target = given(query, "target");
    Moment moment = new Moment();
    read(files, resolution, selection, sample -> moment.add(only(target, sample)));
    // Samples do not begin and end where somebody asks.
    double seconds = moment.coveredMillis() / 1e3;
    return JsonLine.object(json -> {
      stretch(selection, resolution, json);
      json.writeArrayPropertyStart("jobs");
      moment.rows().stream()
          .sorted(BUSIEST_FIRST)
          .limit(JOBS_MAX)
          .forEach(row -> row(row, seconds, json));
      json.writeEndArray();
    });
  }

  private static void read(
      HistoryFiles files, Resolution resolution, Selection selection, Consumer<Sample> sink)
      throws IOException {
    files.samplesUpToNow(resolution, selection.fromMillis(), selection.toMillis(), sink);
  }

  /** A sample of one target alone, or of all where none is named. */
  private static Sample only(@Nullable String target, Sample sample) {
    return target == null
        ? sample
        : new Sample(
            sample.endMillis(),
            sample.spanMillis(),
            sample.policy(),
            sample.observesOnly(),
            sample.targets().stream().filter(on -> on.name().equals(target)).toList());
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

  private static long instant(Map<String, String> query, String name) {
    String text = query.getOrDefault(name, "");
    if (!text.matches("\\d{1,15}")) {
      throw new IllegalArgumentException(name + " " + text + ": expected milliseconds since 1970");
    }
    return Long.parseLong(text);
  }

  private static void stretch(Selection selection, Resolution resolution, JsonGenerator json) {
    json.writeNumberProperty("from_ms", selection.fromMillis());
    json.writeNumberProperty("to_ms", selection.toMillis());
    json.writeNumberProperty("resolution_s", resolution.spanMillis() / 1_000);
  }

  private static void curve(
      String name, Course.Curve curve, Course course, boolean target, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("name", name);
    values("bytes_per_second", curve.bytesPerSecond(), 1, course, json);
    values("operations_per_second", curve.operationsPerSecond(), 10, course, json);
    values("waited_ms", curve.waitMillis(), 100, course, json);
    values("queued", curve.queued(), 1, course, json);
    if (target) {
      values("utilisation", curve.utilisation(), 1e4, course, json);
      values("capacity_tokens_per_second", curve.capacityTokensPerSecond(), 1, course, json);
    }
    json.writeEndObject();
  }

  private static void row(Moment.Row row, double seconds, JsonGenerator json) {
    Sample.OfJob did = row.did();
    json.writeStartObject();
    json.writeStringProperty("target", row.target());
    json.writeStringProperty("job", did.id());
    json.writeStringProperty("user", did.user());
    json.writeNumberProperty("weight", did.weight());
    json.writeName("allowed_tokens_per_second");
    if (did.allowedTokensPerSecond() == Sample.OfJob.UNLIMITED) {
      json.writeNull();
    } else {
      json.writeNumber(did.allowedTokensPerSecond());
    }
    property("read_bytes_per_second", did.readBytes() / seconds, 1, json);
    property("written_bytes_per_second", did.writtenBytes() / seconds, 1, json);
    property("operations_per_second", did.operations() / seconds, 10, json);
    property("waited_ms", did.meanWaitMicros() / 1e3, 100, json);
    json.writeNumberProperty("queued", did.queued());
    property("active_s", row.activeMillis() / 1e3, 10, json);
    property("held_back_s", did.heldBackMillis() / 1e3, 10, json);
    json.writeEndObject();
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

  /** A value for each step; null where nothing is known. */
  private static void values(
      String name, double[] values, double parts, Course course, JsonGenerator json) {
    json.writeArrayPropertyStart(name);
    for (int step = 0; step < values.length; step++) {
      if (course.isKnown(step)) {
        number(values[step], parts, json);
      } else {
        json.writeNull();
      }
    }
    json.writeEndArray();
  }

  private static void property(String name, double value, double parts, JsonGenerator json) {
    json.writeName(name);
    number(value, parts, json);
  }

  /** As coarse as a picture needs it. */
  private static void number(double value, double parts, JsonGenerator json) {
    double rounded = Math.round(value * parts) / parts;
    if (rounded == Math.rint(rounded)) {
      json.writeNumber((long) rounded);
    } else {
      json.writeNumber(rounded);
    }
  }
}
