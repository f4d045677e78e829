package dev.sluice.core.schedule.terms;

import dev.sluice.core.schedule.RequestQueue;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler's job that may have terms. It keeps them, so that a job without any costs nothing.
 *
 * @param <J> what the scheduler keeps of a job
 */
public interface TermedJob<J> {
  /** Its requests, in the order in which they came. */
  RequestQueue queue();

  /** Its reserve and its limit; null where it has neither, as most jobs do. */
  @Nullable Terms<J> terms();

  void setTerms(@Nullable Terms<J> terms);

  /** Whether something is queued that no limit holds back. */
  default boolean isBacklogged() {
    Terms<J> terms = terms();
    return !queue().isEmpty() && (terms == null || !terms.heldBack);
  }
}
