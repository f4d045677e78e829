package dev.sluice.web;

import dev.sluice.access.Role;
import dev.sluice.command.JsonLine;
import dev.sluice.web.SyntheticProgram.Job;
import dev.sluice.web.server.HttpMethod;
import dev.sluice.web.server.Routes;
import dev.sluice.web.server.WebAnswer;
import dev.sluice.web.server.WebRequest;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongSupplier;
import tools.jackson.core.JsonGenerator;

/**
 * Answers questions about what a synthetic program did before, as a program that keeps history
 * would. A job named {@link #AT_NIGHT} did something in the past alone.
 */
public final class SyntheticHistory {
  /** A job that is over. */
  public static final String AT_NIGHT = "night-backup";

  private static final Map<String, Long> SECONDS =
      Map.of("5min", 300L, "15min", 900L, "1h", 3_600L, "24h", 86_400L, "30d", 2_592_000L);

  private static final int CURVES_MAX = 8;

  private final SyntheticProgram program;
  private final LongSupplier nowMillis;

  public SyntheticHistory(SyntheticProgram program, LongSupplier nowMillis) {
    this.program = program;
    this.nowMillis = nowMillis;
  }

  /** Adds all that history answers. */
  public void addTo(Routes routes) {
    routes.add(HttpMethod.GET, "/api/v1/history", Role.READ, this::curves);
    routes.add(HttpMethod.GET, "/api/v1/history/jobs", Role.READ, this::jobs);
  }

  private WebAnswer curves(WebRequest request) {
    long seconds = SECONDS.getOrDefault(String.valueOf(request.queried("since")), 3_600L);
    int steps = (int) request.whole("steps", 240, 1, 1_000);
    long toMillis = nowMillis.getAsLong();
    long fromMillis = toMillis - 1_000 * seconds;
    double stepSeconds = (double) seconds / steps;
    double beganSeconds = fromMillis / 1e3;
    return WebAnswer.json(
        JsonLine.object(json -> {
          json.writeNumberProperty("from_ms", fromMillis);
          json.writeNumberProperty("to_ms", toMillis);
          json.writeNumberProperty(
              "resolution_s", seconds > 3_600 ? 60 : stepSeconds < 10 ? 1 : 10);
          values("seconds", steps, step -> (step + 0.5) * stepSeconds, json);
          json.writeArrayPropertyStart("jobs");
          List<Job> shown =
              program.jobs().subList(0, Math.min(CURVES_MAX - 1, program.jobs().size()));
          for (Job job : shown) {
            curve(
                job.id(),
                steps,
                step -> SyntheticProgram.wanted(job, beganSeconds / stepSeconds + step),
                json);
          }
          curve(AT_NIGHT, steps, step -> step < steps / 3.0 ? 9e7 : 0, json);
          curve("", steps, _ -> 1e6, json);
          json.writeEndArray();
          json.writeArrayPropertyStart("targets");
          for (String target : List.of("scratch", "home")) {
            json.writeStartObject();
            json.writeStringProperty("name", target);
            values("utilisation", steps, step -> step < steps / 3.0 ? 0.97 : 0.6, json);
            values("capacity_tokens_per_second", steps, step -> step < 5 ? 0 : 4e8, json);
            json.writeEndObject();
          }
          json.writeEndArray();
          json.writeArrayPropertyStart("events");
          json.writeStartObject();
          json.writeNumberProperty("at_ms", fromMillis + 250 * seconds);
          json.writeStringProperty("kind", "change");
          json.writeStringProperty("who", "anna");
          json.writeStringProperty("about", AT_NIGHT);
          json.writeStringProperty("what", "limit 90 MB/s");
          json.writeEndObject();
          json.writeEndArray();
        }));
  }

  private static void curve(
      String name, int steps, DoubleUnaryOperator bytesPerSecond, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("name", name);
    values("bytes_per_second", steps, bytesPerSecond, json);
    values(
        "operations_per_second", steps, step -> bytesPerSecond.applyAsDouble(step) / 65_536, json);
    values("waited_ms", steps, step -> bytesPerSecond.applyAsDouble(step) / 1e7, json);
    values("queued", steps, step -> Math.rint(bytesPerSecond.applyAsDouble(step) / 2e7), json);
    json.writeEndObject();
  }

  private static void values(
      String name, int steps, DoubleUnaryOperator value, JsonGenerator json) {
    json.writeArrayPropertyStart(name);
    for (int step = 0; step < steps; step++) {
      json.writeNumber(value.applyAsDouble(step));
    }
    json.writeEndArray();
  }

  private WebAnswer jobs(WebRequest request) {
    long fromMillis = request.whole("from_ms", 0, 0, Long.MAX_VALUE);
    long toMillis = request.whole("to_ms", 0, 0, Long.MAX_VALUE);
    return WebAnswer.json(
        JsonLine.object(json -> {
          json.writeNumberProperty("from_ms", fromMillis);
          json.writeNumberProperty("to_ms", toMillis);
          json.writeArrayPropertyStart("jobs");
          json.writeStartObject();
          json.writeStringProperty("target", "scratch");
          json.writeStringProperty("job", AT_NIGHT);
          json.writeStringProperty("user", "operator");
          json.writeNumberProperty("weight", 1);
          json.writeNumberProperty("allowed_tokens_per_second", 90_000_000);
          json.writeNumberProperty("read_bytes_per_second", 90_000_000);
          json.writeNumberProperty("written_bytes_per_second", 0);
          json.writeNumberProperty("operations_per_second", 1_400);
          json.writeNumberProperty("waited_ms", 130);
          json.writeNumberProperty("queued", 12);
          json.writeEndObject();
          json.writeEndArray();
        }));
  }
}
