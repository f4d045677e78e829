package dev.sluice.app.limits;

import dev.sluice.command.JsonLine;
import dev.sluice.document.DocumentMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Puts an earlier document in force again. */
@Command(
    name = "rollback",
    description = {
      "Put an earlier version of the document in force again.",
      "",
      "Nothing is taken out of the history: the earlier version is applied once more, as a new",
      "one that says which it brings back.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples: ./sluice limits rollback 3 --dry-run",
      "          ./sluice limits rollback 3 --note \"the new limits were too low\""
    })
final class RollbackCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin ControllerOption controller = new ControllerOption();

  @Parameters(
      paramLabel = "VERSION",
      description = "Which one; ./sluice limits history lists them.")
  long version;

  @Option(names = "--dry-run", description = "Only say what would change.")
  boolean dryRun;

  @Option(names = "--note", paramLabel = "TEXT", description = "Why, for the history.")
  String note = "";

  @Override
  public void run() {
    HistoryText.outcome(dryRun ? tried() : done())
        .forEach(Objects.requireNonNull(spec).commandLine().getOut()::println);
  }

  private DocumentMap tried() {
    String content = controller.get("/api/v1/documents/" + version).required("content").text();
    return controller.post(
        "/api/v1/document/check",
        JsonLine.object(json -> json.writeStringProperty("content", content)));
  }

  private DocumentMap done() {
    return controller.post(
        "/api/v1/documents/" + version + "/restore",
        JsonLine.object(json -> json.writeStringProperty("note", note)));
  }
}
