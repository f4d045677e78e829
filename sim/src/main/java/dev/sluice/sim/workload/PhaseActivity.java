package dev.sluice.sim.workload;

import dev.sluice.sim.engine.Seeds;
import dev.sluice.sim.scenario.Workload;

/** Computes and does I/O in turns, and waits at the barrier in between. */
final class PhaseActivity implements Activity {
  private final SimProcess process;
  private final Workload.Phases workload;
  private final Stretch stretch;
  private int iterationsLeft;

  PhaseActivity(SimProcess process, Workload.Phases workload) {
    this.process = process;
    this.workload = workload;
    this.iterationsLeft = workload.iterations();
    this.stretch =
        new Stretch(
            process,
            (long) Math.min((double) workload.bytes() * iterationsLeft, 0x1p62),
            workload.operation(),
            workload.requestBytes());
  }

  @Override
  public void begin(long nowNanos) {
    if (iterationsLeft == 0) {
      finish(nowNanos);
    } else {
      compute(process.barrier().deviation(), nowNanos);
    }
  }

  /**
   * Computes for as long as the job's draw says.
   *
   * @param uniform from 0 to below 1, the same for all processes of the job
   */
  void compute(double uniform, long nowNanos) {
    process.computeFor(Seeds.around(workload.computeNanos(), workload.jitter(), uniform), nowNanos);
  }

  @Override
  public void wake(long nowNanos) {
    stretch.begin(workload.bytes(), nowNanos);
    arriveIfDone(nowNanos);
  }

  @Override
  public void proceed(long nowNanos) {
    stretch.proceed(nowNanos);
    arriveIfDone(nowNanos);
  }

  private void arriveIfDone(long nowNanos) {
    if (!stretch.isDone()) {
      return;
    }
    if (--iterationsLeft == 0) {
      finish(nowNanos);
    } else {
      process.barrier().arrive(this, nowNanos);
    }
  }

  private void finish(long nowNanos) {
    process.done(nowNanos);
    process.barrier().leave(nowNanos);
  }
}
