package dev.sluice.lustre.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.LustreVersion;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** 25,000 jobs are read in less than 200 ms, in the longest form there is. */
class ParsingCostTest {
  private static final int JOBS = 25_000;
  private static final int ROUNDS = 9;

  @Test
  void manyJobsAreReadInNoTime() {
    String[] jobs = IntStream.range(0, JOBS).mapToObj(i -> "job:" + i).toArray(String[]::new);
    byte[] text = JobStatsParserTest.text(LustreVersion.of(2, 16, 1), jobs);
    byte[] piece = new byte[1 << 16];
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long[] nanos = new long[ROUNDS];
    JobStatsDeltas deltas = new JobStatsDeltas();
    for (int round = 0; round < ROUNDS; round++) {
      long begin = threads.getCurrentThreadCpuTime();
      deltas.beginReading();
      JobStatsParser parser =
          new JobStatsParser(LustreService.OST_IO, JobIdForm.ESCAPED, new JobIds(), deltas);
      for (int from = 0; from < text.length; from += piece.length) {
        int length = Math.min(piece.length, text.length - from);
        System.arraycopy(text, from, piece, 0, length);
        parser.accept(piece, length);
      }
      parser.finish();
      deltas.endReading();
      nanos[round] = threads.getCurrentThreadCpuTime() - begin;
    }
    Arrays.sort(nanos);
    System.out.printf(
        "job_stats of %d jobs, %d MB: %d ms of CPU (median of %d), the slowest %d ms%n",
        JOBS,
        text.length / 1_000_000,
        nanos[ROUNDS / 2] / 1_000_000,
        ROUNDS,
        nanos[ROUNDS - 1] / 1_000_000);
    assertThat(deltas.problem()).isNull();
    assertThat(nanos[ROUNDS / 2]).isLessThan(200_000_000L);
  }
}
