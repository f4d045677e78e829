package dev.sluice.app;

import java.util.ArrayList;
import java.util.List;

/** Plain text in columns: the first flush left, the others flush right. */
public final class Table {
  private final List<String> head;
  private final List<List<String>> rows = new ArrayList<>();

  public Table(List<String> head) {
    this.head = List.copyOf(head);
  }

  public void row(List<String> cells) {
    if (cells.size() != head.size()) {
      throw new IllegalArgumentException(cells.size() + " cells in " + head.size() + " columns");
    }
    rows.add(List.copyOf(cells));
  }

  /** The lines, without blanks at their ends. */
  public List<String> lines() {
    int[] widths = new int[head.size()];
    List<List<String>> all = new ArrayList<>();
    all.add(head);
    all.addAll(rows);
    for (List<String> row : all) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : all) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String padding = " ".repeat(widths[i] - row.get(i).length());
        line.append(i == 0 ? "" : "  ");
        line.append(i == 0 ? row.get(i) + padding : padding + row.get(i));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
