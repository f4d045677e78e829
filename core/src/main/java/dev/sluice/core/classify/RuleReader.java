package dev.sluice.core.classify;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A position in one line of rules, and the pieces of text that can be read there. */
final class RuleReader {
  /** A bound on how much of a wrong value a message repeats. */
  private static final int SHOWN_LENGTH_MAX = 60;

  private final String line;
  private final int lineNumber;
  private @Nullable String ruleName;
  private int at;

  /**
   * A value as it was meant, with quotes and escapes taken away.
   *
   * @param place where it begins in the line, with its quote
   */
  record Value(String text, boolean quoted, int place) {}

  RuleReader(String line, int lineNumber) {
    this.line = line;
    this.lineNumber = lineNumber;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (Character.isISOControl(c) && c != '\t') {
        throw error(i, shown(String.valueOf(c)) + ": expected no control characters");
      }
    }
  }

  /** From here on, errors name this rule. */
  void enterRule(String name) {
    ruleName = name;
  }

  int place() {
    return at;
  }

  boolean atEnd() {
    return at == line.length();
  }

  boolean looksAt(String text) {
    return line.startsWith(text, at);
  }

  void skipBlanks() {
    while (!atEnd() && isBlank(line.charAt(at))) {
      at++;
    }
  }

  /** Steps over the text if it is here. */
  boolean take(String text) {
    if (!looksAt(text)) {
      return false;
    }
    at += text.length();
    return true;
  }

  /** The letters, digits, {@code _} and {@code -} up to the first other character or an arrow. */
  String readName() {
    int start = at;
    while (!atEnd() && isNameCharacter(line.charAt(at)) && !looksAt("->")) {
      at++;
    }
    return line.substring(start, at);
  }

  /**
   * The value that begins here, up to a comma, a blank or the end.
   *
   * @param after what the value follows, for the message when there is none
   */
  Value readValue(String after) {
    int start = at;
    Value value = looksAt("\"") ? readQuoted() : new Value(readUnquoted(after), false, start);
    if (value.text().length() > FlowMatch.VALUE_LENGTH_MAX) {
      throw error(
          start,
          shown(value.text())
              + ": expected a value of at most "
              + FlowMatch.VALUE_LENGTH_MAX
              + " characters, this one has "
              + value.text().length());
    }
    return value;
  }

  private String readUnquoted(String after) {
    int start = at;
    while (!atEnd() && !endsValue(line.charAt(at))) {
      // Each of these is more often a slip than meant: a comment or an arrow without a blank before
      // it, or a comma where a blank should part two conditions.
      for (String special : List.of("\"", "#", "=", "->")) {
        if (looksAt(special)) {
          throw error(
              at,
              (special.equals("\"") ? "'\"'" : shown(special))
                  + ": expected a blank before it, or the whole value in double quotes");
        }
      }
      at++;
    }
    if (at == start) {
      throw error(start, "expected a value right after " + shown(after));
    }
    return line.substring(start, at);
  }

  private Value readQuoted() {
    int start = at++;
    StringBuilder text = new StringBuilder();
    while (!looksAt("\"")) {
      if (atEnd()) {
        throw error(start, "expected a closing double quote for the one here");
      }
      if (looksAt("\\")) {
        at++;
        if (!looksAt("\"") && !looksAt("\\")) {
          throw error(at - 1, "expected \\\" or \\\\: in double quotes \\ stands before \" or \\");
        }
      }
      text.append(line.charAt(at++));
    }
    at++;
    if (!atEnd() && !endsValue(line.charAt(at))) {
      throw error(at, "expected a comma, a blank or the end after the closing double quote");
    }
    return new Value(text.toString(), true, start);
  }

  /** Where the character with this index in the value's text stands in the line. */
  int placeIn(Value value, int index) {
    if (!value.quoted()) {
      return value.place() + index;
    }
    int place = value.place() + 1;
    for (int i = 0; i < index; i++) {
      place += line.charAt(place) == '\\' ? 2 : 1;
    }
    return place;
  }

  RuleSyntaxException error(int place, String problem) {
    int column = line.codePointCount(0, place) + 1;
    return new RuleSyntaxException(ruleName, lineNumber, column, problem);
  }

  /**
   * The value in quotes, fit for a message: not too long, and nothing in it that cannot be seen.
   */
  static String shown(String value) {
    StringBuilder text = new StringBuilder("\"");
    value
        .codePoints()
        .limit(SHOWN_LENGTH_MAX)
        .forEach(c -> {
          if (isVisible(c)) {
            text.appendCodePoint(c);
          } else {
            text.append(String.format(Locale.ROOT, "U+%04X", c));
          }
        });
    boolean cut = value.codePointCount(0, value.length()) > SHOWN_LENGTH_MAX;
    return text.append(cut ? "…\"" : "\"").toString();
  }

  /** An exact value as a rule has it. */
  static String quotedIfNeeded(String value) {
    boolean plain = !value.isEmpty() && !value.contains("->");
    for (int i = 0; i < value.length() && plain; i++) {
      plain = !endsValue(value.charAt(i)) && "\"#=*".indexOf(value.charAt(i)) < 0;
    }
    return plain ? value : '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static boolean isVisible(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.UNASSIGNED -> false;
      case Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
      default -> c == ' ' || !Character.isSpaceChar(c);
    };
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  private static boolean endsValue(char c) {
    return c == ',' || isBlank(c);
  }

  private static boolean isNameCharacter(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '_'
        || c == '-';
  }
}
