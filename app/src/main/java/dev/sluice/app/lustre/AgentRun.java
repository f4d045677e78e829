package dev.sluice.app.lustre;

import dev.sluice.app.FailedException;
import dev.sluice.lustre.control.LustreAgent;
import dev.sluice.lustre.control.PeriodReport;
import dev.sluice.lustre.control.RefusedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs an agent to its end. Ctrl-C and SIGTERM have it stop and give the service back before the
 * program ends; being told to stop is no failure.
 */
final class AgentRun {
  /** More than giving a service back takes, tried as often as it is. */
  private static final long PATIENCE_SECONDS = 60;

  private final PrintWriter out;
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile @Nullable String problem;

  AgentRun(PrintWriter out) {
    this.out = out;
  }

  /** Makes an agent. */
  interface Start {
    LustreAgent agent() throws IOException, InterruptedException, RefusedException;
  }

  void run(
      Start start, long periods, Consumer<LustreAgent> begun, Consumer<PeriodReport> listener) {
    Thread onSignal = null;
    try (LustreAgent agent = start.agent()) {
      onSignal = new Thread(() -> stopped(agent), "on-signal");
      Runtime.getRuntime().addShutdownHook(onSignal);
      begun.accept(agent);
      agent.run(periods, listener);
    } catch (IOException | RefusedException e) {
      problem = String.valueOf(e.getMessage());
      throw new FailedException(String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException("interrupted", e);
    } finally {
      over.countDown();
      if (onSignal != null) {
        forget(onSignal);
      }
    }
  }

  private static void forget(Thread onSignal) {
    try {
      Runtime.getRuntime().removeShutdownHook(onSignal);
    } catch (IllegalStateException e) {
      // A signal came meanwhile, and the hook ends the program.
    }
  }

  private void stopped(LustreAgent agent) {
    agent.stop();
    boolean inTime;
    try {
      inTime = over.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      inTime = false;
    }
    String said = inTime ? problem : "giving the service back takes too long; the journal stays";
    out.println(said == null ? "stopped; the server is as it was" : said);
    out.flush();
    Runtime.getRuntime().halt(said == null ? 0 : 1);
  }
}
