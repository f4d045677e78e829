package dev.sluice.core.schedule.anticipation;

import dev.sluice.core.schedule.terms.TermedJob;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler's job that may be waited for. It keeps what is known of its absences, so that one of
 * whom nobody asks costs nothing.
 *
 * @param <J> what the scheduler keeps of a job
 */
public interface ReturningJob<J> extends TermedJob<J> {
  /** When it comes back from having nothing queued; null where nobody asks. */
  @Nullable Absence<J> absence();

  void setAbsence(Absence<J> absence);
}
