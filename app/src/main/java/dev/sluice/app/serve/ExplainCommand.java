package dev.sluice.app.serve;

import java.io.PrintWriter;
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
    ExplanationText.lines(job, answer).forEach(out::println);
  }
}
