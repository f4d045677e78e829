package dev.sluice.sim.scenario;

import dev.sluice.core.model.Rate;

/** Bounds on what a scenario may ask for: generous, and small enough for all sums to fit. */
final class Limits {
  static final int TARGETS_MAX = 10_000;
  static final int JOBS_MAX = 1_000_000;

  /** Processes of all jobs together. */
  static final long PROCESSES_MAX = 10_000_000;

  /** Ten years. */
  static final long TIME_NANOS_MAX = 3_660L * 86_400 * Rate.NANOS_PER_SECOND;

  static final long TIME_NANOS_MIN = 1_000_000;
  static final long SERVICE_NANOS_MAX = 3_600 * Rate.NANOS_PER_SECOND;
  static final long FILE_BYTES_MAX = 1_000_000_000_000_000_000L;
  static final long COUNT_MAX = 1_000_000_000_000L;
  static final int THREADS_MAX = 65_536;
  static final int WINDOW_MAX = 65_536;
  static final int ITERATIONS_MAX = 1_000_000_000;
  static final int WEIGHT_MAX = 1_000_000;
  static final int DESCRIPTION_LENGTH_MAX = 1_000;

  private Limits() {}
}
