package dev.sluice.app.limits;

import dev.sluice.app.BadInputException;
import dev.sluice.command.JsonLine;
import dev.sluice.store.documents.PolicyDocumentReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Puts a document in force. */
@Command(
    name = "apply",
    description = {
      "Put a document in force, in place of the one that is in force now.",
      "",
      "The whole document counts: what it leaves out is gone. It holds within a cycle of the",
      "controller, and is refused as a whole where anything in it is wrong, with line and column.",
      "--dry-run needs no right to change anything.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples: ./sluice limits apply limits.yaml --dry-run",
      "          ./sluice limits apply limits.yaml --note \"alice has a deadline\"",
      "          ./sluice limits apply limits.yaml --on-version 7   only if 7 is still in force"
    })
final class ApplyCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin ControllerOption controller = new ControllerOption();

  @Parameters(paramLabel = "FILE", description = "The document; - for standard input.")
  String file = "";

  @Option(names = "--dry-run", description = "Only say what would change.")
  boolean dryRun;

  @Option(names = "--note", paramLabel = "TEXT", description = "Why, for the history.")
  String note = "";

  @Option(
      names = "--on-version",
      paramLabel = "NUMBER",
      description = "Do nothing where another version is in force: somebody else was here.")
  @Nullable Long onVersion;

  @Override
  public void run() {
    String content = content();
    // Here, where the name of the file is known that an error is about.
    PolicyDocumentReader.read(file.equals("-") ? "standard input" : file, content);
    String body =
        JsonLine.object(json -> {
          json.writeStringProperty("content", content);
          json.writeStringProperty("note", note);
          if (onVersion != null) {
            json.writeNumberProperty("on_version", onVersion);
          }
        });
    HistoryText.outcome(
            controller.post(dryRun ? "/api/v1/document/check" : "/api/v1/documents", body))
        .forEach(Objects.requireNonNull(spec).commandLine().getOut()::println);
  }

  private String content() {
    try {
      return file.equals("-")
          ? new String(
              System.in.readNBytes(PolicyDocumentReader.LENGTH_MAX + 1), StandardCharsets.UTF_8)
          : Files.readString(Path.of(file));
    } catch (IOException | InvalidPathException e) {
      throw new BadInputException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }
}
