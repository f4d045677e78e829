package dev.sluice.papers;

import dev.sluice.sim.report.ReportTable;
import java.util.ArrayList;
import java.util.List;

/** A table of what one seed showed. */
public record FigureTable(String caption, List<String> columns, List<List<Cell>> rows) {
  public FigureTable {
    columns = List.copyOf(columns);
    rows = rows.stream().map(List::copyOf).toList();
  }

  /** What every seed showed, as one table: medians with their ranges. */
  static ReportTable over(List<FigureTable> bySeed) {
    FigureTable first = bySeed.getFirst();
    List<List<String>> rows = new ArrayList<>();
    for (int r = 0; r < first.rows.size(); r++) {
      List<String> row = new ArrayList<>();
      for (int c = 0; c < first.rows.get(r).size(); c++) {
        row.add(text(bySeed, r, c));
      }
      rows.add(row);
    }
    return new ReportTable(first.caption, first.columns, rows);
  }

  private static String text(List<FigureTable> bySeed, int row, int column) {
    return switch (bySeed.getFirst().rows.get(row).get(column)) {
      case Cell.Words(String words) -> words;
      case Figure _ ->
          new Spread(
                  bySeed.stream().map(table -> (Figure) table.rows.get(row).get(column)).toList())
              .text();
    };
  }
}
