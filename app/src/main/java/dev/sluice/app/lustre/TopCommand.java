package dev.sluice.app.lustre;

import dev.sluice.app.FailedException;
import dev.sluice.app.LiveScreen;
import dev.sluice.lustre.control.LustreTop;
import dev.sluice.lustre.lctl.LustreServer;
import dev.sluice.lustre.lctl.ProcessLctl;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows who does what on a Lustre server. */
@Command(
    name = "top",
    description = {
      "Show the jobs on this Lustre server by rate, and whom a rule holds back.",
      "",
      "Needs no configuration and changes nothing. Lustre counts requests once they are served:",
      "a job that uses up what its rule lets pass is shown as held back.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Examples: ./sluice lustre top", "          ./sluice lustre top --once --json"})
public final class TopCommand implements Runnable {
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  @Spec @Nullable CommandSpec spec;

  @Option(
      names = "--service",
      paramLabel = "NAME",
      description =
          "ost_io on an OSS; mdt, mdt_io or mdt_readpage on an MDS; ldlm on both (default:"
              + " ${DEFAULT-VALUE}).")
  String service = "ost_io";

  @Option(
      names = "--lctl",
      paramLabel = "PROGRAM",
      description = "Lustre's lctl (default: ${DEFAULT-VALUE}).")
  String lctl = "lctl";

  @Option(
      names = "--interval",
      paramLabel = "DURATION",
      description = "From one look to the next (default: ${DEFAULT-VALUE}).")
  String interval = "1 s";

  @Option(
      names = "--jobs",
      paramLabel = "NUMBER",
      description = "How many jobs to show (default: ${DEFAULT-VALUE}).")
  int jobs = 20;

  @Option(names = "--once", description = "Show one interval and end.")
  boolean once;

  @Option(names = "--json", description = "Print JSON for programs, an object for each interval.")
  boolean json;

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    long intervalNanos = IntervalOption.nanos(interval);
    LustreServer server =
        new LustreServer(new ProcessLctl(lctl, PATIENCE_NANOS), ServiceOption.named(service));
    LiveScreen screen = LiveScreen.onConsole(out);
    try {
      LustreTop top = new LustreTop(server);
      top.look(System.nanoTime());
      do {
        TimeUnit.NANOSECONDS.sleep(intervalNanos);
        LustreTop.Look look = top.look(System.nanoTime());
        if (look != null) {
          show(look, screen, out);
        }
      } while (!once);
    } catch (IOException e) {
      throw new FailedException(String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException("interrupted", e);
    }
  }

  private void show(LustreTop.Look look, LiveScreen screen, PrintWriter out) {
    if (json) {
      out.println(LustreJson.top(look, jobs));
    } else if (once) {
      LustreText.top(look, jobs).forEach(out::println);
    } else {
      screen.show(new Picture(look, jobs));
    }
    out.flush();
  }

  private record Picture(LustreTop.Look look, int jobs) implements LiveScreen.Picture {
    @Override
    public List<String> lines() {
      return LustreText.top(look, jobs);
    }

    @Override
    public String line() {
      return LustreText.summary(look);
    }
  }
}
