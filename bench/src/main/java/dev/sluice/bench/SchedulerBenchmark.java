package dev.sluice.bench;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.fair.FairScheduler;
import dev.sluice.core.schedule.fifo.FifoScheduler;
import dev.sluice.core.schedule.iosets.IoSetsScheduler;
import dev.sluice.core.schedule.mlwdf.MlwdfScheduler;
import dev.sluice.core.schedule.sojourn.SojournScheduler;
import dev.sluice.core.schedule.tbf.TbfScheduler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One pair of dequeue and enqueue with every job backlogged by two requests, in virtual time. Jobs
 * come in random order, so that at 100,000 of them the caches miss as they would in production.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class SchedulerBenchmark {
  /** Virtual time between two dispatches: a target that does ten million requests a second. */
  private static final long STEP_NANOS = 100;

  private static final int REQUESTS_PER_JOB = 2;
  private static final int SETS = 10;
  private static final long PHASE_REQUESTS = 1_000;

  /**
   * fair: by weight alone; fair-limited and tbf: every job has more tokens than it needs;
   * tbf-throttled: a little fewer, so that all wait; iosets: ten sets of jobs, each with half the
   * priority of the one before; sojourn: phases of unknown size; sojourn-phases: of known size, a
   * thousand requests each, one ending and another beginning all the time.
   */
  @Param({
    "fifo",
    "fair",
    "fair-limited",
    "tbf",
    "tbf-throttled",
    "iosets",
    "mlwdf",
    "sojourn",
    "sojourn-phases"
  })
  public String scheduler = "";

  @Param({"10", "1000", "100000"})
  public int jobs;

  private RequestScheduler instance = new FifoScheduler();
  private long nowNanos;

  @Setup
  public void fill() {
    Target target = new Target("t", 10_000_000, TokenUnit.OPERATIONS);
    instance =
        switch (scheduler) {
          case "fifo" -> new FifoScheduler();
          case "fair", "fair-limited" -> new FairScheduler(TokenUnit.OPERATIONS, ShareTree.flat());
          case "iosets" -> new IoSetsScheduler(target);
          case "mlwdf" -> new MlwdfScheduler(target);
          case "sojourn" -> new SojournScheduler(target, ShareTree.flat());
          // Slower, so that a thousand requests are a phase that is worth being put in order.
          case "sojourn-phases" ->
              new SojournScheduler(new Target("t", 10_000, TokenUnit.OPERATIONS), ShareTree.flat());
          default -> new TbfScheduler(target);
        };
    JobId[] ids = new JobId[jobs];
    for (int i = 0; i < jobs; i++) {
      ids[i] = JobId.of(String.format("%07d.batch", i));
    }
    long turnNanos = STEP_NANOS * jobs;
    long[] tokens = new long[jobs];
    // Per ten turns of all jobs: two tokens each and turn, or nine tenths of one.
    Arrays.fill(
        tokens,
        switch (scheduler) {
          case "fair", "sojourn", "sojourn-phases" -> Shares.UNLIMITED;
          case "tbf-throttled" -> 9;
          default -> 20;
        });
    long[] weights = new long[jobs];
    for (int i = 0; i < jobs; i++) {
      weights[i] = scheduler.equals("iosets") ? 1L << (i % SETS) : 1;
    }
    long[] phases = new long[jobs];
    Arrays.fill(phases, scheduler.equals("sojourn-phases") ? PHASE_REQUESTS : 0);
    instance.reconfigure(
        Shares.ofColumns(ids, tokens, weights, Math.min(1_000_000_000, 10 * turnNanos))
            .withPhases(phases),
        0);

    List<Request> requests = new ArrayList<>();
    for (JobId id : ids) {
      Flow flow = Flow.of(id, "t");
      for (int i = 0; i < REQUESTS_PER_JOB; i++) {
        requests.add(new Request(flow, Operation.READ, 1, 4_096));
      }
    }
    Random random = new Random(1);
    enqueueShuffled(requests, random);
    // The collector copies what is linked in the order of the links, after which a list of requests
    // is read as fast as an array. That is no floor for anything: once all is where it stays, the
    // requests are linked anew, so that every scheduler goes to random places in memory.
    System.gc();
    enqueueShuffled(instance.withdrawAll(0), random);
  }

  private void enqueueShuffled(List<Request> requests, Random random) {
    Collections.shuffle(requests, random);
    for (Request request : requests) {
      instance.enqueue(request, 0);
    }
  }

  @Benchmark
  public Request pair() {
    nowNanos += STEP_NANOS;
    Dispatch dispatch = instance.next(nowNanos);
    while (dispatch instanceof Dispatch.NotBefore(long nanos)) {
      nowNanos = nanos;
      dispatch = instance.next(nowNanos);
    }
    Request request = (Request) dispatch;
    instance.enqueue(request, nowNanos);
    return request;
  }
}
