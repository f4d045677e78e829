package dev.sluice.app.reproduce;

import dev.sluice.core.model.Quantities;
import dev.sluice.sim.papers.Claim;
import dev.sluice.sim.report.ReportTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** What all live experiments say of themselves. */
final class LiveText {
  private static final double EXCESS_MAX = 0.01;

  private LiveText() {}

  /** How the paper was made to fit. */
  static String pace(LivePace pace) {
    return "Four jobs of three processes each, under the stage on this machine. A minute of the"
        + " paper lasts "
        + Quantities.formatDuration(pace.minuteNanos())
        + ", one operation stands for "
        + pace.scale()
        + ", and Max_R is divided anew every "
        + Quantities.formatDuration(pace.stepNanos())
        + ".";
  }

  static Claim maximumHolds(String id, Collection<LivePlay.Result> results) {
    double second = 0;
    double fiveSeconds = 0;
    for (LivePlay.Result result : results) {
      second = Math.max(second, result.highest(1));
      fiveSeconds = Math.max(fiveSeconds, result.highest(5));
    }
    return new Claim(
        id,
        "Max_R is not exceeded under PADLL's algorithms",
        "the highest rate over any second is "
            + percent(second)
            + " of Max_R, over any 5 s "
            + percent(fiveSeconds)
            + "; an idle job saves up 20 ms of its rate, so we allow 1 % over 5 s",
        fiveSeconds <= 1 + EXCESS_MAX);
  }

  static Claim allIsDone(String id, Collection<LivePlay.Result> results) {
    boolean complete = results.stream().allMatch(LivePlay.Result::isComplete);
    return new Claim(
        id,
        "all jobs submit all their operations",
        complete ? "they do, and the stage has counted each" : "not all were seen, see the table",
        complete);
  }

  static ReportTable table(List<List<String>> rows) {
    return new ReportTable(
        "Minutes of the paper until all jobs, and each, had ended; the highest rate over any second"
            + " and any 5 s as a part of Max_R; operations that jobs were to do, and did",
        List.of(
            "set-up", "paper", "ours", "job 1", "job 2", "job 3", "job 4", "1 s", "5 s", "to do",
            "done"),
        rows);
  }

  static List<String> row(String setup, String paper, LivePlay.Result result) {
    List<String> row = new ArrayList<>(List.of(setup, paper, minutes(result.minutes())));
    result.endMinutes().forEach(end -> row.add(minutes(end)));
    row.add(percent(result.highest(1)));
    row.add(percent(result.highest(5)));
    row.add(Long.toString(result.told()));
    row.add(Long.toString(result.done()));
    return row;
  }

  private static String minutes(double minutes) {
    return String.format(Locale.ROOT, "%.1f", minutes);
  }

  private static String percent(double part) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * part);
  }
}
