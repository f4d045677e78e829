package dev.sluice.app;

import dev.sluice.sim.scenario.Scenario;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** For how long a scenario is played in real time. */
public final class SecondsOption {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** A year: whoever wants more wants no end. */
  private static final long SECONDS_MAX = 366L * 24 * 3_600;

  @Option(
      names = "--seconds",
      paramLabel = "NUMBER",
      description = "Play for so many seconds (default: to the scenario's end).")
  @Nullable Long seconds;

  /** The scenario with the end that was asked for, or its own. */
  public Scenario bound(Scenario scenario) {
    Long given = seconds;
    if (given == null) {
      return scenario;
    }
    if (given < 1 || given > SECONDS_MAX) {
      throw new BadInputException("--seconds: expected 1 to " + SECONDS_MAX + ", not " + given);
    }
    return scenario.withEndNanos(given * NANOS_PER_SECOND);
  }
}
