package dev.sluice.papers.padll;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.policy.padll.JobUse;
import dev.sluice.core.policy.padll.PadllAlgorithm;
import dev.sluice.core.policy.padll.Resource;
import dev.sluice.core.policy.padll.ResourceControl;
import dev.sluice.core.policy.padll.ResourceDivision;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scenario under a set-up: four jobs that enter every three minutes, and a control loop that
 * looks at what they did every second and divides Max_R for the next. The algorithms are those that
 * run live; stages, nodes and the file system are not simulated, as nothing here depends on them.
 */
final class ScenarioRun {
  private static final Resource METADATA =
      new Resource("metadata", TestScenario.MAXIMUM_PER_SECOND, Counted.OPERATIONS);
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final int ENTER_EVERY_SECONDS = 3 * 60;
  private static final int SECONDS_MAX = 24 * 60 * 60;

  /** In thousands, as they are in table I: 15 to 40 of 110. */
  private static final long PRIORITY_UNIT = 1_000;

  private final TestScenario scenario;
  private final List<ReplayedJob> jobs = new ArrayList<>();
  private int seconds;

  private ScenarioRun(TestScenario scenario, LoadCurve curve) {
    this.scenario = scenario;
    for (TestScenario.Share share : scenario.jobs()) {
      jobs.add(new ReplayedJob(curve, share.load(), jobs.size() * ENTER_EVERY_SECONDS));
    }
  }

  static ScenarioRun of(TestScenario scenario, Setup setup, LoadCurve curve) {
    return of(scenario, setup.algorithm(), curve);
  }

  /** The same under any algorithm, or none. */
  static ScenarioRun of(
      TestScenario scenario, @Nullable PadllAlgorithm algorithm, LoadCurve curve) {
    ScenarioRun run = new ScenarioRun(scenario, curve);
    run.play(algorithm);
    return run;
  }

  private void play(@Nullable PadllAlgorithm algorithm) {
    ResourceControl control =
        algorithm == null ? null : new ResourceControl(algorithm, METADATA, 0);
    while (!jobs.stream().allMatch(ReplayedJob::hasEnded)) {
      if (seconds == SECONDS_MAX) {
        throw new IllegalStateException("jobs do not end within a day");
      }
      int second = seconds++;
      ResourceDivision division =
          control == null
              ? null
              : control.divide(METADATA, uses(second), second * NANOS_PER_SECOND);
      int limited = 0;
      for (ReplayedJob job : jobs) {
        if (job.isThere(second)) {
          job.replay(
              second, division == null ? Long.MAX_VALUE : division.wholePerSecond(limited++));
        }
      }
    }
  }

  /** Those that are there, in the order in which they are numbered, which is that of a division. */
  private List<JobUse> uses(int second) {
    List<JobUse> uses = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      if (jobs.get(i).isThere(second)) {
        long limit = scenario.jobs().get(i).limitPerSecond();
        uses.add(
            new JobUse(
                JobId.of("job" + (i + 1)), limit, jobs.get(i).lastServed(), limit / PRIORITY_UNIT));
      }
    }
    return uses;
  }

  /** How long all took. */
  double minutes() {
    return seconds / 60.0;
  }

  int seconds() {
    return seconds;
  }

  /** A job, counted from 1. */
  ReplayedJob job(int number) {
    return jobs.get(number - 1);
  }

  List<ReplayedJob> jobs() {
    return List.copyOf(jobs);
  }

  /** What all jobs submitted in a second. */
  long served(int second) {
    return jobs.stream().mapToLong(job -> job.served(second)).sum();
  }

  /** The most that all jobs submitted in a second. */
  long highest() {
    long highest = 0;
    for (int second = 0; second < seconds; second++) {
      highest = Math.max(highest, served(second));
    }
    return highest;
  }

  /** In how many seconds jobs submitted more than Max_R. */
  int secondsAboveMaximum() {
    int count = 0;
    for (int second = 0; second < seconds; second++) {
      count += served(second) > TestScenario.MAXIMUM_PER_SECOND ? 1 : 0;
    }
    return count;
  }
}
