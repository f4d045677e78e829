package dev.sluice.app.decide;

import dev.sluice.app.Table;
import dev.sluice.core.policy.Explanation;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Decisions as tables for people. */
final class DecideText {
  private DecideText() {}

  static void print(String title, List<Explanation> explanations, PrintWriter out) {
    out.println(title);
    for (int i = 0; i < explanations.size(); i++) {
      out.println();
      out.println("step " + (i + 1) + ": " + explanations.get(i).summary());
      printReasons(explanations.get(i).reasons(), out);
    }
  }

  private static void printReasons(List<Explanation.Reason> reasons, PrintWriter out) {
    if (reasons.isEmpty()) {
      return;
    }
    List<String> head = new ArrayList<>();
    head.add("job");
    head.addAll(reasons.getFirst().figures().keySet());
    Table table = new Table(head);
    for (Explanation.Reason reason : reasons) {
      List<String> cells = new ArrayList<>();
      cells.add(reason.job().toString());
      reason.figures().values().forEach(figure -> cells.add(text(figure)));
      table.row(cells);
    }
    table.lines().forEach(line -> out.println("  " + line));
    for (Explanation.Reason reason : reasons) {
      out.println("  " + reason.job() + ": " + reason.words());
    }
  }

  private static String text(Number figure) {
    double value = figure.doubleValue();
    if (Double.isInfinite(value)) {
      return "unlimited";
    }
    return value == Math.rint(value)
        ? Long.toString(figure.longValue())
        : String.format(Locale.ROOT, "%.3f", value);
  }
}
