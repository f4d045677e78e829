package dev.sluice.app.top;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.web.live.LiveStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Draws what is seen as lines of text, none wider than the terminal.
 *
 * @param width in columns
 * @param height in lines; 0 for as many as it takes
 * @param blocks whether the terminal has the characters for fine bars
 * @param styled whether it understands colours and such
 */
record TopScreen(int width, int height, boolean blocks, boolean styled) {
  /** What every ssh session has. */
  static final int WIDTH_MIN = 40;

  private static final String EIGHTHS = " ▏▎▍▌▋▊▉█";
  private static final String REVERSE = "\033[7m";
  private static final String BOLD = "\033[1m";
  private static final String DIM = "\033[2m";
  private static final String PLAIN = "\033[0m";

  /** From here on there is room for what one can do without. */
  private static final int WIDE = 100;

  private static final int NAME_MIN = 12;

  private static final int USER_WIDTH = 10;
  private static final int BRANCH_WIDTH = 22;

  /** The list and what is above and below it. */
  List<String> list(LiveStatus status, TopView view, List<TopRow> shown) {
    List<String> lines = new ArrayList<>(head(status));
    lines.add("");
    boolean branches =
        view.grouping() == Grouping.JOB && shown.stream().anyMatch(row -> !row.branch().isEmpty());
    lines.add(style(BOLD, titles(view.grouping(), branches)));
    int room = height == 0 ? shown.size() : Math.max(1, height - lines.size() - 2);
    int first = Math.max(0, Math.min(view.selected() - room / 2, shown.size() - room));
    double most = shown.stream().mapToDouble(TopRow::bytesPerSecond).max().orElse(0);
    for (int i = first; i < Math.min(shown.size(), first + room); i++) {
      String line = row(shown.get(i), view.grouping(), branches, most);
      lines.add(styled && i == view.selected() ? style(REVERSE, line) : line);
    }
    if (shown.isEmpty()) {
      lines.add(view.filter().isEmpty() ? "nobody did anything in the last second" : "no match");
    }
    if (height > 0) {
      while (lines.size() < height - 1) {
        lines.add("");
      }
      lines.add(style(DIM, cut(footer(view, shown.size()))));
    }
    return lines;
  }

  /** Words about one job. */
  List<String> explanation(List<String> words) {
    List<String> lines = new ArrayList<>();
    for (String line : words) {
      wrap(clean(line), lines);
    }
    if (height > 0) {
      while (lines.size() >= height) {
        lines.removeLast();
      }
      while (lines.size() < height - 1) {
        lines.add("");
      }
      lines.add(style(DIM, cut("Esc back")));
    }
    return lines;
  }

  private void wrap(String line, List<String> lines) {
    String indent = " ".repeat(line.length() - line.stripLeading().length());
    String left = line;
    while (left.length() > width) {
      int space = left.lastIndexOf(' ', width);
      int at = space > indent.length() ? space : width;
      lines.add(left.substring(0, at).stripTrailing());
      left = indent + left.substring(at).strip();
    }
    lines.add(left);
  }

  private List<String> head(LiveStatus status) {
    List<String> lines = new ArrayList<>();
    String policy =
        "sluice: policy "
            + status.policy()
            + " every "
            + Quantities.formatDuration(Math.round(status.periodMillis() * 1e6))
            + (status.observesOnly() ? ", OBSERVING ONLY" : "")
            + ", up "
            + Quantities.formatDuration(Math.round(status.upSeconds()) * 1_000_000_000L)
            + ", "
            + status.connections()
            + " connections";
    lines.add(style(BOLD, cut(clean(policy))));
    for (String problem : status.problems()) {
      lines.add(cut("note: " + clean(problem)));
    }
    int name = 4;
    for (LiveStatus.LiveTarget target : status.targets()) {
      name = Math.max(name, Math.min(16, target.name().length()));
    }
    for (LiveStatus.LiveTarget target : status.targets()) {
      lines.add(cut(target(target, name)));
      if (target.trouble() != null) {
        lines.add(cut("note: " + clean(target.trouble())));
      }
    }
    return lines;
  }

  private String target(LiveStatus.LiveTarget target, int nameWidth) {
    double used =
        target.bytesPerSecond() * target.tokensPerByte()
            + target.operationsPerSecond() * target.tokensPerOperation();
    double part = used / target.capacityTokensPerSecond();
    String figures =
        String.format(
            Locale.ROOT,
            " %3.0f %% busy %10s %12s %5d waiting",
            100 * part,
            Quantities.formatRate(target.bytesPerSecond(), Counted.BYTES),
            Quantities.formatRate(target.operationsPerSecond(), Counted.OPERATIONS),
            target.queued());
    int cells = Math.max(4, width - nameWidth - figures.length() - 3);
    return left(clean(target.name()), nameWidth) + " [" + bar(part, cells) + "]" + figures;
  }

