package dev.sluice.papers.padll;

import java.util.List;

/**
 * One column of table I, and what the paper reports of it.
 *
 * @param paperMinutes how long all took under each of {@link Setup}
 */
public record TestScenario(int number, List<Share> jobs, List<Integer> paperMinutes) {
  /** Max_R: what the administrator lets all jobs together have. */
  public static final long MAXIMUM_PER_SECOND = 110_000;

  /** The three of them. */
  public static final List<TestScenario> TABLE_I =
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
  public record Share(double load, long limitPerSecond) {}

  /** The same jobs with so many times their load. */
  public TestScenario withLoad(double factor) {
    return new TestScenario(
        number,
        jobs.stream()
            .map(share -> new Share(factor * share.load(), share.limitPerSecond()))
            .toList(),
        paperMinutes);
  }

  /** How long all took under a set-up. */
  public int paperMinutes(Setup setup) {
    return paperMinutes.get(List.of(Setup.values()).indexOf(setup));
  }
}
