package dev.sluice.core.policy;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what {@link StateWriter} wrote, and nothing else: every number is written in one way only,
 * every line is read to its end. Whatever is wrong is refused with its line and what was expected.
 *
 * <p>It keeps nothing but its place, so that what is read bounds what is kept.
 */
public final class StateReader {
  static final String TARGET = "target";

  /** More than any policy is given; a bound on what a text makes us keep. */
  private static final int TARGETS_MAX = 100_000;

  private static final String HEXADECIMAL = "0123456789abcdef";
  private static final int SHOWN_MAX = 40;
  private static final int ESCAPE_LENGTH = 6;

  private final String text;
  private final int end;

  /** The next character to read: within a line, or at the end of it. */
  private int at;

  private int lineNumber;

  /**
   * Reads from a place in a text, which is the end of a line that was read.
   *
   * @param end where the text ends; there is the end of a line, too
   */
  StateReader(String text, int at, int end, int lineNumber) {
    this.text = text;
    this.at = at;
    this.end = end;
    this.lineNumber = lineNumber;
  }

  int lineNumber() {
    return lineNumber;
  }

  /** Whether the next line is about this. */
  public boolean nextIs(String word) {
    int after = at + 1 + word.length();
    return isAtLineEnd()
        && at < end
        && text.startsWith(word, at + 1)
        && (after == end || text.charAt(after) == ' ' || text.charAt(after) == '\n');
  }

  /** Goes to the next line, which must be about this. */
  public StateReader line(String word) {
    endLine();
    if (!nextIs(word)) {
      lineNumber++;
      throw expected("a line that begins with " + word, at + 1);
    }
    lineNumber++;
    at += 1 + word.length();
    return this;
  }

  /** Throws unless all of it was read. */
  void end() {
    endLine();
    if (at < end) {
      lineNumber++;
      throw expected("the end", at + 1);
    }
  }

  private void endLine() {
    if (!isAtLineEnd()) {
      throw expected("the end of the line", at);
    }
  }

  private boolean isAtLineEnd() {
    return at >= end || text.charAt(at) == '\n';
  }

  /** A whole number within these limits. */
  public long whole(long min, long max) {
    int begin = at;
    String field = field();
    try {
      long number = Long.parseLong(field);
      if (number >= min && number <= max && Long.toString(number).equals(field)) {
        return number;
      }
    } catch (NumberFormatException _) {
      // What is not a number is refused like one that is out of range.
    }
    throw expected("a whole number from " + min + " to " + max, begin);
  }

  /** A number within these limits. */
  public double real(double min, double max) {
    int begin = at;
    String field = field();
    try {
      double number = Double.parseDouble(field);
      if (number >= min && number <= max && Double.toString(number).equals(field)) {
        return number;
      }
    } catch (NumberFormatException _) {
      // What is not a number is refused like one that is out of range.
    }
    throw expected("a number from " + min + " to " + max, begin);
  }

  private String field() {
    if (isAtLineEnd() || text.charAt(at) != ' ') {
      throw expected("a blank and a number", at);
    }
    int begin = at + 1;
    int after = begin;
    while (after < end && text.charAt(after) != ' ' && text.charAt(after) != '\n') {
      after++;
    }
    at = after;
    return text.substring(begin, after);
  }

  /** A text of at most so many characters. */
  public String text(int lengthMax) {
    int begin = at;
    if (isAtLineEnd() || !text.startsWith(" \"", at)) {
      throw expected("a blank and a text in quotes", begin);
    }
    StringBuilder value = new StringBuilder();
    int next = at + 2;
    while (next < end && text.charAt(next) != '"') {
      char c = text.charAt(next);
      int length = c == '\\' ? ESCAPE_LENGTH : 1;
      if (c == '\\') {
        c = escaped(next, begin);
      } else if (!StateWriter.isPlain(c)) {
        throw expected("the end of the quotes in this line", begin);
      }
      if (value.length() == lengthMax) {
        throw expected("at most " + lengthMax + " characters", begin);
      }
      value.append(c);
      next += length;
    }
    if (next >= end) {
      throw expected("the end of the quotes", begin);
    }
    at = next + 1;
    return value.toString();
  }

  /** The character that is written as a number at this place. */
  private char escaped(int place, int begin) {
    int code = 0;
    boolean sound = place + ESCAPE_LENGTH <= end && text.charAt(place + 1) == 'u';
    for (int i = place + 2; sound && i < place + ESCAPE_LENGTH; i++) {
      int digit = HEXADECIMAL.indexOf(text.charAt(i));
      sound = digit >= 0;
      code = code << 4 | digit;
    }
    if (!sound || StateWriter.isPlain((char) code)) {
      throw expected("\\u and four digits of a character that is not plain", begin);
    }
    return (char) code;
  }

  public JobId job() {
    return JobId.of(text(JobId.LENGTH_MAX));
  }

  private Target target() {
    line(TARGET);
    String name = text(Integer.MAX_VALUE);
    long tokensPerSecond = whole(1, Rate.TOKENS_PER_SECOND_MAX);
    long tokensPerOperation = whole(0, TokenUnit.PRICE_MAX);
    return new Target(name, tokensPerSecond, new TokenUnit(tokensPerOperation, whole(0, 1)));
  }

  /** Lines about the targets. */
  Cluster cluster() {
    List<Target> targets = new ArrayList<>();
    do {
      targets.add(target());
    } while (nextIs(TARGET) && targets.size() < TARGETS_MAX);
    return new Cluster(targets);
  }

  /** Says that what is read makes no sense with the present settings, and why. */
  public UnfitStateException unfit(String reason) {
    return new UnfitStateException(reason);
  }

  private UnreadableStateException expected(String what, int place) {
    int from = Math.min(place, end);
    int lineEnd = text.indexOf('\n', from);
    int to = lineEnd < 0 ? end : Math.min(lineEnd, end);
    String found = from >= to ? "nothing" : "\"" + shown(text.substring(from, to).strip()) + "\"";
    return new UnreadableStateException(
        "line " + lineNumber + ": expected " + what + ", found " + found, null);
  }

  /** The beginning, in letters that no terminal minds. */
  private static String shown(String found) {
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < found.length() && i < SHOWN_MAX; i++) {
      char c = found.charAt(i);
      shown.append(c >= ' ' && c <= '~' ? c : '?');
    }
    return found.length() > SHOWN_MAX ? shown.append('…').toString() : shown.toString();
  }
}
