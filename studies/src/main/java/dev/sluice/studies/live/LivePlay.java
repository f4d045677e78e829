package dev.sluice.studies.live;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.policy.padll.JobUse;
import dev.sluice.core.policy.padll.PadllAlgorithm;
import dev.sluice.core.policy.padll.Resource;
import dev.sluice.core.policy.padll.ResourceControl;
import dev.sluice.core.policy.padll.ResourceDivision;
import dev.sluice.papers.padll.LoadCurve;
import dev.sluice.papers.padll.Setup;
import dev.sluice.papers.padll.TestScenario;
import dev.sluice.stage.agent.StageAgent;
import dev.sluice.stage.agent.StagedJob;
import dev.sluice.stage.files.StageClock;
import dev.sluice.stage.files.StageDirectory;
import dev.sluice.stage.limit.LimitChange;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A scenario of table I with real programs on this machine: four jobs of several processes enter
 * one after another under the stage, and a loop looks at what they do and divides Max_R anew.
 */
final class LivePlay {
  private static final LimitKey METADATA = new LimitKey("metadata", Counted.OPERATIONS);
  private static final int ENTER_EVERY_MINUTES = 3;

  /** Whoever is not done by then will not be. */
  private static final int MINUTES_MAX = 200;

  private static final long PRIORITY_UNIT = 1_000;

  private final TestScenario scenario;
  private final @Nullable PadllAlgorithm algorithm;
  private final LoadCurve curve;
  private final LivePace pace;
  private final Path place;
  private final BooleanSupplier stopped;
  private final DoubleConsumer progressMinutes;
  private final Resource resource;
  private final List<LiveJob> jobs = new ArrayList<>();
  private final WindowMeter meter = new WindowMeter();

  LivePlay(
      TestScenario scenario,
      Setup setup,
      LoadCurve curve,
      LivePace pace,
      Path place,
      BooleanSupplier stopped,
      DoubleConsumer progressMinutes) {
    this.scenario = scenario;
    this.algorithm = setup.algorithm();
    this.curve = curve;
    this.pace = pace;
    this.place = place;
    this.stopped = stopped;
    this.progressMinutes = progressMinutes;
    this.resource =
        new Resource(
            METADATA.scope(), pace.perSecond(TestScenario.MAXIMUM_PER_SECOND), Counted.OPERATIONS);
  }

  /**
   * What came of it.
   *
   * @param endMinutes when each job ended, in minutes of the paper
   * @param resource what was divided
   * @param meter what all jobs together did over time
   * @param told operations that the jobs were told to do
   * @param done operations that the stage has seen them do
   */
  record Result(
      List<Double> endMinutes, Resource resource, WindowMeter meter, long told, long done) {
    private static final long SECOND_NANOS = 1_000_000_000L;

    double minutes() {
      return endMinutes.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }

    /** The highest rate over any window of so many seconds, as a part of Max_R. */
    double highest(int seconds) {
      return meter.mostPerSecond(seconds * SECOND_NANOS) / resource.maximumPerSecond();
    }

    boolean isComplete() {
      return told == done;
    }
  }

  /** Plays until the last job has ended. */
  Result play() throws IOException {
    Path own = Files.createTempDirectory(place, "play");
    Path mount = Files.createDirectory(own.resolve("mount")).toRealPath();
    Path file = Files.createFile(mount.resolve("file"));
    StageDirectory directory = new StageDirectory(Files.createDirectory(own.resolve("stage")));
    try (StageAgent agent = new StageAgent(directory)) {
      return play(agent, mount, file);
    }
  }

  private Result play(StageAgent agent, Path mount, Path file) throws IOException {
    try {
      return loop(agent, mount, file);
    } finally {
      // Before the agent goes, or they would run on without limits.
      jobs.forEach(LiveJob::close);
    }
  }

