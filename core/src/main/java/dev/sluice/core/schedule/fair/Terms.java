package dev.sluice.core.schedule.fair;

import org.jspecify.annotations.Nullable;

/** What a job has besides its weight: a reserve, a limit, or both. */
final class Terms {
  @Nullable Reserve reserve;
  @Nullable Limit limit;

  boolean isEmpty() {
    return reserve == null && limit == null;
  }
}
