package dev.sluice.app;

import java.io.PrintWriter;
import java.util.List;

/**
 * What happens on Ctrl-C or SIGTERM to a program that runs until it is told to stop: what it began
 * ends in order. That is no failure, which is what the exit code of a signal would say.
 */
public final class SignalStop implements AutoCloseable {
  private final PrintWriter out;
  private final Thread hook;
  private volatile List<Ending> endings = List.of();

  /** Ends what was begun. */
  @FunctionalInterface
  public interface Ending {
    void end() throws Exception;
  }

  /** Holds until it is closed, which must be the last thing that the command does. */
  public SignalStop(PrintWriter out) {
    this.out = out;
    this.hook = new Thread(this::stopped, "on-signal");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Has a signal end these first, in this order. */
  public void ends(Ending... begun) {
    endings = List.of(begun);
  }

  private void stopped() {
    for (Ending ending : endings) {
      try {
        ending.end();
      } catch (Exception e) {
        // The program ends all the same; whoever stopped it should know.
        out.println(e.getMessage());
      }
    }
    out.println("stopped");
    out.flush();
    Runtime.getRuntime().halt(0);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // A signal came meanwhile, and the hook ends the program.
    }
  }
}
