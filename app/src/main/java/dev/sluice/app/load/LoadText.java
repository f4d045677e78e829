package dev.sluice.app.load;

import dev.sluice.app.Table;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.load.play.PlayResult;
import dev.sluice.sim.result.LatencySummary;
import dev.sluice.sim.result.Summary;
import java.io.PrintWriter;
import java.util.List;

/** What came of a play, as a table for people. */
final class LoadText {
  private static final String NOTHING = "–";

  private LoadText() {}

  static void print(PlayResult result, PrintWriter out) {
    Table table =
        new Table(
            List.of(
                "job",
                "nodes",
                "moved",
                "throughput",
                "operations",
                "latency p50",
                "p99",
                "burst p50",
                "p99"));
    Summary summary = Summary.of(result.run());
    for (Summary.Job job : summary.jobs()) {
      LatencySummary bursts = result.bursts(job.id());
      table.row(
          List.of(
              harmless(job.id().toString()),
              Long.toString(job.nodes()),
              Quantities.formatBytes((double) job.bytes()),
              Quantities.formatRate(job.bytesPerSecond().orElse(0), Counted.BYTES),
              Quantities.formatRate(job.operationsPerSecond().orElse(0), Counted.OPERATIONS),
              duration(job.latency(), job.latency().p50Nanos()),
              duration(job.latency(), job.latency().p99Nanos()),
              duration(bursts, bursts.p50Nanos()),
              duration(bursts, bursts.p99Nanos())));
    }
    table.lines().forEach(line -> out.println("  " + line));
    out.println(
        "All jobs together: "
            + Quantities.formatRate(summary.total().bytesPerSecond().orElse(0), Counted.BYTES)
            + ", "
            + Quantities.formatRate(
                summary.total().operationsPerSecond().orElse(0), Counted.OPERATIONS)
            + " over "
            + Quantities.formatDuration(result.run().endNanos()));
    if (summary.total().stillWaiting() > 0) {
      out.println(
          "Without an answer at the end: "
              + summary.total().stillWaiting()
              + " requests, the oldest for "
              + Quantities.formatDuration(summary.total().oldestWaitNanos().orElse(0))
              + "; they count with the time they have waited");
    }
    if (result.reconnections() > 0) {
      out.println("Connections that broke and were made anew: " + result.reconnections());
    }
    if (result.toldToComeLater() > 0) {
      out.println("Told to come later: " + result.toldToComeLater() + " calls, which came back");
    }
    if (result.verifiedBytes() > 0) {
      out.println(
          "Read back and found right: " + Quantities.formatBytes((double) result.verifiedBytes()));
    }
  }

  /** A duration among others; nothing where none was measured. */
  static String duration(LatencySummary measured, long nanos) {
    return measured.count() == 0 ? NOTHING : Quantities.formatDuration(nanos);
  }

  /** How long bursts took, and how many were not over at the end, as CSV for programs. */
  static String burstsCsv(PlayResult result) {
    StringBuilder csv =
        new StringBuilder("job,bursts,mean_s,p50_s,p95_s,p99_s,max_s,still_waiting\n");
    for (Summary.Job job : Summary.of(result.run()).jobs()) {
      JobId id = job.id();
      LatencySummary bursts = result.bursts(id);
      csv.append('"').append(id.toString().replace("\"", "\"\"")).append("\",");
      csv.append(bursts.count());
      for (long nanos :
          new long[] {
            bursts.meanNanos(),
            bursts.p50Nanos(),
            bursts.p95Nanos(),
            bursts.p99Nanos(),
            bursts.maxNanos()
          }) {
        csv.append(',').append(bursts.count() == 0 ? "" : Double.toString(nanos / 1e9));
      }
      csv.append(',').append(bursts.waiting()).append('\n');
    }
    return csv.toString();
  }

  /** The text without characters that a terminal would obey. */
  static String harmless(String text) {
    return text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]", "\uFFFD");
  }
}
