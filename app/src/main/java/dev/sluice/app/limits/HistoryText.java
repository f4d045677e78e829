package dev.sluice.app.limits;

import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Versions of a document, for people. */
final class HistoryText {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private HistoryText() {}

  /** {@code version 3, 2026-11-16 06:15:00 UTC, by anna: back to version 1 (too slow)}. */
  static String headline(DocumentMap version) {
    long number = version.required("version").whole(0, Long.MAX_VALUE);
    if (number == 0) {
      return "no document was applied yet";
    }
    String restores = version.required("restores").text();
    String note = version.required("note").text();
    return "version "
        + number
        + ", "
        + TIME.format(Instant.ofEpochMilli(version.required("applied_ms").whole(0, Long.MAX_VALUE)))
        + ", by "
        + version.required("author").text()
        + (restores.equals("null") ? "" : ", back to version " + restores)
        + (note.isEmpty() ? "" : ": " + note);
  }

  /** What a version changed, one line for each thing. */
  static List<String> changes(DocumentMap version) {
    return indented(version.required("changes").list());
  }

  /** What became of a wish. */
  static List<String> outcome(DocumentMap outcome) {
    String version = outcome.required("version").text();
    if (!outcome.required("changed").bool()) {
      return List.of("nothing changes: this is version " + version + ", which is in force");
    }
    List<String> lines = new ArrayList<>();
    boolean dryRun = outcome.required("dry_run").bool();
    lines.add(dryRun ? "this would change:" : "version " + version + " is in force; it changes:");
    List<String> changes = indented(outcome.required("changes").list());
    lines.addAll(changes.isEmpty() ? List.of("  only how it is written") : changes);
    List<DocumentNode> effects = outcome.required("effects").list();
    lines.add(
        effects.isEmpty()
            ? "for jobs that run now, nothing changes at this moment"
            : "for jobs that run now:");
    lines.addAll(indented(effects));
    return lines;
  }

  private static List<String> indented(List<DocumentNode> texts) {
    return texts.stream().map(text -> "  " + text.text()).toList();
  }
}
