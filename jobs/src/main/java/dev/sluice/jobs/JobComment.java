package dev.sluice.jobs;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.policy.JobClaim;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a job's owner says in the comment of the job script: {@code sluice:phase=5GB}, with blanks,
 * commas or semicolons around it and anything else beside it.
 *
 * <p>It is a hint, and hints are checked against what comes. So a comment that cannot be understood
 * is passed over: it is its owner's loss, and nobody else's matter.
 */
public final class JobComment {
  /** No more of a comment is looked at. */
  private static final int LENGTH_MAX = 1_024;

  private static final Pattern PHASE = Pattern.compile("(?:^|[\\s,;])sluice:phase=([^\\s,;]+)");

  private JobComment() {}

  /** What a phase of the job's I/O comes to on each target, in tokens, if the comment says so. */
  public static OptionalLong phaseTokens(String comment) {
    Matcher phase = PHASE.matcher(comment.substring(0, Math.min(comment.length(), LENGTH_MAX)));
    if (!phase.find()) {
      return OptionalLong.empty();
    }
    try {
      long tokens = Quantities.parseBytes(phase.group(1));
      return tokens < 1 || tokens > JobClaim.PHASE_MAX
          ? OptionalLong.empty()
          : OptionalLong.of(tokens);
    } catch (IllegalArgumentException e) {
      return OptionalLong.empty();
    }
  }
}
