package dev.sluice.app.lustre;

import dev.sluice.app.FailedException;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.check.IdSurvey;
import dev.sluice.lustre.lctl.LustreServer;
import dev.sluice.lustre.lctl.ProcessLctl;
import dev.sluice.lustre.stats.JobIdForm;
import dev.sluice.lustre.stats.JobStatsDeltas;
import dev.sluice.lustre.stats.ServiceStats;
import dev.sluice.lustre.tbf.FilterKinds;
import dev.sluice.lustre.tbf.VersionHazards;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says whether clients tell which jobs they work for. */
@Command(
    name = "check",
    description = {
      "Say whether this server's clients tell which jobs they work for, and what to change.",
      "",
      "Watches requests for a while. Changes nothing, and needs no configuration.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example: ./sluice lustre check --interval 1m"})
public final class CheckIdsCommand implements Runnable {
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  @Spec @Nullable CommandSpec spec;

  @Option(
      names = "--service",
      paramLabel = "NAME",
      description = "ost_io on an OSS, mdt on an MDS (default: ${DEFAULT-VALUE}).")
  String service = "ost_io";

  @Option(
      names = "--lctl",
      paramLabel = "PROGRAM",
      description = "Lustre's lctl (default: ${DEFAULT-VALUE}).")
  String lctl = "lctl";

  @Option(
      names = "--interval",
      paramLabel = "DURATION",
      description = "For how long to watch (default: ${DEFAULT-VALUE}).")
  String interval = "5 s";

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    LustreService chosen = ServiceOption.named(service);
    long intervalNanos = IntervalOption.nanos(interval);
    LustreServer server = new LustreServer(new ProcessLctl(lctl, PATIENCE_NANOS), chosen);
    try {
      LustreVersion version = server.version();
      JobStatsDeltas deltas = new JobStatsDeltas();
      server.readJobStats(JobIdForm.of(version), deltas);
      LustreServer.Queue before = server.queue();
      TimeUnit.NANOSECONDS.sleep(intervalNanos);
      String problem = server.readJobStats(JobIdForm.of(version), deltas);
      ServiceStats taken = server.queue().stats().since(before.stats());
      out.println(
          "Lustre "
              + version
              + ", "
              + chosen.policiesParameter()
              + " is \""
              + before.policies().regular()
              + "\"; it knows rules by "
              + FilterKinds.words(version));
      VersionHazards.notes(version).forEach(note -> out.println("note: " + note));
      if (problem != null) {
        out.println("note: " + problem);
      }
      print(IdSurvey.of(chosen, deltas.take(), taken.requests()), intervalNanos / 1e9, out);
    } catch (IOException e) {
      throw new FailedException(String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException("interrupted", e);
    }
  }

  private static void print(IdSurvey survey, double seconds, PrintWriter out) {
    out.println(
        Quantities.formatRate(survey.requests() / seconds, Counted.OPERATIONS)
            + " for "
            + Quantities.formatDuration(Math.round(seconds * 1e9)));
    for (IdSurvey.OfKind kind : survey.kinds()) {
      out.println(
          "  "
              + percent(kind.requests(), survey.requests())
              + " under "
              + kind.ids()
              + (kind.ids() == 1 ? " id" : " ids")
              + " of "
              + kind.kind().words()
              + ": "
              + String.join(", ", kind.examples()));
    }
    if (survey.uncounted() > 0) {
      out.println("  " + percent(survey.uncounted(), survey.requests()) + " counted for no job");
    }
    survey.advice().forEach(advice -> out.println("advice: " + advice));
    if (survey.advice().isEmpty()) {
      out.println("clients tell which jobs they work for");
    }
    out.flush();
  }

  private static String percent(long part, long all) {
    return String.format(Locale.ROOT, "%.1f %%", all == 0 ? 0 : 100.0 * part / all);
  }
}
