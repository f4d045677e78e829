package dev.sluice.lustre.control;

import dev.sluice.lustre.tbf.RuleCommand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened in one period.
 *
 * @param periodNanos how long it was; 0 where it was the first look
 * @param decision what was decided; null where nothing could be
 * @param commands what was written for it, or would have been
 * @param readingNanos how long the server took to tell what jobs did
 * @param problems what went wrong, a sentence each
 */
public record PeriodReport(
    long periodNanos,
    @Nullable Decision decision,
    List<RuleCommand> commands,
    long readingNanos,
    List<String> problems) {
  public PeriodReport {
    commands = List.copyOf(commands);
    problems = List.copyOf(problems);
  }
}
