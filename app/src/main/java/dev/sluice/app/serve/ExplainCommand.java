package dev.sluice.app.serve;

import dev.sluice.command.CommandClient;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells why a job gets what it gets. */
@Command(
    name = "explain",
    description = "Tell why a job gets what it gets on a gateway that runs, in words and numbers.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example: ./sluice explain 4711"})
public final class ExplainCommand implements Runnable {
  private static final String BARS = " ▁▂▃▄▅▆▇█";

  @Spec @Nullable CommandSpec spec;

  @Mixin GatewayOption gateway = new GatewayOption();

  @Parameters(paramLabel = "JOB", description = "The job, as ./sluice status names it.")
  String job = "";

  @Option(names = "--json", description = "Print JSON for programs instead of text for people.")
  boolean json;

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    String answer = gateway.ask("explain", request -> request.writeStringProperty("job", job));
    if (json) {
      out.println(answer);
      return;
    }
    for (DocumentNode node : CommandClient.read(answer).openMap().required("explanations").list()) {
      tell(node.openMap(), out);
    }
  }

  private void tell(DocumentMap explanation, PrintWriter out) {
    out.println(
        "job "
            + job
            + ", weight "
            + explanation.required("weight").text()
            + ": "
            + explanation.required("state").text());
    out.println("  " + explanation.required("summary").text());
    String reason = explanation.required("reason").text();
    if (reason.equals("null")) {
      out.println("  the last decision was not about this job");
    } else {
      out.println("  " + reason);
      DocumentNode figures = explanation.optional("figures");
      if (figures != null) {
        figures
            .openMap()
            .entries()
            .forEach((name, value) ->
                out.println(
                    "    "
                        + name
                        + " "
                        + (value.text().equals("null") ? "unlimited" : value.text())));
      }
    }
    for (Map.Entry<String, DocumentNode> target :
        explanation.required("last_minute").openMap().entries().entrySet()) {
      lastMinute(target.getKey(), target.getValue().list(), out);
    }
  }

  private static void lastMinute(String target, List<DocumentNode> seconds, PrintWriter out) {
    if (seconds.isEmpty()) {
      return;
    }
    double[] bytes = new double[seconds.size()];
    double most = 1;
    double sum = 0;
    for (int i = 0; i < bytes.length; i++) {
      DocumentMap second = seconds.get(i).openMap();
      bytes[i] =
          StatusText.value(second, "read_bytes_per_second")
              + StatusText.value(second, "written_bytes_per_second");
      most = Math.max(most, bytes[i]);
      sum += bytes[i];
    }
    StringBuilder picture = new StringBuilder();
    for (double value : bytes) {
      picture.append(BARS.charAt((int) Math.round(value / most * (BARS.length() - 1))));
    }
    out.println(
        "  "
            + target
            + ": busy in "
            + bytes.length
            + " of the last 60 s, "
            + Quantities.formatRate(sum / bytes.length, Counted.BYTES)
            + " on average, at most "
            + Quantities.formatRate(most, Counted.BYTES));
    out.println("  |" + picture + "|");
  }
}
