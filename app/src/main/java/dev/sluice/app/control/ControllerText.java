package dev.sluice.app.control;

import dev.sluice.app.Table;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.util.ArrayList;
import java.util.List;

/** Writes a controller's status for people. */
final class ControllerText {
  private ControllerText() {}

  static List<String> lines(DocumentMap status) {
    List<String> lines = new ArrayList<>();
    boolean leads = status.required("leads").bool();
    lines.add(
        leads
            ? "leads, epoch " + status.required("epoch").text()
            : "does not lead: " + status.required("reason").text());
    DocumentNode problem = status.optional("problem");
    if (problem != null) {
      lines.add("note: " + problem.text());
    }
    for (DocumentNode node : status.required("resources").list()) {
      DocumentMap resource = node.openMap();
      lines.add(
          resource.required("scope").text()
              + ": "
              + rate(resource, "used")
              + " of "
              + rate(resource, "maximum")
              + ", divided by "
              + resource.required("algorithm").text());
    }
    Table members = new Table(List.of("member", "kind", "host", "agents", "jobs", "heard of"));
    for (DocumentNode node : status.required("members").list()) {
      DocumentMap member = node.openMap();
      members.row(
          List.of(
              member.required("name").text(),
              member.required("kind").text(),
              member.required("host").text(),
              member.required("agents").text(),
              member.required("jobs").text(),
              member.required("silent-millis").text() + " ms ago"));
    }
    lines.addAll(members.lines());
    Table jobs = new Table(List.of("job", "user", "nodes", "of", "uses", "may use", "counts on"));
    for (DocumentNode node : status.required("jobs").list()) {
      DocumentMap job = node.openMap();
      for (DocumentNode each : job.required("rates").list()) {
        DocumentMap rate = each.openMap();
        jobs.row(
            List.of(
                job.required("job").text(),
                job.required("user").text(),
                job.required("nodes").text(),
                rate.required("scope").text(),
                rate(rate, "used"),
                rate(rate, "allowed"),
                rate(rate, "demand")));
      }
    }
    lines.addAll(jobs.lines());
    DocumentNode targets = status.optional("targets");
    if (targets != null && targets.isMap()) {
      lines.addAll(targets(targets.openMap()));
    }
    return lines;
  }

  private static List<String> targets(DocumentMap targets) {
    List<String> lines = new ArrayList<>();
    List<String> gateways =
        targets.required("gateways").list().stream().map(DocumentNode::text).toList();
    lines.add(
        targets.required("policy").text()
            + " decides about "
            + targets.required("count").text()
            + " targets; connected gateways: "
            + (gateways.isEmpty() ? "none" : String.join(", ", gateways))
            + "; decisions: "
            + targets.required("decisions").text());
    String trouble = targets.required("trouble").text();
    if (!trouble.equals("null")) {
      lines.add("note: " + trouble);
    }
    lines.add(targets.required("summary").text());
    return lines;
  }

  private static String rate(DocumentMap of, String key) {
    DocumentNode node = of.optional(key);
    boolean bytes = of.required("counted").text().equals("bytes");
    return node == null
        ? "-"
        : Quantities.formatRate(
            node.number(0, Double.MAX_VALUE), bytes ? Counted.BYTES : Counted.OPERATIONS);
  }
}
