package dev.sluice.app.limits;

import dev.sluice.app.Table;
import dev.sluice.core.model.Quantities;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the document in force. */
@Command(
    name = "limits",
    description = {
      "Show what a controller holds everybody to, and change it.",
      "",
      "One document has it all: resources with a maximum that a policy divides among jobs,",
      "limits for single jobs and users, and what was promised on gateways. Every document that was"
          + " ever in force is kept, with who",
      "applied it, when and why; going back is one command.",
      "",
      "  resources:",
      "    - {operations: metadata, max: 110 kops/s, policy: psfa}",
      "  limits:",
      "    - {name: backup, user: backup, rates: {read: 200 MB/s},",
      "       when: {from: \"08:00\", to: \"18:00\", days: [mon, tue, wed, thu, fri]}}",
      "    - {name: everybody, job: \"*\", rates: {open: 5 kops/s}, kind: soft}",
      "  guarantees: [{user: alice, rate: 50 MB/s}]",
      "  goals: [{group: interactive, p99: 20 ms}]",
      "",
      "A hard limit always holds. A soft one holds while the resource that its operations",
      "belong to is scarce. docs/documents.md describes all.",
      "./sluice limit JOB is for a job on this node alone, while it runs.",
      ""
    },
    subcommands = {ApplyCommand.class, HistoryCommand.class, RollbackCommand.class},
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples: ./sluice limits                          what is in force",
      "          ./sluice limits --text > limits.yaml     the document as it was written",
      "          ./sluice limits apply limits.yaml --dry-run",
      "          ./sluice limits apply limits.yaml --note \"maintenance tonight\"",
      "          ./sluice limits history",
      "          ./sluice limits rollback 3"
    })
public final class LimitsCommand implements Runnable {
  private static final long NANOS_PER_MILLI = 1_000_000;

  @Spec @Nullable CommandSpec spec;

  @Mixin ControllerOption controller = new ControllerOption();

  @Option(names = "--text", description = "Print the document as it was written.")
  boolean text;

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    DocumentMap document = controller.get("/api/v1/document");
    if (text) {
      out.print(document.required("content").text());
      out.flush();
      return;
    }
    out.println(HistoryText.headline(document));
    resources(document.required("resources").list()).forEach(out::println);
    limits(document.required("limits").list()).forEach(out::println);
    for (DocumentNode node : document.required("guarantees").list()) {
      DocumentMap guarantee = node.openMap();
      out.println(promised(guarantee) + guarantee.required("rate").text() + " on each target");
    }
    for (DocumentNode node : document.required("goals").list()) {
      DocumentMap goal = node.openMap();
      out.println(
          promised(goal) + "99 of 100 requests in " + goal.required("p99_ms").text() + " ms");
    }
    String trouble = document.required("trouble").text();
    if (!trouble.equals("null")) {
      out.println(trouble);
    }
  }

  private static String promised(DocumentMap promise) {
    return "promised to "
        + promise.required("by").text()
        + " "
        + promise.required("name").text()
        + ": ";
  }

  private static List<String> resources(List<DocumentNode> resources) {
    if (resources.isEmpty()) {
      return List.of("nothing is divided");
    }
    Table table = new Table(List.of("resource", "maximum", "divided by", "jobs with terms"));
    for (DocumentNode node : resources) {
      DocumentMap resource = node.openMap();
      table.row(
          List.of(
              resource.required("operations").text(),
              resource.required("rate").text(),
              resource.required("policy").text(),
              Integer.toString(resource.required("jobs").list().size())));
    }
    return table.lines();
  }

  private static List<String> limits(List<DocumentNode> limits) {
    if (limits.isEmpty()) {
      return List.of("nobody is limited");
    }
    Table table = new Table(List.of("limit", "for each", "at most", "kind", "now", "when"));
    for (DocumentNode node : limits) {
      DocumentMap limit = node.openMap();
      table.row(
          List.of(
              limit.required("name").text(),
              limit.required("each").text(),
              limit.required("rates").list().stream()
                  .map(DocumentNode::openMap)
                  .map(rate ->
                      rate.required("operations").text() + " " + rate.required("rate").text())
                  .collect(Collectors.joining(", ")),
              kind(limit),
              limit.required("in_force").bool() ? "in force" : "not now",
              limit.required("when").text()));
    }
    return table.lines();
  }

  private static String kind(DocumentMap limit) {
    long burstMillis = limit.required("burst_ms").whole(0, Long.MAX_VALUE / NANOS_PER_MILLI);
    return limit.required("kind").text()
        + (burstMillis == 0
            ? ""
            : ", burst " + Quantities.formatDuration(burstMillis * NANOS_PER_MILLI));
  }
}
