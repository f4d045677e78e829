package dev.sluice.bench;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Step;
import dev.sluice.core.policy.adaptbf.AdapTbf;
import dev.sluice.core.policy.adaptbf.AdapTbfState;
import java.util.ArrayList;
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
 * One decision of AdapTBF over all jobs, on a history of bursts: each period a third of the jobs
 * wants more than its share, the others less, and who changes from period to period.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class DecisionBenchmark {
  private static final long PERIOD_NANOS = 100_000_000;
  private static final int PERIODS = 16;

  @Param({"10", "1000", "10000", "100000"})
  public int jobs;

  private final AdapTbf policy = new AdapTbf(3_600_000_000_000L);
  private final List<Observation> history = new ArrayList<>();
  private AdapTbfState state = policy.initialState(Cluster.of(target(1)));
  private int period;

  private static Target target(long tokensPerSecond) {
    return new Target("t", tokensPerSecond, TokenUnit.OPERATIONS);
  }

  @Setup
  public void invent() {
    Random random = new Random(1);
    Target target = target(100L * jobs);
    long[] nodes = random.longs(jobs, 1, 100).toArray();
    for (int p = 0; p < PERIODS; p++) {
      List<JobDemand> demands = new ArrayList<>();
      for (int i = 0; i < jobs; i++) {
        long demand = random.nextInt(3) == 0 ? random.nextLong(10, 200) : random.nextLong(1, 10);
        demands.add(new JobDemand(JobId.of(String.format("%07d.batch", i)), nodes[i], demand, 0));
      }
      history.add(Observation.of(target, p * PERIOD_NANOS, PERIOD_NANOS, demands));
    }
    state = policy.initialState(Cluster.of(target));
  }

  @Benchmark
  public Step<AdapTbfState> decide() {
    Step<AdapTbfState> step = policy.decide(state, history.get(period++ % PERIODS));
    state = step.next();
    return step;
  }
}
