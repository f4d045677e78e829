package dev.sluice.history.store;

import dev.sluice.core.model.TokenUnit;
import dev.sluice.history.model.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Samples to try things with. */
final class SampleCases {
  private SampleCases() {}

  /** The sample of a second, always the same one for the same second. */
  static Sample ofSecond(long second) {
    List<Sample.OfJob> jobs = new ArrayList<>();
    for (int job = 0; job < 3; job++) {
      jobs.add(
          new Sample.OfJob(
              "job-" + (second / 7 + job),
              "user-" + job,
              job + 1,
              second % 50 + job,
              1_000 * (second % 11),
              job * 4_096L,
              17 * (second % 5),
              job,
              job == 0 ? Sample.OfJob.UNLIMITED : 1_000L * job,
              job == 2 ? 1_000 : 0));
    }
    return new Sample(
        1_000 * second,
        1_000,
        second % 100 < 50 ? "fair" : "adaptbf",
        second % 3 == 0,
        List.of(
            new Sample.OfTarget(
                "disk", 100_000_000, TokenUnit.BYTES, 3, second % 2 == 0 ? 1_000 : 0, jobs)));
  }

  static Sample any(RandomGenerator random, long endMillis) {
    List<Sample.OfTarget> targets = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      List<Sample.OfJob> jobs = new ArrayList<>();
      for (int j = random.nextInt(6); j > 0; j--) {
        jobs.add(
            new Sample.OfJob(
                text(random),
                text(random),
                random.nextLong(1L << random.nextInt(1, 40)),
                random.nextLong(1L << random.nextInt(1, 60)),
                random.nextLong(1L << random.nextInt(1, 60)),
                random.nextLong(1L << random.nextInt(1, 60)),
                random.nextLong(1L << random.nextInt(1, 60)),
                random.nextInt(1 << random.nextInt(1, 31)),
                random.nextLong(1L << random.nextInt(1, 60)) - 1,
                random.nextInt(2_000)));
      }
      targets.add(
          new Sample.OfTarget(
              "target-" + i,
              random.nextLong(1L << 40),
              new TokenUnit(random.nextLong(1, 100_000), random.nextInt(2)),
              random.nextInt(1_000),
              random.nextInt(2_000),
              jobs));
    }
    return new Sample(
        endMillis, random.nextInt(1, 3_000), text(random), random.nextBoolean(), targets);
  }

  private static String text(RandomGenerator random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      text.appendCodePoint(random.nextBoolean() ? 'a' + random.nextInt(26) : 0x1F600 + i);
    }
    return text.toString();
  }
}
