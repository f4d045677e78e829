package dev.sluice.app.limits;

import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows who changed what, when. */
@Command(
    name = "history",
    description = {
      "Show who changed what and when, the newest first; or one version as it was written.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples: ./sluice limits history",
      "          ./sluice limits history 3       the text of version 3"
    })
final class HistoryCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin ControllerOption controller = new ControllerOption();

  @Option(
      names = "--max",
      paramLabel = "NUMBER",
      description = "How many versions to show (default: ${DEFAULT-VALUE}).")
  int max = 20;

  @Parameters(arity = "0..1", paramLabel = "VERSION", description = "Print this one's text.")
  @Nullable Long version;

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    if (version != null) {
      out.print(controller.get("/api/v1/documents/" + version).required("content").text());
      out.flush();
      return;
    }
    DocumentMap answer = controller.get("/api/v1/documents?max=" + max);
    for (DocumentNode node : answer.required("versions").list()) {
      out.println(HistoryText.headline(node.openMap()));
      HistoryText.changes(node.openMap()).forEach(out::println);
    }
    if (answer.required("versions").list().isEmpty()) {
      out.println("no document was applied yet");
    }
  }
}
