package dev.sluice.app;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether a command that takes its time shows how far it is. */
public final class ProgressOption {
  @Option(names = "--quiet", description = "Show no progress.")
  boolean quiet;

  /**
   * A bar at zero; null where none is wanted.
   *
   * @param task what is being done, in a word or two
   */
  public @Nullable ProgressBar bar(PrintWriter out, String task) {
    return quiet ? null : ProgressBar.onConsole(out, task);
  }
}
