package dev.sluice.app.serve;

import dev.sluice.app.BadInputException;
import dev.sluice.core.classify.RuleSyntaxException;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.gateway.config.ConfigurationReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows, checks or replaces the rules of a gateway. */
@Command(
    name = "rules",
    description = {
      "Show which job is charged for what on a gateway that runs, or change it.",
      "",
      "docs/rules.md describes rules; a file to start from is examples/rules/site.rules.",
      ""
    },
    subcommands = {
      RulesCommand.ShowCommand.class,
      RulesCommand.CheckCommand.class,
      RulesCommand.LoadCommand.class
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example: ./sluice rules check site.rules && ./sluice rules load site.rules"})
public final class RulesCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin GatewayOption gateway = new GatewayOption();

  @Override
  public void run() {
    show(gateway, Objects.requireNonNull(spec).commandLine().getOut());
  }

  private static void show(GatewayOption gateway, PrintWriter out) {
    print(gateway.answer("rules", request -> request.writeStringProperty("action", "show")), out);
  }

  private static void print(DocumentMap answer, PrintWriter out) {
    for (DocumentNode node : answer.required("rules").list()) {
      DocumentMap rule = node.openMap();
      String match = rule.required("match").text();
      out.println(
          rule.required("name").text()
              + ": "
              + (match.isEmpty() ? "" : match + " ")
              + "-> job="
              + rule.required("job").text()
              + " class="
              + rule.required("class").text());
    }
    out.println(answer.required("count").text() + " rules");
  }

  /** {@code rules show}. */
  @Command(name = "show", description = "Show the rules in force.", mixinStandardHelpOptions = true)
  static final class ShowCommand implements Runnable {
    @Spec @Nullable CommandSpec spec;

    @Mixin GatewayOption gateway = new GatewayOption();

    @Override
    public void run() {
      show(gateway, Objects.requireNonNull(spec).commandLine().getOut());
    }
  }

  /** {@code rules check}; needs no gateway. */
  @Command(
      name = "check",
      description = "Check a file with rules; no gateway is needed.",
      mixinStandardHelpOptions = true)
  static final class CheckCommand implements Runnable {
    @Spec @Nullable CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The rules.")
    String file = "";

    @Override
    public void run() {
      try {
        int count = ConfigurationReader.readRules(Path.of(file)).rules().size();
        Objects.requireNonNull(spec).commandLine().getOut().println(file + ": " + count + " rules");
      } catch (NoSuchFileException e) {
        throw new BadInputException(file + ": no such file", e);
      } catch (IOException e) {
        throw new BadInputException(file + ": cannot be read: " + e.getMessage(), e);
      } catch (RuleSyntaxException e) {
        throw new BadInputException(file + ": " + e.getMessage(), e);
      }
    }
  }

  /** {@code rules load}. */
  @Command(
      name = "load",
      description = {
        "Put the rules of a file in force at once. They are read again when the file changes,",
        "and hold until the configuration is read again or the gateway ends."
      },
      mixinStandardHelpOptions = true)
  static final class LoadCommand implements Runnable {
    @Spec @Nullable CommandSpec spec;

    @Mixin GatewayOption gateway = new GatewayOption();

    @Parameters(paramLabel = "FILE", description = "The rules.")
    String file = "";

    @Override
    public void run() {
      DocumentMap answer =
          gateway.answer(
              "rules",
              request -> {
                request.writeStringProperty("action", "load");
                request.writeStringProperty("file", Path.of(file).toAbsolutePath().toString());
              });
      print(answer, Objects.requireNonNull(spec).commandLine().getOut());
    }
  }
}
