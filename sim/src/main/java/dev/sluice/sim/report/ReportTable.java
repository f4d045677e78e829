package dev.sluice.sim.report;

import java.util.List;

/** A table of texts, to be printed on a terminal or laid out on a page. */
public record ReportTable(String caption, List<String> columns, List<List<String>> rows) {
  public ReportTable {
    columns = List.copyOf(columns);
    rows = rows.stream().map(List::copyOf).toList();
    for (List<String> row : rows) {
      if (row.size() != columns.size()) {
        throw new IllegalArgumentException(
            row.size() + " cells in " + columns.size() + " columns: " + row);
      }
    }
  }
}
