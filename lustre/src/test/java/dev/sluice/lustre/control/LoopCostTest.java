package dev.sluice.lustre.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.lustre.standin.StandInServer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * With 5,000 active jobs, whose rates all change, a period costs less than 250 ms of processor
 * time. The stand-in's own work is taken off.
 */
class LoopCostTest {
  private static final int JOBS = 5_000;
  private static final int PERIODS = 9;

  @TempDir Path directory;

  @Test
  void aPeriodOfManyJobsIsCheap() throws Exception {
    StandInServer<String> server = Rig.filtering("2.16.1", 2);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    try (Rig rig = new Rig(server, directory, ", capacity: 1 Mops/s, dead-band: 0")) {
      for (int i = 0; i < JOBS; i++) {
        rig.jobs.add(JobId.of("job-" + i), 1 + i % 7);
      }
      SplittableRandom random = new SplittableRandom(1);
      rig.loop.step(rig.nowNanos);
      long[] nanos = new long[PERIODS];
      long commands = 0;
      for (int period = 0; period < PERIODS; period++) {
        rig.nowNanos += Rig.SECOND;
        for (int i = 0; i < JOBS; i++) {
          server.served(Rig.TARGET, "job-" + i, random.nextInt(1, 400), 1_000, rig.nowNanos);
        }
        rig.lctl.beginCounting();
        long begin = threads.getCurrentThreadCpuTime();
        PeriodReport report = rig.loop.step(rig.nowNanos);
        nanos[period] = threads.getCurrentThreadCpuTime() - begin - rig.lctl.countedNanos();
        commands += report.commands().size();
        assertThat(report.problems()).isEmpty();
      }
      Arrays.sort(nanos);
      System.out.printf(
          "a period of %d active jobs: %d ms of CPU (median of %d), the slowest %d ms,"
              + " %d commands on average%n",
          JOBS,
          nanos[PERIODS / 2] / 1_000_000,
          PERIODS,
          nanos[PERIODS - 1] / 1_000_000,
          commands / PERIODS);
      assertThat(commands / PERIODS).isGreaterThan(JOBS / 2);
      assertThat(nanos[PERIODS / 2]).isLessThan(250_000_000L);
    }
  }
}
