package dev.sluice.web.api;

import dev.sluice.command.JsonLine;
import dev.sluice.command.RequestHandler;
import dev.sluice.document.DocumentException;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is in force and can be changed by a command, as the status tells it.
 *
 * @param policy empty where the status does not say
 * @param overrides what was set for single jobs
 */
record Situation(
    String policy, Map<String, String> settings, boolean observesOnly, Map<String, Set> overrides) {
  /** Nothing is known, so nothing can be taken back. */
  private static final Situation UNKNOWN = new Situation("", Map.of(), false, Map.of());

  /** What was set for a job, as it would be set again; what is null was not. */
  record Set(
      @Nullable String weight,
      @Nullable String limit,
      @Nullable String priority,
      @Nullable String phase) {}

  static Situation of(RequestHandler commands) {
    String line =
        JsonLine.object(json -> {
          json.writeStringProperty("command", "status");
          json.writeNumberProperty("jobs", 0);
        });
    try {
      return of(Documents.parse("status", commands.reply(line).line()).openMap());
    } catch (DocumentException e) {
      return UNKNOWN;
    }
  }

  private static Situation of(DocumentMap status) {
    Map<String, String> settings = new LinkedHashMap<>();
    status
        .required("settings")
        .openMap()
        .entries()
        .forEach((name, value) -> settings.put(name, value.text()));
    Map<String, Set> overrides = new LinkedHashMap<>();
    DocumentNode given = status.optional("overrides");
    if (given != null) {
      for (DocumentNode node : given.list()) {
        DocumentMap job = node.openMap();
        overrides.put(
            job.required("job").text(),
            new Set(
                text(job, "weight"),
                text(job, "limit"),
                text(job, "priority"),
                text(job, "phase")));
      }
    }
    return new Situation(
        status.required("policy").text(),
        settings,
        status.required("observe_only").bool(),
        overrides);
  }

  private static @Nullable String text(DocumentMap map, String key) {
    DocumentNode node = map.optional(key);
    return node == null || node.text().equals("null") ? null : node.text();
  }
}
