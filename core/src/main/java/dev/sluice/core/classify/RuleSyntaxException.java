package dev.sluice.core.classify;

import org.jspecify.annotations.Nullable;

/**
 * What is wrong with the text of a rule: where, which value, and what was expected instead.
 *
 * <p>For example {@code rule "jupyter", line 3, column 31: "10.2.0.0/33": expected a prefix length
 * of 0 to 32}.
 */
public final class RuleSyntaxException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final @Nullable String ruleName;
  private final int line;
  private final int column;
  private final String problem;

  RuleSyntaxException(@Nullable String ruleName, int line, int column, String problem) {
    super(
        (ruleName == null ? "" : "rule \"" + ruleName + "\", ")
            + ("line " + line + ", column " + column + ": " + problem));
    this.ruleName = ruleName;
    this.line = line;
    this.column = column;
    this.problem = problem;
  }

  /** The rule in which it is, or null when its name was not read yet. */
  public @Nullable String ruleName() {
    return ruleName;
  }

  /** Counted from 1; conditions that are read alone are on line 1. */
  public int line() {
    return line;
  }

  /** Counted from 1, in characters as an editor shows them; a tab is one. */
  public int column() {
    return column;
  }

  /** The message without the place, for a caller who names the place in words of its own. */
  public String problem() {
    return problem;
  }
}
