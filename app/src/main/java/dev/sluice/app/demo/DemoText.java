package dev.sluice.app.demo;

import dev.sluice.app.Table;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.load.play.PlayResult;
import dev.sluice.sim.result.Agreement;
import dev.sluice.sim.result.LatencySummary;
import dev.sluice.sim.result.Summary;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.Scenario;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** What the policies made of the same jobs, as one table for people. */
final class DemoText {
  private static final String NOTHING = "–";

  private DemoText() {}

  /** What one policy did, measured, and how that agrees with its simulation. */
  record Run(String policy, PlayResult measured, Summary summary, Agreement agreement) {
    Summary.Job job(JobId id) {
      return summary.jobs().stream().filter(job -> job.id().equals(id)).findFirst().orElseThrow();
    }

    double difference(JobId id) {
      return agreement.jobs().stream()
          .filter(job -> job.id().equals(id))
          .findFirst()
          .orElseThrow()
          .difference();
    }

    /** Which part of the target's capacity was used. */
    double used(long bytesPerSecond) {
      return (double) summary.total().bytes() / bytesPerSecond / (measured.run().endNanos() / 1e9);
    }
  }

  static void print(Scenario scenario, List<Run> runs, PrintWriter out) {
    long capacity = scenario.targets().getFirst().bytesPerSecond();
    out.println(
        scenario.description()
            + " Real NFS traffic over loopback, on a target of "
            + Quantities.formatRate((double) capacity, Counted.BYTES)
            + ":");
    List<String> head = new ArrayList<>(List.of("job", ""));
    runs.forEach(run -> head.add(run.policy()));
    Table table = new Table(head);
    for (JobSpec job : scenario.jobs()) {
      JobId id = job.id();
      String name = id + ", " + job.nodes() + (job.nodes() == 1 ? " node" : " nodes");
      row(table, name, "throughput", runs, run -> throughput(run.job(id)));
      row(table, "", "simulation differs by", runs, run -> percent(run.difference(id)));
      if (runs.stream().anyMatch(run -> run.measured().bursts(id).count() > 0)) {
        row(table, "", "burst p50", runs, run -> burst(run, id, false));
        row(table, "", "burst p99", runs, run -> burst(run, id, true));
      }
    }
    row(
        table,
        "all",
        "target used",
        runs,
        run -> String.format(Locale.ROOT, "%.1f %%", 100 * run.used(capacity)));
    table.lines().forEach(line -> out.println("  " + line));
    for (Run run : runs) {
      if (run.measured().toldToComeLater() > 0) {
        out.println(
            "Told to come later under "
                + run.policy()
                + ": "
                + run.measured().toldToComeLater()
                + " calls, which came back.");
      }
    }
    printAgreement(runs, out);
  }

  private static void row(
      Table table, String job, String what, List<Run> runs, Function<Run, String> value) {
    List<String> cells = new ArrayList<>(List.of(job, what));
    runs.forEach(run -> cells.add(value.apply(run)));
    table.row(cells);
  }

  private static String throughput(Summary.Job job) {
    return Quantities.formatRate(job.bytesPerSecond().orElse(0), Counted.BYTES);
  }

  /** One that rounds to none has no sign. */
  private static String percent(double part) {
    double tenths = Math.rint(1_000 * part);
    return tenths == 0 ? "0.0 %" : String.format(Locale.ROOT, "%+.1f %%", tenths / 10);
  }

  private static String burst(Run run, JobId id, boolean late) {
    LatencySummary bursts = run.measured().bursts(id);
    return bursts.count() == 0
        ? NOTHING
        : Quantities.formatDuration(late ? bursts.p99Nanos() : bursts.p50Nanos());
  }

  private static void printAgreement(List<Run> runs, PrintWriter out) {
    Run worst = runs.getFirst();
    for (Run run : runs) {
      worst = run.agreement().worst() > worst.agreement().worst() ? run : worst;
    }
    out.println(
        String.format(
            Locale.ROOT,
            "The simulator foretold every job's throughput to %.1f %% (farthest off under %s).",
            100 * worst.agreement().worst(),
            worst.policy()));
  }
}
