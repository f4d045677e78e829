package dev.sluice.lustre.check;

import dev.sluice.lustre.LustreJobId;
import java.util.regex.Pattern;

/** What an id looks like, which tells what its client was told to send. */
public enum IdKind {
  /** The number of a batch job or a session. */
  NUMBER("a job's number", Pattern.compile("\\d+([._-]\\d+)*")),
  /** {@code %e.%u}, which clients also fall back to where they find no other id. */
  PROGRAM_AND_USER("a program and a user", Pattern.compile(".*[^0-9.].*\\.\\d+")),
  /** {@code %e.%H}: the last part is the name of a node. */
  PROGRAM_AND_NODE("a program and a node", Pattern.compile(".+\\.[A-Za-z][A-Za-z-]*\\d+.*")),
  OTHER("something else", Pattern.compile("(?s).*"));

  private final String words;
  private final Pattern pattern;

  IdKind(String words, Pattern pattern) {
    this.words = words;
    this.pattern = pattern;
  }

  /** What such an id names. */
  public String words() {
    return words;
  }

  static IdKind of(LustreJobId job) {
    for (IdKind kind : values()) {
      if (kind.pattern.matcher(job.bytes()).matches()) {
        return kind;
      }
    }
    return OTHER;
  }
}
