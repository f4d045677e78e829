package dev.sluice.app.serve;

import dev.sluice.app.FailedException;
import dev.sluice.app.ProgressBar;
import dev.sluice.command.CommandClient;
import dev.sluice.document.DocumentMap;
import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows who does what on a gateway. */
@Command(
    name = "status",
    description = {
      "Show who does what on a gateway that runs: each target, and on it the busiest jobs of the"
          + " last second, what each may have and how long its requests wait."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example: ./sluice status --watch"})
public final class StatusCommand implements Runnable {
  /** Moves to the top left and clears what is below. */
  private static final String CLEAR = "\033[H\033[J";

  private static final long WATCH_MILLIS = 1_000;

  @Spec @Nullable CommandSpec spec;

  @Mixin GatewayOption gateway = new GatewayOption();

  @Option(names = "--json", description = "Print JSON for programs instead of tables for people.")
  boolean json;

  @Option(names = "--watch", description = "Show it anew every second, until Ctrl-C.")
  boolean watch;

  @Option(
      names = "--jobs",
      paramLabel = "NUMBER",
      description = "How many jobs to show for each target (default: ${DEFAULT-VALUE}).")
  int jobs = 20;

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    show(out);
    while (watch) {
      try {
        Thread.sleep(WATCH_MILLIS);
      } catch (InterruptedException e) {
        throw new FailedException("interrupted", e);
      }
      show(out);
    }
  }

  private void show(PrintWriter out) {
    String answer = gateway.ask("status", arguments -> arguments.writeNumberProperty("jobs", jobs));
    if (json) {
      out.println(answer);
      return;
    }
    DocumentMap status = CommandClient.read(answer).openMap();
    // Read before anything is cleared, so that the screen never flickers.
    String text = String.join(System.lineSeparator(), StatusText.lines(status));
    out.println((watch && ProgressBar.isOnTerminal() ? CLEAR : "") + text);
    out.flush();
  }
}
