package dev.sluice.app.decide;

import dev.sluice.app.Table;
import dev.sluice.core.policy.Explanation;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Decisions as tables for people. */
final class DecideText {
  /** What a table shows where a job has no such figure. */
  private static final String NOTHING = "–";

  private DecideText() {}

  /**
   * Prints the decisions.
   *
   * @param unit what a figure of 1 is called
   */
  static void print(String title, List<Explanation> explanations, double unit, PrintWriter out) {
    out.println(title);
    for (int i = 0; i < explanations.size(); i++) {
      out.println();
      out.println("step " + (i + 1) + ": " + explanations.get(i).summary());
      printReasons(explanations.get(i).reasons(), unit, out);
    }
  }

  private static void printReasons(List<Explanation.Reason> reasons, double unit, PrintWriter out) {
    if (reasons.isEmpty()) {
      return;
    }
    Set<String> figures = figures(reasons);
    List<String> head = new ArrayList<>();
    head.add("job");
    head.addAll(figures);
    Table table = new Table(head);
    for (Explanation.Reason reason : reasons) {
      List<String> cells = new ArrayList<>();
      cells.add(reason.job().toString());
      for (String figure : figures) {
        Number value = reason.figures().get(figure);
        cells.add(value == null ? NOTHING : text(value, unit));
      }
      table.row(cells);
    }
    table.lines().forEach(line -> out.println("  " + line));
    for (Explanation.Reason reason : reasons) {
      out.println("  " + reason.job() + ": " + reason.words());
    }
  }

  /**
   * The figures that any job has: one whose period is not known has fewer than others. In the order
   * in which the job with the most has them.
   */
  private static Set<String> figures(List<Explanation.Reason> reasons) {
    Set<String> figures = new LinkedHashSet<>();
    reasons.stream()
        .map(reason -> reason.figures().keySet())
        .sorted(Comparator.<Set<String>>comparingInt(Set::size).reversed())
        .forEach(figures::addAll);
    return figures;
  }

  private static String text(Number figure, double unit) {
    double value = figure.doubleValue();
    if (Double.isInfinite(value)) {
      return "unlimited";
    }
    if (unit == 1 && value == Math.rint(value)) {
      return Long.toString(figure.longValue());
    }
    return String.format(Locale.ROOT, unit == 1 ? "%.3f" : "%.4f", value * unit);
  }
}
