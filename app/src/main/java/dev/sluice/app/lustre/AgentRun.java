package dev.sluice.app.lustre;

import dev.sluice.app.FailedException;
import dev.sluice.app.service.ServiceManager;
import dev.sluice.core.model.Quantities;
import dev.sluice.lustre.control.LustreAgent;
import dev.sluice.lustre.control.PeriodReport;
import dev.sluice.lustre.control.RefusedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs an agent to its end. Ctrl-C and SIGTERM have it stop and give the service back before the
 * program ends; being told to stop is no failure.
 */
final class AgentRun {
  /** More than giving a service back takes, tried as often as it is. */
  private static final long PATIENCE_SECONDS = 60;

  /** Longer than lctl may take, twice, and a period. */
  private static final long SILENT_NANOS = 120_000_000_000L;

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

  /** What is there as long as an agent runs, and is told of each period. */
  interface Beside extends Consumer<PeriodReport>, AutoCloseable {
    @Override
    void close() throws IOException;

    /** Nothing but a listener. */
    static Beside of(Consumer<PeriodReport> listener) {
      return new Beside() {
        @Override
        public void accept(PeriodReport report) {
          listener.accept(report);
        }

        @Override
        public void close() {}
      };
    }
  }

  /** Makes it for an agent. */
  interface Beginning {
    Beside of(LustreAgent agent) throws IOException;
  }

  void run(Start start, long periods, Beginning begun) {
    Thread onSignal = null;
    try (ServiceManager manager = new ServiceManager();
        LustreAgent agent = start.agent()) {
      onSignal = new Thread(() -> stopped(agent), "on-signal");
      Runtime.getRuntime().addShutdownHook(onSignal);
      run(agent, periods, begun, manager);
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

  private static void run(LustreAgent agent, long periods, Beginning begun, ServiceManager manager)
      throws IOException, InterruptedException, RefusedException {
    try (Beside listener = begun(begun, agent)) {
      AtomicLong lastNanos = new AtomicLong(System.nanoTime());
      manager.ready("looking after this server", () -> silence(lastNanos.get()));
      agent.run(
          periods,
          report -> {
            lastNanos.set(System.nanoTime());
            listener.accept(report);
          });
    }
  }

  /** What cannot be shown to others, as where a port is taken, is not begun with either. */
  private static Beside begun(Beginning begun, LustreAgent agent)
      throws IOException, InterruptedException, RefusedException {
    try {
      return begun.of(agent);
    } catch (IOException | RuntimeException e) {
      agent.giveBack();
      throw e;
    }
  }

  /** Where lctl hangs there are no reports for long; a restart lets what is left be put back. */
  private static List<String> silence(long lastNanos) {
    long silentNanos = System.nanoTime() - lastNanos;
    return silentNanos < SILENT_NANOS
        ? List.of()
        : List.of("nothing was decided for " + Quantities.formatDuration(silentNanos));
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
