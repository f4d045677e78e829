package dev.sluice.app.load;

import dev.sluice.app.LiveScreen;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.load.play.JobProgress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/**
 * The jobs of a play while it runs: a bar for what each was served in the last second. Used by one
 * thread.
 */
public final class JobBars {
  private static final int CELLS = 40;
  private static final int JOBS_MAX = 20;
  private static final long WINDOW_NANOS = 1_000_000_000L;
  private static final int SNAPSHOTS_MAX = 64;

  private final String title;
  private final double fullBytesPerSecond;
  private final Deque<Snapshot> snapshots = new ArrayDeque<>();
  private double fastest = 1;

  /** What was seen at an instant. */
  private record Snapshot(List<JobProgress> jobs, long nowNanos) {}

  /**
   * Bars of a play.
   *
   * @param fullBytesPerSecond what a full bar stands for; 0 for the most that any job ever had
   */
  public JobBars(String title, double fullBytesPerSecond) {
    this.title = title;
    this.fullBytesPerSecond = fullBytesPerSecond;
  }

  /** Takes note, and answers what to show. */
  public LiveScreen.Picture at(List<JobProgress> jobs, long nowNanos, long endNanos) {
    snapshots.add(new Snapshot(jobs, nowNanos));
    while (snapshots.size() > SNAPSHOTS_MAX
        || snapshots.element().nowNanos < nowNanos - WINDOW_NANOS) {
      snapshots.remove();
    }
    return new Bars(rows(jobs, nowNanos), nowNanos, endNanos);
  }

  /** What one job is served. */
  private record Row(JobId id, double perSecond, Counted counted, long bytes, String state) {
    String rate() {
      return Quantities.formatRate(perSecond, counted);
    }
  }

  private List<Row> rows(List<JobProgress> jobs, long nowNanos) {
    Snapshot first = snapshots.element();
    double seconds = Math.max(1, nowNanos - first.nowNanos) / 1e9;
    boolean bytes = jobs.stream().anyMatch(job -> job.bytes() > 0);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < Math.min(jobs.size(), JOBS_MAX); i++) {
      JobProgress now = jobs.get(i);
      JobProgress before = first.jobs.get(i);
      double amount =
          bytes
              ? (double) (now.bytes() - before.bytes())
              : (double) (now.operations() - before.operations());
      double perSecond = first.nowNanos == nowNanos ? 0 : amount / seconds;
      fastest = Math.max(fastest, perSecond);
      String state = now.done() ? "done" : now.started() ? "" : "not started";
      rows.add(
          new Row(
              now.id(), perSecond, bytes ? Counted.BYTES : Counted.OPERATIONS, now.bytes(), state));
    }
    return rows;
  }

  private final class Bars implements LiveScreen.Picture {
    private final List<Row> rows;
    private final long nowNanos;
    private final long endNanos;

    Bars(List<Row> rows, long nowNanos, long endNanos) {
      this.rows = rows;
      this.nowNanos = nowNanos;
      this.endNanos = endNanos;
    }

    private String head() {
      return String.format(
          Locale.ROOT, "%s, %.0f s of %.0f s", title, nowNanos / 1e9, endNanos / 1e9);
    }

    @Override
    public List<String> lines() {
      List<String> lines = new ArrayList<>(List.of(head()));
      int width = rows.stream().mapToInt(row -> row.id.toString().length()).max().orElse(0);
      double full = fullBytesPerSecond > 0 ? fullBytesPerSecond : fastest;
      for (Row row : rows) {
        int filled = (int) Math.round(CELLS * Math.clamp(row.perSecond / full, 0, 1));
        String name = LoadText.harmless(row.id.toString());
        lines.add(
            "  "
                + name
                + " ".repeat(Math.max(0, width - name.length()))
                + " ["
                + "#".repeat(filled)
                + ".".repeat(CELLS - filled)
                + "] "
                + String.format(Locale.ROOT, "%11s", row.rate())
                + (row.state.isEmpty() ? "" : "  " + row.state));
      }
      return lines;
    }

    @Override
    public String line() {
      StringBuilder line = new StringBuilder(head()).append(':');
      String separator = " ";
      for (Row row : rows) {
        line.append(separator).append(LoadText.harmless(row.id.toString())).append(' ');
        line.append(row.rate());
        separator = ", ";
      }
      return line.toString();
    }
  }
}
