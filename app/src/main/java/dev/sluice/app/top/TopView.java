package dev.sluice.app.top;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants to see. Immutable.
 *
 * @param typing whether keys go into the filter
 * @param selected the row's number, from 0
 * @param explained the job whose reasons are shown; null for the list
 * @param paused whether what is seen stays
 */
record TopView(
    Grouping grouping,
    Sorting sorting,
    String filter,
    boolean typing,
    int selected,
    @Nullable String explained,
    boolean paused) {
  private static final int FILTER_LENGTH_MAX = 60;

  static TopView of(Grouping grouping, Sorting sorting, String filter) {
    return new TopView(grouping, sorting, filter, false, 0, null, false);
  }

  /** The rows to show, in order. */
  List<TopRow> chosen(List<TopRow> rows) {
    String wanted = filter.toLowerCase(Locale.ROOT);
    return rows.stream()
        .filter(row ->
            (row.name() + " " + row.user() + " " + row.branch())
                .toLowerCase(Locale.ROOT)
                .contains(wanted))
        .sorted(sorting.order())
        .toList();
  }

  /**
   * After a key.
   *
   * @param shown the rows as they are shown now
   */
  TopView after(TopKey key, List<TopRow> shown) {
    if (typing) {
      return typed(key);
    }
    if (explained != null) {
      return key.isLeaving() ? explaining(null) : this;
    }
    return switch (key) {
      case TopKey.Special.UP -> selecting(selected - 1, shown.size());
      case TopKey.Special.DOWN -> selecting(selected + 1, shown.size());
      case TopKey.Special.ENTER -> explainSelected(shown);
      case TopKey.Special _ -> this;
      case TopKey.Letter letter -> after(letter.codePoint(), shown);
    };
  }

  private TopView after(int letter, List<TopRow> shown) {
    return switch (letter) {
      case 'k' -> selecting(selected - 1, shown.size());
      case 'j' -> selecting(selected + 1, shown.size());
      case 'e' -> explainSelected(shown);
      case 's' -> new TopView(grouping, sorting.next(), filter, false, selected, explained, paused);
      case 'b' -> new TopView(grouping.next(), sorting, filter, false, 0, explained, paused);
      case '/' -> new TopView(grouping, sorting, filter, true, 0, explained, paused);
      case 'p' -> new TopView(grouping, sorting, filter, false, selected, explained, !paused);
      default -> this;
    };
  }

  private TopView typed(TopKey key) {
    return switch (key) {
      case TopKey.Special.ENTER ->
          new TopView(grouping, sorting, filter, false, 0, explained, paused);
      case TopKey.Special.ESCAPE -> new TopView(grouping, sorting, "", false, 0, explained, paused);
      case TopKey.Special.BACKSPACE ->
          filtering(filter.isEmpty() ? "" : filter.substring(0, filter.length() - 1));
      case TopKey.Special _ -> this;
      case TopKey.Letter letter ->
          filter.length() >= FILTER_LENGTH_MAX
              ? this
              : filtering(filter + Character.toString(letter.codePoint()));
    };
  }

  private TopView filtering(String text) {
    return new TopView(grouping, sorting, text, true, 0, explained, paused);
  }

  private TopView selecting(int row, int count) {
    int within = Math.max(0, Math.min(row, count - 1));
    return new TopView(grouping, sorting, filter, false, within, explained, paused);
  }

  private TopView explaining(@Nullable String job) {
    return new TopView(grouping, sorting, filter, false, selected, job, paused);
  }

  private TopView explainSelected(List<TopRow> shown) {
    boolean possible = grouping == Grouping.JOB && selected < shown.size();
    return possible ? explaining(shown.get(selected).name()) : this;
  }
}
