package dev.sluice.sim.papers.padll;

import java.util.List;

/**
 * One column of table I, and what the paper reports of it.
 *
 * @param paperMinutes how long all took under each of {@link Setup}
 */
record TestScenario(int number, List<Share> jobs, List<Integer> paperMinutes) {
  /** Max_R: what the administrator lets all jobs together have. */
  static final long MAXIMUM_PER_SECOND = 110_000;

  static final List<TestScenario> TABLE_I =
      List.of(
          new TestScenario(
              1,
              List.of(
                  new Share(0.25, 15_000),
                  new Share(0.25, 25_000),
                  new Share(0.25, 30_000),
                  new Share(0.25, 40_000)),
              List.of(45, 45, 54, 45, 45)),
          new TestScenario(
              2,
              List.of(
                  new Share(0.15, 15_000),
                  new Share(0.20, 25_000),
                  new Share(0.20, 30_000),
                  new Share(0.45, 40_000)),
              List.of(45, 62, 47, 45, 45)),
          new TestScenario(
              3,
              List.of(
                  new Share(0.15, 40_000),
                  new Share(0.20, 25_000),
                  new Share(0.20, 30_000),
                  new Share(0.45, 15_000)),
              List.of(45, 62, 78, 50, 45)));

  /**
   * A job.
   *
   * @param load its part of all operations
   * @param limitPerSecond what it is assigned
   */
  record Share(double load, long limitPerSecond) {}

  int paperMinutes(Setup setup) {
    return paperMinutes.get(List.of(Setup.values()).indexOf(setup));
  }
}
