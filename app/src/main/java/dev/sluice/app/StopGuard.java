package dev.sluice.app;

import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What happens on Ctrl-C to a command that leaves something behind elsewhere unless it ends in
 * order: it is told to stop, and the program waits for it to clean up behind itself.
 */
public final class StopGuard implements AutoCloseable {
  /** More would look like a program that cannot be stopped. */
  private static final long PATIENCE_SECONDS = 15;

  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread hook;

  /**
   * Guards until it is closed, which must be the last thing that the command does.
   *
   * @param stop makes the command come to its end soon
   */
  public StopGuard(Runnable stop, PrintWriter errors) {
    hook = new Thread(() -> interrupted(stop, errors), "on-interrupt");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void interrupted(Runnable stop, PrintWriter errors) {
    errors.println("interrupted; cleaning up");
    errors.flush();
    stop.run();
    try {
      if (!over.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        errors.println("cleaning up takes too long; something may be left");
        errors.flush();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    over.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The program is ending already, and the hook is what runs now.
    }
  }
}
