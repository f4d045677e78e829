package dev.sluice.core.schedule.terms;

import org.jspecify.annotations.Nullable;

/** What a job has besides its weight: a reserve, a limit, or both. */
public final class Terms<J> {
  @Nullable Reserve<J> reserve;
  @Nullable Limit<J> limit;

  /** Whether what is queued must wait because the job is at its limit. */
  boolean heldBack;

  Terms() {}

  /** With a limit alone. */
  public Terms(Limit<J> limit) {
    this.limit = limit;
  }

  boolean isEmpty() {
    return reserve == null && limit == null;
  }

  /** How long after now a request of this price may be served, if none of the job is before. */
  public long nanosUntilFree(long price, long nowNanos) {
    return limit == null ? 0 : limit.nanosUntil(price, nowNanos);
  }
}
