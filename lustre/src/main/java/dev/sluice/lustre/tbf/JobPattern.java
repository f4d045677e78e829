package dev.sluice.lustre.tbf;

import dev.sluice.lustre.LustreJobId;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.stats.JobIdForm;

/**
 * How a job is named in a rule, or several requests are. Only letters that every tool on the way
 * leaves alone are written.
 */
public sealed interface JobPattern {
  /** What stands between the braces of the rule. */
  String text();

  /** Names this job and no other. */
  record Exact(String text) implements JobPattern {}

  /** Has a {@code *} where the id has what cannot be written, and so may match other jobs, too. */
  record Wildcard(String text) implements JobPattern {
    /** Whether the server would let this job pass for the one that is meant, or might. */
    public boolean mayMatch(LustreJobId job) {
      return GlobPattern.matches(text, job.bytes());
    }
  }

  /**
   * Names requests by whatever the filter goes by, and not one job.
   *
   * @param text as a server shows it
   */
  record Requests(String text, RequestMatch match) implements JobPattern {
    /** How a server shows these. */
    public static Requests of(RequestMatch match) {
      return new Requests(RuleTable.list(match.expression()), match);
    }

    @Override
    public String expression() {
      return match.expression();
    }
  }

  /** What is written of it into a rule. */
  default String expression() {
    return "jobid={" + text() + "}";
  }

  /** Whether a pattern as people write it can stand in a rule as it is, on any version. */
  static boolean isWritable(String pattern) {
    boolean plain = !pattern.isEmpty() && pattern.length() <= LustreJobId.LENGTH_MAX;
    for (int i = 0; i < pattern.length(); i++) {
      plain &= isWritten(pattern.charAt(i), true, true);
    }
    long asterisks = pattern.chars().filter(letter -> letter == '*').count();
    return plain && asterisks <= ASTERISKS_MAX;
  }

  /** No rule can name it. */
  record Unwritable(String text, String reason) implements JobPattern {}

  /**
   * With every further asterisk the server tries all ways to match once more for each way to match
   * the rest, while it holds a lock that all requests need.
   */
  int ASTERISKS_MAX = 2;

  /** How this job is named in rules on a server of this version. */
  static JobPattern of(LustreJobId job, LustreVersion version) {
    String id = job.bytes();
    if (id.length() > LustreJobId.LENGTH_MAX) {
      return new Unwritable(
          id,
          "its id has " + id.length() + " bytes, and Lustre compares " + LustreJobId.LENGTH_MAX);
    }
    boolean mayHide = JobIdForm.of(version).hidesUnprintable();
    boolean splits = VersionHazards.splitsWithinBraces(version);
    StringBuilder text = new StringBuilder(id.length());
    int asterisks = 0;
    boolean replaced = false;
    for (int i = 0; i < id.length(); i++) {
      char letter = id.charAt(i);
      if (letter == '*' || isWritten(letter, mayHide, splits)) {
        text.append(letter);
        replaced = false;
        asterisks += letter == '*' ? 1 : 0;
      } else if (!replaced) {
        // One asterisk for a run of such letters.
        text.append('*');
        replaced = true;
        asterisks++;
      }
    }
    if (asterisks == 0) {
      return new Exact(id);
    }
    if (asterisks > ASTERISKS_MAX) {
      return new Unwritable(
          id, "a rule would need " + asterisks + " asterisks in place of letters in its id");
    }
    if (text.length() == asterisks) {
      return new Unwritable(id, "nothing of its id can be written into a rule");
    }
    return new Wildcard(text.toString());
  }

  private static boolean isWritten(char letter, boolean mayHide, boolean splits) {
    if (letter <= ' ' || letter > '~') {
      return false;
    }
    return switch (letter) {
      case '{', '}' -> false;
      case ',', '&' -> !splits;
      case '?' -> !mayHide;
      default -> true;
    };
  }
}
