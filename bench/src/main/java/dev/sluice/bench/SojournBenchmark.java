package dev.sluice.bench;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyControl;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.core.schedule.Shares;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

/** One decision of sojourn on one target, over all jobs. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class SojournBenchmark {
  private static final long PERIOD_NANOS = 1_000_000_000;

  @Param({"10", "1000", "10000", "100000"})
  public int jobs;

  private Observation seen =
      Observation.of(
          new Target("t", 1, TokenUnit.OPERATIONS), PERIOD_NANOS, PERIOD_NANOS, List.of());

  private PolicyControl<?> control = control(seen.target());

  private static PolicyControl<?> control(Target target) {
    PolicyFactory factory = PolicyRegistry.named("sojourn");
    return control(factory.create(new Settings(factory.info(), Map.of())), target);
  }

  private static <S> PolicyControl<S> control(Policy<S> policy, Target target) {
    return PolicyControl.of(policy, Cluster.of(target));
  }

  @Setup
  public void invent() {
    Target target = new Target("t", 100L * jobs, TokenUnit.OPERATIONS);
    List<JobDemand> demands = new ArrayList<>();
    for (int i = 0; i < jobs; i++) {
      demands.add(
          new JobDemand(JobId.of(String.format("%07d.batch", i)), 1 + i % 100, 10 + i % 200, 0));
    }
    seen = Observation.of(target, PERIOD_NANOS, PERIOD_NANOS, demands);
    control = control(target);
  }

  @Benchmark
  public Shares decide() {
    control.decide(seen);
    return control.shares("t");
  }
}
