package dev.sluice.app.keys;

import dev.sluice.app.BadInputException;
import dev.sluice.core.model.Quantities;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** For how long a token counts. */
final class LifetimeOption {
  private static final Duration LONGEST = Duration.ofDays(3_650);

  @Option(
      names = "--for",
      paramLabel = "TIME",
      description =
          "The token ends after this time, such as 8h or 30d (default: it does not end). One of"
              + " the same name that ends by itself counts until then, so that it can be renewed.")
  @Nullable String time;

  /** Null for a token that does not end. */
  @Nullable Duration lifetime() {
    if (time == null) {
      return null;
    }
    try {
      Duration given = Duration.ofNanos(Quantities.parseDurationNanos(time));
      if (given.compareTo(Duration.ofSeconds(1)) >= 0 && given.compareTo(LONGEST) <= 0) {
        return given;
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw new BadInputException(
        "--for \"" + time + "\": expected a time of 1 s to 3650 days, such as 8h or 30d");
  }
}
