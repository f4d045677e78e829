package dev.sluice.lustre.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

class ServiceStatsTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void requestsAndHowLongTheyWaitedAreRead() {
    ServiceStats stats =
        ServiceStats.parse(
            """
            snapshot_time             1794848062.123456789 secs.nsecs
            req_waittime              283 samples [usecs] 11 5012 98765 12345678
            req_qdepth                283 samples [reqs] 0 4 120 400
            req_active                283 samples [reqs] 1 9 566 2264
            req_timeout               283 samples [secs] 15 15 4245 63675
            reqbuf_avail              600 samples [bufs] 64 64 38400 2457600
            ost_read                  183 samples [usecs] 31 7012 300000 12345678
            ost_write                 100 samples [usecs] 57 7012 200000 12345678
            ldlm_extent_enqueue       9 samples [reqs] 1 1 9 9
            """);
    assertThat(stats).isEqualTo(new ServiceStats(283, 98_765, 283, 500_000, 566));
    assertThat(stats.since(new ServiceStats(83, 8_765, 83, 100_000, 166)))
        .isEqualTo(new ServiceStats(200, 90_000, 200, 400_000, 400));
    // A reboot in between: all of it is new.
    assertThat(stats.since(new ServiceStats(1_000, 8_765, 9, 9, 9))).isEqualTo(stats);
    assertThat(ServiceStats.parse("snapshot_time 1.2 secs.nsecs")).isEqualTo(ServiceStats.NONE);
  }

  @Test
  void howManyAreInServiceIsTheirTimeOrWhatTheySaw() {
    // Half a second of service in a second: half a request at a time.
    assertThat(new ServiceStats(283, 0, 283, 500_000, 566).inService(2, SECOND)).isEqualTo(0.5);
    // Most requests of a metadata server are counted without their times.
    assertThat(new ServiceStats(283, 0, 9, 500_000, 566).inService(2, SECOND)).isEqualTo(4);
    assertThat(new ServiceStats(283, 0, 0, 0, 0).inService(2, SECOND))
        .isEqualTo(ServiceStats.NOT_SAID);
    assertThat(ServiceStats.NONE.inService(2, SECOND)).isZero();
  }

  /** By Little's law both ways come to the same where requests come evenly. */
  @Test
  void bothWaysAgree() {
    SeededCases.forAll(
        1_000,
        random -> {
          int atOnce = 1 + random.nextInt(100);
          long requests = random.nextLong(100, 10_100);
          long micros = Math.round(1e6 * atOnce / requests);
          ServiceStats timed = new ServiceStats(requests, 0, requests, micros * requests, 0);
          ServiceStats seen = new ServiceStats(requests, 0, 0, 0, atOnce * requests);
          assertThat(timed.inService(1, SECOND))
              .isCloseTo(seen.inService(1, SECOND), within(0.5 * requests / 1e6 + 1e-9));
        });
  }

  @Test
  void whatIsNotUnderstoodIsSaid() {
    assertThatThrownBy(() -> ServiceStats.parse("req_waittime many samples"))
        .hasMessage(
            "stats: \"req_waittime many samples\": expected req_waittime N samples [usecs] MIN MAX"
                + " SUM");
    assertThatThrownBy(() -> ServiceStats.parse("req_active 9 samples [reqs] 1 2"))
        .hasMessageContaining("expected req_active N samples [reqs] MIN MAX SUM");
    assertThatThrownBy(() -> ServiceStats.parse("ost_read 9 samples [usecs] 1 2 x"))
        .hasMessageContaining("expected ost_read N samples [usecs] MIN MAX SUM");
  }
}
