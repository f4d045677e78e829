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
    DocumentNode problems = status.optional("problems");
    if (problems != null) {
      problems.list().forEach(each -> lines.add("note: " + each.text()));
    }
    status.required("resources").list().forEach(each -> lines.add(resource(each.openMap())));
    status.required("targets").list().forEach(each -> lines.add(target(each.openMap())));
    lines.addAll(members(status).lines());
    lines.addAll(jobs(status).lines());
    DocumentNode gateways = status.optional("gateways");
    if (gateways != null && gateways.isMap()) {
      lines.addAll(gateways(gateways.openMap()));
    }
    return lines;
  }

  private static String resource(DocumentMap resource) {
    return resource.required("scope").text()
        + ": "
        + rate(resource, "used")
        + " of "
        + rate(resource, "maximum")
        + ", divided by "
        + resource.required("algorithm").text();
  }

  private static String target(DocumentMap target) {
    return target.required("name").text()
        + ": "
        + rate(target, "used")
        + " of "
        + (target.optional("maximum") == null ? "what is not known" : rate(target, "maximum"))
        + ", "
        + target.required("queued").text()
        + " waiting, "
        + target.required("jobs").text()
        + " jobs, decided by "
        + target.required("algorithm").text();
  }

  private static Table members(DocumentMap status) {
    Table table = new Table(List.of("member", "kind", "host", "agents", "jobs", "heard of"));
    for (DocumentNode node : status.required("members").list()) {
      DocumentMap member = node.openMap();
      table.row(
          List.of(
              member.required("name").text(),
              member.required("kind").text(),
              member.required("host").text(),
              member.required("agents").text(),
              member.required("jobs").text(),
              member.required("silent-millis").text() + " ms ago"));
    }
    return table;
  }

  private static Table jobs(DocumentMap status) {
    Table table = new Table(List.of("job", "user", "nodes", "of", "uses", "may use", "counts on"));
    for (DocumentNode node : status.required("jobs").list()) {
      DocumentMap job = node.openMap();
      for (DocumentNode each : job.required("rates").list()) {
        DocumentMap rate = each.openMap();
        table.row(
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
    return table;
  }

  private static List<String> gateways(DocumentMap gateways) {
    List<String> lines = new ArrayList<>();
    List<String> connected =
        gateways.required("connected").list().stream().map(DocumentNode::text).toList();
    lines.add(
        gateways.required("policy").text()
            + " decides about "
            + gateways.required("targets").text()
            + " targets; connected gateways: "
            + (connected.isEmpty() ? "none" : String.join(", ", connected))
            + "; decisions: "
            + gateways.required("decisions").text());
    String trouble = gateways.required("trouble").text();
    if (!trouble.equals("null")) {
      lines.add("note: " + trouble);
    }
    lines.add(gateways.required("summary").text());
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
