package dev.sluice.load.play;

import dev.sluice.core.model.JobId;
import dev.sluice.sim.engine.Seeds;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.scenario.Workload;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A job whose processes are real clients. */
final class PlayedJob {
  private final JobSpec spec;
  private final JobAccount account;
  private final List<PlayedProcess> processes;
  private final long seed;

  /** Told how a job ends. */
  interface End {
    /** All its processes have stopped. */
    void ended(PlayedJob job);

    /** One of its processes cannot go on. */
    void failed(String message, IOException cause);
  }

  PlayedJob(JobSpec spec, List<PlayedProcess> processes, long sampleNanos, long seed) {
    this.spec = spec;
    this.processes = List.copyOf(processes);
    this.account = new JobAccount(spec, sampleNanos);
    this.seed = seed;
  }

  JobId id() {
    return spec.id();
  }

  JobSpec spec() {
    return spec;
  }

  JobAccount account() {
    return account;
  }

  List<PlayedProcess> processes() {
    return processes;
  }

  /** Starts each of its processes on a thread of its own. */
  void start(PlayTime time, End end) {
    long startNanos = time.nowNanos();
    account.started(startNanos);
    int inPhases = 0;
    for (ProcessGroup group : spec.processes()) {
      inPhases += group.workload() instanceof Workload.Phases ? group.count() : 0;
    }
    PhaseBarrier barrier =
        new PhaseBarrier(inPhases, Seeds.random(seed, "phases of job " + id()), time);
    AtomicInteger left = new AtomicInteger(processes.size());
    AtomicBoolean allDone = new AtomicBoolean(true);
    for (PlayedProcess process : processes) {
      Thread.ofVirtual()
          .name(process.toString())
          .start(() -> {
            boolean done = false;
            try {
              done = process.play(time, account, barrier, startNanos);
            } catch (IOException e) {
              end.failed(process + ": " + e.getMessage(), e);
            } finally {
              if (!done) {
                allDone.set(false);
              }
              if (left.decrementAndGet() == 0) {
                if (allDone.get()) {
                  account.ended(time.nowNanos());
                }
                end.ended(this);
              }
            }
          });
    }
  }

  JobProgress progress() {
    JobAccount.Progress now = account.progress();
    return new JobProgress(
        id(), now.bytes(), now.operations(), now.outstanding(), now.started(), now.done());
  }
}
