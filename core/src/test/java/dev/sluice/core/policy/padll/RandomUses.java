package dev.sluice.core.policy.padll;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities.Counted;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Draws resources, and jobs that share them: idle ones, modest ones, greedy ones. */
final class RandomUses {
  private RandomUses() {}

  static Resource resource(RandomGenerator random) {
    long maximum = random.nextLong(1, 1L << random.nextInt(1, 41));
    return new Resource("metadata", maximum, Counted.OPERATIONS);
  }

  static PadllAlgorithm algorithm(RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 -> new UniformLimits(0);
      case 1 -> new PriorityLimits(0);
      case 2 -> new ProportionalSharing();
      default -> new UsageSharing(random.nextInt(4) == 0 ? random.nextInt(2) : random.nextDouble());
    };
  }

  static List<JobUse> jobs(RandomGenerator random, Resource resource, int max) {
    List<JobUse> jobs = new ArrayList<>();
    int count = random.nextInt(1, max + 1);
    for (int i = 0; i < count; i++) {
      jobs.add(
          new JobUse(
              JobId.of("job" + i),
              some(random, resource),
              some(random, resource),
              random.nextLong(1, 1 << random.nextInt(1, 20))));
    }
    return jobs;
  }

  private static long some(RandomGenerator random, Resource resource) {
    long fair = Math.max(1, resource.maximumPerSecond() / 4);
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> fair;
      default -> Math.min(random.nextLong(0, fair * 4), 2_000_000_000_000L);
    };
  }
}