  private Result loop(StageAgent agent, Path mount, Path file) throws IOException {
    long begin = System.nanoTime();
    ResourceControl control =
        algorithm == null ? null : new ResourceControl(algorithm, resource, begin);
    long lastLook = begin;
    long step = 0;
    while (jobs.size() < scenario.jobs().size() || !jobs.stream().allMatch(LiveJob::isOver)) {
      long now = System.nanoTime();
      requireGoingOn(now - begin);
      look(now);
      List<JobUse> uses = endAndUse(agent, Math.max(1, now - lastLook));
      lastLook = now;
      boolean enters =
          jobs.size() < scenario.jobs().size()
              && pace.minutes(now - begin) >= jobs.size() * ENTER_EVERY_MINUTES;
      if (enters) {
        uses.add(use(jobs.size(), 0));
      }
      ResourceDivision division = null;
      if (control != null) {
        division = control.divide(resource, uses, now);
        // Whoever gets less is told first, so that all together never have more than there is.
        change(division, false);
        change(division, true);
      }
      if (enters) {
        enter(agent, mount, file, division);
      }
      for (LiveJob job : jobs) {
        job.feed(System.nanoTime());
      }
      progressMinutes.accept(pace.minutes(now - begin));
      step = Math.max(step + 1, (System.nanoTime() - begin) / pace.stepNanos());
      LockSupport.parkNanos(begin + step * pace.stepNanos() - System.nanoTime());
    }
    return new Result(
        jobs.stream().map(job -> pace.minutes(job.endNanos() - begin)).toList(),
        resource,
        meter,
        jobs.stream().mapToLong(LiveJob::told).sum(),
        jobs.stream().mapToLong(LiveJob::calls).sum());
  }

  private void requireGoingOn(long nanos) throws IOException {
    if (stopped.getAsBoolean()) {
      throw new InterruptedIOException("interrupted");
    }
    if (pace.minutes(nanos) > MINUTES_MAX) {
      throw new IOException(
          "the jobs of scenario #"
              + scenario.number()
              + " have not ended after "
              + MINUTES_MAX
              + " minutes of the paper");
    }
  }

  private void look(long beforeNanos) throws IOException {
    long calls = 0;
    for (LiveJob job : jobs) {
      job.look();
      calls += job.calls();
    }
    meter.add(beforeNanos, calls, System.nanoTime());
  }

  /** Lets jobs go whose processes have ended, and tells what the others used. */
  private List<JobUse> endAndUse(StageAgent agent, long nanos) throws IOException {
    List<JobUse> uses = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      LiveJob job = jobs.get(i);
      if (job.isOver()) {
        continue;
      }
      if (job.isRunning()) {
        uses.add(use(i, (long) (job.takeUsage() * 1e9 / nanos)));
      } else {
        job.end();
        agent.remove(job.staged().id());
      }
    }
    return uses;
  }

  private JobUse use(int index, long usagePerSecond) {
    long limit = scenario.jobs().get(index).limitPerSecond();
    return new JobUse(id(index), pace.perSecond(limit), usagePerSecond, limit / PRIORITY_UNIT);
  }

  private static JobId id(int index) {
    return JobId.of("job" + (index + 1));
  }

  /** Sets the limits of those that get more, or of those that do not. */
  private void change(ResourceDivision division, boolean more) {
    for (LiveJob job : jobs) {
      int index = indexOf(division, job.staged().id());
      if (index >= 0) {
        double before = job.staged().limits().getOrDefault(METADATA, 0.0);
        long now = division.wholePerSecond(index);
        if (now != before && now > before == more) {
          job.staged().change(limit(now), StageClock.nowNanos());
        }
      }
    }
  }

  private static List<LimitChange> limit(long perSecond) {
    return List.of(LimitChange.perSecond(METADATA, perSecond));
  }

  private static int indexOf(ResourceDivision division, JobId job) {
    for (int i = 0; i < division.size(); i++) {
      if (division.job(i).equals(job)) {
        return i;
      }
    }
    return -1;
  }

  private void enter(StageAgent agent, Path mount, Path file, @Nullable ResourceDivision division)
      throws IOException {
    int number = jobs.size();
    int index = division == null ? -1 : indexOf(division, id(number));
    List<LimitChange> limits =
        division == null || index < 0 ? List.of() : limit(division.wholePerSecond(index));
    StagedJob staged = agent.add(id(number), StageDirectory.thisUser(), List.of(mount), limits);
    jobs.add(
        new LiveJob(
            staged, file, curve, scenario.jobs().get(number).load(), pace, System.nanoTime()));
  }
}
