package dev.sluice.app.manual;

import dev.sluice.app.OutputDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes the manual, for those who make packages. */
@Command(
    name = "manual",
    hidden = true,
    description = "Write a manual page for each command, and completion for bash.",
    mixinStandardHelpOptions = true)
public final class ManualCommand implements Runnable {
  /** What bash's completion is called there. */
  public static final String COMPLETION = "sluice.bash";

  @Spec @Nullable CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "Where to.")
  String directory = "";

  @Override
  public void run() {
    CommandSpec whole = Objects.requireNonNull(spec).root();
    String version = String.join(" ", whole.version());
    OutputDirectory to = OutputDirectory.at(directory);
    for (CommandSpec command : all(whole)) {
      to.write(ManualPage.file(command), page -> page.append(ManualPage.of(command, version)));
    }
    to.write(COMPLETION, text -> text.append(AutoComplete.bash(whole.name(), whole.commandLine())));
    to.publish();
  }

  /** A command, and all below it that help shows. */
  private static List<CommandSpec> all(CommandSpec command) {
    List<CommandSpec> found = new ArrayList<>();
    if (!command.usageMessage().hidden()) {
      found.add(command);
      for (CommandLine below : command.subcommands().values()) {
        found.addAll(all(below.getCommandSpec()));
      }
    }
    return found;
  }
}
