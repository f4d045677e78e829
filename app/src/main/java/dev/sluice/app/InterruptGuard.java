package dev.sluice.app;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * What happens on Ctrl-C while a command is at work: no half-written file stays, and the terminal
 * is left clean. Closing it, which must happen when the work is done, also takes away files that
 * did not get their names.
 */
public final class InterruptGuard implements AutoCloseable {
  private final @Nullable OutputDirectory directory;
  private final Thread hook;

  /** Guards until it is closed. */
  public InterruptGuard(
      @Nullable OutputDirectory directory, @Nullable ProgressBar progress, PrintWriter errors) {
    this.directory = directory;
    this.hook = new Thread(() -> interrupted(directory, progress, errors), "on-interrupt");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private static void interrupted(
      @Nullable OutputDirectory directory, @Nullable ProgressBar progress, PrintWriter errors) {
    if (progress != null) {
      progress.clear();
    }
    if (directory != null) {
      directory.abandon();
    }
    boolean complete = directory != null && directory.isPublished();
    errors.println(
        complete ? "interrupted; the files are complete" : "interrupted; nothing was written");
    errors.flush();
  }

  @Override
  public void close() {
    if (directory != null) {
      directory.abandon();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The program is ending already, and the hook is what runs now.
    }
  }
}
