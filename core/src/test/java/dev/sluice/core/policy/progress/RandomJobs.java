package dev.sluice.core.policy.progress;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobClaim;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Random jobs on random targets, for the tests of policies that decide about all targets. */
public final class RandomJobs {
  public static final long PERIOD_NANOS = 10_000_000_000L;

  private RandomJobs() {}

  /** One to {@code targetsMax} targets; half of the time all of one size. */
  public static Cluster cluster(RandomGenerator random, int targetsMax) {
    List<Target> targets = new ArrayList<>();
    boolean even = random.nextBoolean();
    int count = random.nextInt(1, targetsMax + 1);
    for (int j = 0; j < count; j++) {
      long capacity = even ? 102_000_000 : random.nextLong(1_000, 1_000_000_000);
      targets.add(new Target("t" + j, capacity, TokenUnit.BYTES));
    }
    return new Cluster(targets);
  }

  /** Up to {@code jobsMax} jobs, some of them runs of one application, on 1 to all targets. */
  public static Observation observation(
      RandomGenerator random, Cluster cluster, int jobsMax, long nowNanos) {
    Map<String, List<JobDemand>> targets = new LinkedHashMap<>();
    cluster.targets().forEach(target -> targets.put(target.name(), new ArrayList<>()));
    List<String> names = List.copyOf(targets.keySet());
    boolean single = random.nextBoolean();
    int jobs = random.nextInt(0, jobsMax + 1);
    for (int i = 0; i < jobs; i++) {
      if (random.nextInt(4) == 0) {
        continue;
      }
      JobId job = JobId.of("job" + i);
      JobId application = JobId.of("application" + (i % 3 == 0 ? 0 : i));
      long nodes = random.nextLong(1, 100);
      long weight = random.nextLong(1, 5);
      int first = random.nextInt(names.size());
      int stripes = random.nextInt(1, Math.min(names.size(), 16) + 1);
      for (int k = 0; k < stripes; k++) {
        long processes = single ? 1 : random.nextLong(1, 5);
        long wanted = random.nextInt(10) == 0 ? 0 : random.nextLong(1, 1_000_000);
        List<JobDemand> on = targets.get(names.get((first + k * 7) % names.size()));
        if (on != null && on.stream().noneMatch(demand -> demand.job().equals(job))) {
          on.add(
              new JobDemand(
                  job,
                  new JobClaim(nodes, weight, JobClaim.NOT_RESERVED, application, processes),
                  wanted,
                  0));
        }
      }
    }
    return new Observation(nowNanos, PERIOD_NANOS, cluster, targets, List.of());
  }
}
