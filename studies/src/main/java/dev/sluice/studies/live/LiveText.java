package dev.sluice.studies.live;

import static dev.sluice.papers.Condition.atMost;

import dev.sluice.core.model.Quantities;
import dev.sluice.papers.Cell;
import dev.sluice.papers.Claim;
import dev.sluice.papers.Figure;
import dev.sluice.papers.FigureTable;
import dev.sluice.papers.Notation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

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
            List.of(
                Figure.of("of Max_R over any second", second, Notation.PART),
                Figure.of("over any 5 s", fiveSeconds, Notation.PART)),
            atMost("over any 5 s", 100 * (1 + EXCESS_MAX)))
        .because(
            "an idle job saves up 20 ms of its rate, for which 1 % over 5 s is allowed; a machine"
                + " that is busy otherwise may count late");
  }

  static Claim allIsDone(String id, Collection<LivePlay.Result> results) {
    long missing = results.stream().filter(result -> !result.isComplete()).count();
    return new Claim(
            id,
            "all jobs submit all their operations, and the stage counts each",
            List.of(
                Figure.of("runs in which some were not seen", (double) missing, Notation.COUNT)),
            atMost("runs in which some were not seen", 0))
        .because("what is missing is in the table");
  }

  static FigureTable table(List<List<Cell>> rows) {
    return new FigureTable(
        "Minutes of the paper until all jobs, and each, had ended; the highest rate over any second"
            + " and any 5 s as a part of Max_R; operations that jobs were to do, and did",
        List.of(
            "set-up", "paper", "ours", "job 1", "job 2", "job 3", "job 4", "1 s", "5 s", "to do",
            "done"),
        rows);
  }

  static List<Cell> row(String setup, String paper, LivePlay.Result result) {
    List<Cell> row =
        new ArrayList<>(
            List.of(new Cell.Words(setup), new Cell.Words(paper), minutes(result.minutes())));
    result.endMinutes().forEach(end -> row.add(minutes(end)));
    row.add(Figure.of("1 s", result.highest(1), Notation.PART));
    row.add(Figure.of("5 s", result.highest(5), Notation.PART));
    row.add(Figure.of("to do", (double) result.told(), Notation.COUNT));
    row.add(Figure.of("done", (double) result.done(), Notation.COUNT));
    return row;
  }

  private static Figure minutes(double minutes) {
    return Figure.of("minutes", minutes, Notation.MINUTES);
  }
}
