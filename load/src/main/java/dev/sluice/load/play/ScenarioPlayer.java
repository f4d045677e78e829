package dev.sluice.load.play;

import dev.sluice.core.model.JobId;
import dev.sluice.load.client.RpcException;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.LatencySummary;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.Scenario;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Plays a scenario against a server: every process of every job is a client that does what the
 * scenario says, at the times at which it would do it in a simulation with the same seed. The
 * targets of the scenario are not looked at: the server is what it is.
 *
 * <p>Plays once. Only {@link #stop} may be called by another thread.
 */
public final class ScenarioPlayer {
  private static final int PROCESSES_AT_ONCE = 64;

  private final Scenario scenario;
  private final long seed;
  private final PlaySettings settings;

  /** Guarded by this object's lock, like the next one. */
  private @Nullable PlayTime time;

  private boolean stopped;

  public ScenarioPlayer(Scenario scenario, long seed, PlaySettings settings) {
    this.scenario = scenario;
    this.seed = seed;
    this.settings = settings;
  }

  /** Ends the play before its time; what it was served until then counts. */
  public synchronized void stop() {
    stopped = true;
    if (time != null) {
      time.stop();
    }
  }

  private synchronized PlayTime begin() {
    PlayTime begun = new PlayTime(scenario.endNanos());
    time = begun;
    if (stopped) {
      begun.stop();
    }
    return begun;
  }

  private synchronized boolean isStopped() {
    return stopped;
  }

  /**
   * Plays.
   *
   * @param policy what the result is called by: whatever policy is in force on the server
   */
  public PlayResult play(String policy, PlayListener listener) throws IOException {
    try (ConnectionPool connections = new ConnectionPool(settings, scenario.connections());
        JobSetup setup = new JobSetup(settings, seed, connections)) {
      List<PlayedJob> jobs = setup.setUp(scenario);
      eachProcess(jobs, PlayedProcess::prepare, listener::preparing);
      long endNanos =
          new JobTimetable(scenario, jobs, begin())
              .run(listener, settings.abandonsFiles() ? connections::close : null);
      AtomicLong verified = new AtomicLong();
      if (settings.verify()) {
        eachProcess(jobs, process -> verified.addAndGet(process.verify()), listener::verifying);
      }
      return new PlayResult(
          result(policy, jobs, endNanos),
          bursts(jobs),
          verified.get(),
          connections.reconnections(),
          connections.toldToComeLater());
    }
  }

  /** Something that is done with each process. */
  private interface Step {
    void take(PlayedProcess process) throws IOException;
  }

  /** Told how many are done, of how many. */
  private interface StepListener {
    void at(int done, int all);
  }

  /** Takes a step with each process, several at once; fails with the first failure. */
  private void eachProcess(List<PlayedJob> jobs, Step step, StepListener listener)
      throws IOException {
    List<PlayedProcess> all = jobs.stream().flatMap(job -> job.processes().stream()).toList();
    AtomicInteger done = new AtomicInteger();
    AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
    Semaphore slots = new Semaphore(PROCESSES_AT_ONCE);
    for (PlayedProcess process : all) {
      slots.acquireUninterruptibly();
      listener.at(done.get(), all.size());
      Thread.startVirtualThread(() -> {
        try {
          if (failure.get() == null && !isStopped()) {
            step.take(process);
            done.incrementAndGet();
          }
        } catch (IOException e) {
          failure.compareAndSet(null, new RpcException(process + ": " + e.getMessage(), e));
        } finally {
          slots.release();
        }
      });
    }
    slots.acquireUninterruptibly(PROCESSES_AT_ONCE);
    listener.at(done.get(), all.size());
    IOException first = failure.get();
    if (first != null) {
      throw first;
    }
  }

  private RunResult result(String policy, List<PlayedJob> jobs, long endNanos) {
    List<JobResult> results = jobs.stream().map(job -> job.account().result()).toList();
    long operations = results.stream().mapToLong(JobResult::operations).sum();
    return new RunResult(
        scenario.name(), policy, seed, endNanos, operations, 0, 0, results, List.of());
  }

  private static Map<JobId, LatencySummary> bursts(List<PlayedJob> jobs) {
    Map<JobId, LatencySummary> bursts = new HashMap<>();
    jobs.forEach(job -> bursts.put(job.id(), job.account().bursts()));
    return bursts;
  }
}
