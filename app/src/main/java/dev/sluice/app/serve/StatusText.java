package dev.sluice.app.serve;

import dev.sluice.app.Table;
import dev.sluice.app.control.LinkText;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A gateway's status as text for people. */
final class StatusText {
  private StatusText() {}

  static List<String> lines(DocumentMap status) {
    List<String> lines = new ArrayList<>();
    lines.add(policy(status));
    String directory = status.required("job_directory").text();
    if (!directory.isEmpty()) {
      lines.add("jobs: " + directory);
    }
    DocumentNode nfs4 = status.optional("nfs4");
    if (nfs4 != null && nfs4.isMap()) {
      lines.add(version4(nfs4.openMap()));
    }
    String weights = status.required("share_weights").text();
    if (!weights.isEmpty()) {
      lines.add("shares: by " + status.required("shares_by").text() + "; weights: " + weights);
    }
    lines.addAll(LinkText.lines(status, "our own policy decides"));
    DocumentNode failover = status.optional("failover");
    if (failover != null && failover.isMap()) {
      lines.add("failover: " + TurnText.words(failover.openMap()));
    }
    for (DocumentNode problem : status.required("problems").list()) {
      lines.add("note: " + problem.text());
    }
    for (DocumentNode target : status.required("targets").list()) {
      lines.add("");
      target(target.openMap(), lines);
    }
    return lines;
  }

  /** Who decides, in one line. */
  static String policy(DocumentMap status) {
    StringBuilder line = new StringBuilder();
    line.append("policy ").append(status.required("policy").text());
    status
        .required("settings")
        .openMap()
        .entries()
        .forEach((name, value) -> line.append(' ').append(name).append('=').append(value.text()));
    line.append(", deciding every ")
        .append(Quantities.formatDuration(Math.round(value(status, "period_ms") * 1e6)));
    if (status.required("observe_only").bool()) {
      line.append("; observing only: nothing is enforced");
    }
    line.append("; up ")
        .append(Quantities.formatDuration(Math.round(value(status, "up_s")) * 1_000_000_000L))
        .append(", connections ")
        .append(status.required("connections").text());
    return line.toString();
  }

  /** What clients of version 4 have. */
  private static String version4(DocumentMap seen) {
    String line =
        ("NFS 4: clients %s, late %s; open files %s, locks %s; %s of %s slots wait,"
                + " told to come later %s")
            .formatted(
                seen.required("clients").text(),
                seen.required("late_clients").text(),
                seen.required("open_files").text(),
                seen.required("locks").text(),
                seen.required("slots_waiting").text(),
                seen.required("slots").text(),
                seen.required("delays").text());
    return seen.required("grace").bool()
        ? line + "; clients take their locks again, and no files are opened until they have"
        : line;
  }

  private static void target(DocumentMap target, List<String> lines) {
    lines.add(
        target.required("name").text()
            + ": "
            + rate(target, "bytes_per_second", Counted.BYTES)
            + " and "
            + rate(target, "operations_per_second", Counted.OPERATIONS)
            + " of "
            + target.required("capacity").text()
            + "; "
            + target.required("queued").text()
            + " waiting, "
            + target.required("in_service").text()
            + " being served");
    String trouble = target.required("trouble").text();
    if (!trouble.equals("null")) {
      lines.add("note: " + trouble);
    }
    DocumentNode goals = target.optional("goals");
    if (goals != null) {
      goals.list().forEach(goal -> lines.add(goal.openMap().required("words").text()));
    }
    List<DocumentNode> jobs = target.required("jobs").list();
    boolean branches = jobs.stream().anyMatch(job -> job.openMap().optional("branch") != null);
    List<String> titles =
        new ArrayList<>(
            List.of("job", "weight", "read", "written", "operations", "wait", "queued", "allowed"));
    if (branches) {
      titles.add("branch");
    }
    Table table = new Table(titles);
    for (DocumentNode node : jobs) {
      DocumentMap job = node.openMap();
      List<String> cells =
          new ArrayList<>(
              List.of(
                  job.required("job").text(),
                  job.required("weight").text(),
                  rate(job, "read_bytes_per_second", Counted.BYTES),
                  rate(job, "written_bytes_per_second", Counted.BYTES),
                  rate(job, "operations_per_second", Counted.OPERATIONS),
                  String.format(Locale.ROOT, "%.1f ms", value(job, "waited_ms")),
                  job.required("queued").text(),
                  job.required("allowed").text()));
      if (branches) {
        DocumentNode branch = job.optional("branch");
        cells.add(branch == null ? "" : branch.text());
      }
      table.row(cells);
    }
    if (!jobs.isEmpty()) {
      table.lines().forEach(line -> lines.add("  " + line));
    }
    long hidden = target.required("busy_jobs").whole(0, Long.MAX_VALUE) - jobs.size();
    if (hidden > 0) {
      lines.add("  and " + hidden + " more; --jobs NUMBER shows them");
    }
  }

  static String rate(DocumentMap map, String key, Counted counted) {
    return Quantities.formatRate(value(map, key), counted);
  }

  static double value(DocumentMap map, String key) {
    return map.required(key).number(-Double.MAX_VALUE, Double.MAX_VALUE);
  }
}
