package dev.sluice.web.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.SeededCases;
import dev.sluice.web.live.LiveStatus.JobDescription;
import dev.sluice.web.live.LiveStatus.LiveJob;
import dev.sluice.web.live.LiveStatus.LiveTarget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class BusiestRowsTest {
  private static LiveStatus status(RandomGenerator random) {
    int jobs = random.nextInt(1, 30);
    List<LiveTarget> targets = new ArrayList<>();
    for (int t = random.nextInt(1, 12); t > 0; t--) {
      List<LiveJob> rows = new ArrayList<>();
      for (int j = 0; j < jobs; j++) {
        if (random.nextInt(3) == 0) {
          rows.add(
              new LiveJob(
                  new JobDescription("job-" + j, "u", "", 1, 1),
                  1,
                  random.nextInt(5),
                  random.nextInt(5),
                  random.nextInt(5),
                  0,
                  0,
                  Map.of()));
        }
      }
      targets.add(
          new LiveTarget("t" + t, "", 1, 0, 1, null, 0, 0, 1, 1, rows.size(), null, null, rows));
    }
    return new LiveStatus("none", 1, Map.of(), false, 1, 1, "", List.of(), targets);
  }

  private static Map<String, double[]> sums(LiveStatus status) {
    Map<String, double[]> sums = new HashMap<>();
    for (LiveTarget target : status.targets()) {
      for (LiveJob job : target.jobs()) {
        double[] sum = sums.computeIfAbsent(job.description().id(), _ -> new double[2]);
        sum[0] += job.readBytesPerSecond() + job.writtenBytesPerSecond();
        sum[1]++;
      }
    }
    return sums;
  }

  @Test
  void tellsOfTheBusiestAndOfEachTargetsFirst() {
    SeededCases.forAll(
        3_000,
        random -> {
          LiveStatus all = status(random);
          int rowsMax = random.nextInt(60);
          int first = random.nextInt(3);
          LiveStatus told = BusiestRows.of(all, rowsMax, first);
          Map<String, double[]> before = sums(all);
          Map<String, double[]> after = sums(told);
          double rowsBefore = before.values().stream().mapToDouble(sum -> sum[1]).sum();
          double rowsAfter = after.values().stream().mapToDouble(sum -> sum[1]).sum();
          if (rowsBefore <= rowsMax) {
            assertThat(told).isEqualTo(all);
            return;
          }
          assertThat(rowsAfter).isLessThanOrEqualTo(rowsMax + first * all.targets().size());
          for (int t = 0; t < all.targets().size(); t++) {
            List<LiveJob> rows = all.targets().get(t).jobs();
            assertThat(told.targets().get(t).jobs())
                .isSubsetOf(rows)
                .containsAll(rows.subList(0, Math.min(first, rows.size())));
            assertThat(told.targets().get(t).busyJobs()).isEqualTo(rows.size());
          }
          // Whoever is busiest of all is told of wherever it is, if there is room for that alone.
          double most = before.values().stream().mapToDouble(sum -> sum[0]).max().orElse(0);
          List<Map.Entry<String, double[]>> leaders =
              before.entrySet().stream().filter(job -> job.getValue()[0] == most).toList();
          if (leaders.size() == 1 && leaders.getFirst().getValue()[1] <= rowsMax) {
            assertThat(after.get(leaders.getFirst().getKey()))
                .isEqualTo(leaders.getFirst().getValue());
          }
        });
  }
}
