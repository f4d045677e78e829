package dev.sluice.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What holds for the text of every file that people wrote, beyond what a formatter sees. */
final class TextRules {
  private static final int COLUMNS_MAX = 100;

  private static final Set<String> TEXT_SUFFIXES =
      Set.of(
          "c", "css", "h", "html", "java", "js", "md", "proto", "sh", "sql", "xml", "yaml", "yml");

  // Each word is put together here, or this file would break its own rule.
  private static final Pattern LEFTOVER = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
  private static final Pattern DISABLED = Pattern.compile("@Dis" + "abled\\b");
  private static final Pattern SLEEP = Pattern.compile("\\bThread\\.sle" + "ep\\(");
  private static final Pattern PRINT = Pattern.compile("\\bSystem\\.(out|err)\\.print");
  private static final Pattern MAY_BE_LONG =
      Pattern.compile("^import .*|^package .*|.*https?://.*");

  private TextRules() {}

  /**
   * One line for each breach, with the place.
   *
   * @param path from the top of the tree, with {@code /} between its names
   */
  static List<String> breaches(String path, String text) {
    List<String> breaches = new ArrayList<>();
    if (!isText(path, text) || text.isEmpty()) {
      return breaches;
    }
    boolean java = path.endsWith(".java");
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String place = path + ":" + (i + 1) + ": ";
      String line = lines.get(i);
      if (!line.stripTrailing().equals(line)) {
        breaches.add(place + "blanks at the end of the line");
      }
      if (LEFTOVER.matcher(line).find()) {
        breaches.add(place + "a note to oneself; do it or open an issue");
      }
      if (java && line.indexOf('\t') >= 0) {
        breaches.add(place + "a tab");
      }
      int columns = line.codePointCount(0, line.length());
      if (java && columns > COLUMNS_MAX && !MAY_BE_LONG.matcher(line).matches()) {
        breaches.add(place + columns + " columns, at most " + COLUMNS_MAX + " are allowed");
      }
      if (java && DISABLED.matcher(line).find()) {
        breaches.add(place + "a test that is switched off");
      }
      if (path.contains("/src/test/") && SLEEP.matcher(line).find()) {
        breaches.add(place + "a test that sleeps; Eventually waits for what must come about");
      }
      if (path.startsWith("core/src/main/") && PRINT.matcher(line).find()) {
        breaches.add(place + "core prints nothing");
      }
    }
    if (!text.endsWith("\n") || text.endsWith("\n\n")) {
      breaches.add(path + ": must end with one newline");
    }
    if (text.indexOf('\r') >= 0) {
      breaches.add(path + ": has carriage returns");
    }
    return breaches;
  }

  private static boolean isText(String path, String text) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    int dot = name.lastIndexOf('.');
    return dot < 0 ? text.startsWith("#!") : TEXT_SUFFIXES.contains(name.substring(dot + 1));
  }
}
