package dev.sluice.sim.report;

import dev.sluice.core.model.JobId;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.LatencySummary;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.result.TargetResult;
import dev.sluice.sim.result.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Runs made by hand, like those of an experiment with bursts and one job that wants everything. */
final class SampleRuns {
  static final long SECOND = 1_000_000_000L;
  private static final long SAMPLE_NANOS = SECOND / 10;
  private static final long CAPACITY = 1_000_000_000L;

  private SampleRuns() {}

  static Report report(String description, List<RunResult> runs) {
    return new Report(
        new Report.Origin(
            runs.getFirst().scenario(),
            description,
            "./sluice sim examples/scenarios/sample.yaml --seed 7",
            7,
            "0f1e2d3c4b5a"),
        runs);
  }

  private static LatencySummary latency(long count, long p50, boolean waits) {
    return new LatencySummary(
        count, waits ? 3 : 0, waits ? 9 * p50 : 0, p50, p50, 3 * p50, 5 * p50, 9 * p50);
  }

  static RunResult run(String policy, List<String> names, int seconds) {
    SplittableRandom random = new SplittableRandom(policy.hashCode());
    long end = seconds * SECOND;
    boolean figures = policy.equals("adaptbf");
    List<JobResult> jobs = new ArrayList<>();
    Timeline targetServed = new Timeline(SAMPLE_NANOS, Timeline.Merge.SUM);
    Timeline queued = new Timeline(SAMPLE_NANOS, Timeline.Merge.LAST);
    long all = 0;
    for (int i = 0; i < names.size(); i++) {
      Timeline served = new Timeline(SAMPLE_NANOS, Timeline.Merge.SUM);
      Timeline demand = new Timeline(SAMPLE_NANOS, Timeline.Merge.LAST);
      Timeline record = new Timeline(SAMPLE_NANOS, Timeline.Merge.LAST);
      long ends = i == names.size() - 1 ? -1 : end * (i + 2) / (names.size() + 2);
      long bytes = 0;
      double level = 0;
      for (long at = 0; at < (ends < 0 ? end : ends); at += SAMPLE_NANOS) {
        boolean bursting = i == names.size() - 1 || at / SECOND % 10 < 3 + i % 5;
        double share = bursting ? (1.0 + i % 4) / (2.5 * names.size()) : 0;
        long amount = (long) (share * CAPACITY / 10 * (0.8 + 0.4 * random.nextDouble()));
        served.add(at, (double) amount);
        targetServed.add(at, (double) amount);
        bytes += amount;
        level += bursting ? -4 : 6;
        demand.set(at, bursting ? 90 + random.nextInt(20) : 5);
        record.set(at, level);
        queued.set(at, random.nextInt(policy.equals("none") ? 200 : 60));
      }
      all += bytes;
      long p50 = (4 + i) * 1_000_000L;
      jobs.add(
          new JobResult(
              JobId.of(names.get(i)),
              "user" + i,
              1 + i,
              0,
              0,
              ends,
              bytes,
              bytes >> 20,
              (ends < 0 ? end : ends) * 8 / 10,
              0,
              (ends < 0 ? end : ends) * 4 / 10,
              latency(bytes >> 20, p50, ends < 0),
              LatencySummary.NONE,
              served,
              figures ? Map.of("demand", demand, "record", record) : Map.of()));
    }
    TargetResult target =
        new TargetResult("ost0", all, all >> 20, end * 9 / 10, CAPACITY, targetServed, queued);
    boolean decides = !policy.equals("none");
    return new RunResult(
        "Lend and give back",
        policy,
        7,
        end,
        1_234_567,
        decides ? seconds * 10 : 0,
        decides ? seconds * 31 : 0,
        jobs,
        List.of(target));
  }
}