  private boolean isWide() {
    return width >= WIDE;
  }

  /** Everything but the name and the bar has the same width in every row. */
  private String titles(Grouping grouping, boolean branches) {
    return cut(
        left(grouping.word().toUpperCase(Locale.ROOT), nameWidth(branches))
            + " "
            + left(branches ? "BRANCH" : userTitle(grouping), middleWidth(branches))
            + right("NODES", 6)
            + (isWide() ? right("READ", 11) + right("WRITTEN", 11) : right("RATE", 11))
            + " "
            + left("", barWidth())
            + right("OPS/S", 9)
            + right("WAIT", 9)
            + right("QUEUE", 7)
            + (isWide() ? right("ALLOWED", 12) : ""));
  }

  private static String userTitle(Grouping grouping) {
    return grouping == Grouping.JOB ? "USER" : "JOBS";
  }

  private String row(TopRow row, Grouping grouping, boolean branches, double most) {
    String whose = branches ? row.branch() : row.user();
    String middle = grouping == Grouping.JOB ? clean(whose) : Long.toString(row.jobs());
    String rates =
        isWide()
            ? right(bytes(row.readBytesPerSecond()), 11)
                + right(bytes(row.writtenBytesPerSecond()), 11)
            : right(bytes(row.bytesPerSecond()), 11);
    return cut(
        left(clean(row.name()), nameWidth(branches))
            + " "
            + left(middle, middleWidth(branches))
            + right(row.nodes() == 0 ? "-" : Long.toString(row.nodes()), 6)
            + rates
            + " "
            + bar(most == 0 ? 0 : row.bytesPerSecond() / most, barWidth())
            + right(count(row.operationsPerSecond()), 9)
            + right(millis(row.waitedMillis()), 9)
            + right(count((double) row.queued()), 7)
            + (isWide() ? right(allowed(row.allowedTokensPerSecond()), 12) : ""));
  }

  private int barWidth() {
    return isWide() ? 16 : 10;
  }

  private int middleWidth(boolean branches) {
    return branches && isWide() ? BRANCH_WIDTH : USER_WIDTH;
  }

  private int nameWidth(boolean branches) {
    int taken =
        1
            + middleWidth(branches)
            + 6
            + (isWide() ? 22 : 11)
            + 1
            + barWidth()
            + 9
            + 9
            + 7
            + (isWide() ? 12 : 0);
    return Math.max(NAME_MIN, width - taken);
  }

  private String footer(TopView view, int rows) {
    if (view.typing()) {
      return "filter: " + clean(view.filter()) + "_   Enter keeps it, Esc drops it";
    }
    return rows
        + " by "
        + view.grouping().word()
        + ", first by "
        + view.sorting().word()
        + (view.filter().isEmpty() ? "" : ", filter " + clean(view.filter()))
        + (view.paused() ? ", PAUSED" : "")
        + "  s sort  b by  / filter  Enter explain  p pause  q quit";
  }

  /** A bar of so many cells. */
  String bar(double part, int cells) {
    double filled = Math.clamp(part, 0, 1) * cells;
    if (!blocks) {
      int whole = (int) Math.round(filled);
      return "#".repeat(whole) + ".".repeat(cells - whole);
    }
    int whole = (int) filled;
    StringBuilder bar = new StringBuilder("█".repeat(whole));
    if (whole < cells) {
      bar.append(EIGHTHS.charAt((int) ((filled - whole) * 8)));
      bar.append(" ".repeat(cells - whole - 1));
    }
    return bar.toString();
  }

  private String style(String start, String text) {
    return styled ? start + text + PLAIN : text;
  }

  private String cut(String line) {
    return line.length() <= width ? line : line.substring(0, width);
  }

  private static String left(String text, int cells) {
    return text.length() > cells
        ? text.substring(0, Math.max(0, cells - 1)) + "~"
        : text + " ".repeat(cells - text.length());
  }

  private static String right(String text, int cells) {
    return " ".repeat(Math.max(1, cells - text.length())) + text;
  }

  private static String bytes(double perSecond) {
    return Quantities.formatRate(perSecond, Counted.BYTES);
  }

  private static String allowed(double tokensPerSecond) {
    return Double.isInfinite(tokensPerSecond) ? "unlimited" : count(tokensPerSecond) + "/s";
  }

  private static String count(double value) {
    return Quantities.formatRate(value, Counted.OPERATIONS).replace("ops/s", "").strip();
  }

  private static String millis(double value) {
    return String.format(Locale.ROOT, value >= 100 ? "%.0f ms" : "%.1f ms", value);
  }

  /** What came from outside moves no cursor. */
  private static String clean(String text) {
    StringBuilder clean = new StringBuilder();
    text.codePoints()
        .forEach(point ->
            clean.appendCodePoint(
                Character.isISOControl(point) || Character.getType(point) == Character.FORMAT
                    ? '?'
                    : point));
    return clean.toString();
  }
}
